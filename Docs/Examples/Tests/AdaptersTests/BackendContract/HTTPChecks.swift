import Foundation
import ProductKit
import Testing

/// Caching and retries as HTTP defines them, with every adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTPChecks {
    /// The backends whose adapters leave the decision about storing to the server.
    private static let obedient = TestedBackend.cached.filter {
        !$0.features.contains(.storesAllReads)
    }

    @Test(arguments: obedient)
    func `a fresh response is served without a request`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        shopper.shop.readHeaders = ["Cache-Control": "private, max-age=3600"]
        _ = try await shopper.loader.loadProduct(withID: "1")
        let count = shopper.shop.requests.count

        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .standard)

        #expect(product.source.code == .cache)
        #expect(shopper.shop.requests.count == count)
    }

    @Test(arguments: TestedBackend.cached)
    func `the default policy serves a stored product offline`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")
        shopper.shop.isOnline = false

        let product = try await shopper.loader.fetchProduct(withID: "1")

        #expect(product.value.name == "Iron Pan")
        #expect(product.source.code == .staleIfError)
    }

    @Test(arguments: obedient)
    func `a response that must not be stored is not stored`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        shopper.shop.readHeaders = ["Cache-Control": "no-store"]

        _ = try await shopper.loader.loadProduct(withID: "1")
        _ = try await shopper.loader.products()
        shopper.shop.isOnline = false

        let ofProduct = await #expect(throws: NetworkError.self) {
            try await shopper.loader.fetchProduct(withID: "1", policy: .networkFirst)
        }
        let ofPage = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products()
        }
        #expect(ofProduct?.code == .unreachable)
        #expect(ofPage?.code == .unreachable)
    }

    @Test(arguments: TestedBackend.cached)
    func `an unchanged product is confirmed with 304, a changed one is loaded`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        shopper.shop.sendsETags = true
        _ = try await shopper.loader.loadProduct(withID: "1")

        let unchanged = try await shopper.loader.fetchProduct(withID: "1", policy: .revalidate)
        shopper.shop.content.items[0].name = "Cast Iron Pan"
        let changed = try await shopper.loader.fetchProduct(withID: "1", policy: .revalidate)
        let unconditional = try await shopper.loader.fetchProduct(withID: "1", policy: .reload)

        #expect(unchanged.source.code == .revalidated)
        #expect(unchanged.value.name == "Iron Pan")
        #expect(changed.source.isFromServer)
        #expect(changed.value.name == "Cast Iron Pan")
        #expect(unconditional.source.code == .network)
    }

    @Test(arguments: TestedBackend.cached, [401, 403])
    func `a stored product is not served to a user whom the shop refuses`(
        backend: TestedBackend,
        statusCode: Int
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")
        _ = try await shopper.loader.products()
        shopper.shop.replacement = backend.failure(statusCode)

        for policy in [FetchPolicy.networkFirst, .revalidate, .reload] {
            let error = await #expect(throws: NetworkError.self) {
                try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            }
            #expect(error?.statusCode == statusCode)
        }
        await #expect(throws: NetworkError.self) { try await shopper.loader.products() }
    }

    @Test(arguments: TestedBackend.cached)
    func `an unreadable response does not become a stored product`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let product = try await shopper.loader.loadProduct(withID: "1")
        shopper.shop.replacement = NetworkResponse(
            headers: ["Content-Type": "text/html"],
            body: Data("<html>Sign in</html>".utf8)
        )

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.loadProduct(withID: "1")
        }
        let stored = await Result {
            try await shopper.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }

        #expect(error?.code == .unreadable)
        if let error = stored.error {
            #expect((error as? NetworkError)?.code == .notCached)
        } else {
            #expect(try stored.get().value == product)
        }
    }

    @Test(arguments: TestedBackend.all, [429, 503])
    func `a read is sent again after a temporary failure`(
        backend: TestedBackend,
        statusCode: Int
    ) async throws {
        let shopper = Shopper(backend)

        shopper.shop.failures = [backend.failure(statusCode)]
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .revalidate)
        shopper.shop.failures = [backend.failure(statusCode)]
        let page = try await shopper.loader.products()

        #expect(product.source.code == .network)
        #expect(page.source.code == .network)
    }

    @Test(arguments: TestedBackend.supporting(.lists))
    func `a creation is sent again after a failure only if it is idempotent`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let listCount = shopper.shop.content.lists.count
        shopper.shop.writeFailures = [backend.failure(503)]

        let created = await Result { try await shopper.lists.createList(named: "Camp") }

        if backend.hasIdempotentWrites {
            #expect(try created.get().name == "Camp")
            #expect(shopper.shop.content.lists.count == listCount + 1)
            #expect(shopper.shop.writes.count == 2)
        } else {
            #expect((created.error as? NetworkError)?.statusCode == 503)
            #expect(shopper.shop.content.lists.count == listCount)
            #expect(shopper.shop.writes.count == 1)
        }
    }

    @Test(arguments: TestedBackend.cached)
    func `products are on disk until the user signs out`(backend: TestedBackend) async throws {
        try await withTemporaryFolder { folder in
            let first = Shopper(backend, folder: folder)
            _ = try await first.loader.loadProduct(withID: "1")
            first.shop.isOnline = false

            let second = first.nextProcess(folder)
            let stored = try await second.loader.fetchProduct(withID: "1", policy: .networkFirst)
            await second.service.signOut()
            let error = await #expect(throws: NetworkError.self) {
                try await second.nextProcess(folder).loader
                    .fetchProduct(withID: "1", policy: .cacheOnly)
            }

            #expect(stored.source.code == .staleIfError)
            #expect(stored.value.name == "Iron Pan")
            #expect(error?.code == .notCached)
        }
    }

    @Test(
        arguments: TestedBackend.all,
        ["A&B=1 #50%", "\"Mug\" + pan", "Möbel “ß” 👩‍👩‍👧", "a\\b'c;d", "1/2?"]
    )
    func `a text is sent as it is`(backend: TestedBackend, text: String) async throws {
        let shopper = Shopper(backend)
        shopper.shop.content.items[2].name = text

        let page = try await shopper.loader.products(matching: ProductQuery(text: text))

        #expect(page.items.map(\.name) == [text])
        if backend.features.contains(.lists) {
            let list = try await shopper.lists.createList(named: text)
            #expect(try await shopper.lists.list(withID: list.id).name == text)
        }
    }

    @Test(arguments: TestedBackend.all)
    func `the total is that of all pages, if the shop reports it`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let query = ProductQuery(limit: 2)

        let first = try await shopper.loader.products(matching: query)
        let second = try await shopper.loader.products(matching: query, after: first.next)

        #expect(first.total == second.total)
        #expect([5, nil].contains(first.total))
    }
}
