import Foundation
import ProductKit
import Testing

/// Policies and sources, online and offline, with every adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CacheChecks {
    @Test(arguments: TestedBackend.all)
    func `a confirmed product never comes from the cache`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")

        for policy in [FetchPolicy.revalidate, .reload] {
            let count = shopper.shop.requests.count
            let product = try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            #expect(product.source.isFromServer)
            #expect(shopper.shop.requests.count > count)
        }
        shopper.shop.isOnline = false
        for policy in [FetchPolicy.revalidate, .reload] {
            let error = await #expect(throws: NetworkError.self) {
                try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            }
            #expect(error?.code == .unreachable)
        }
        await #expect(throws: NetworkError.self) {
            try await shopper.loader.loadProduct(withID: "1")
        }
    }

    @Test(arguments: TestedBackend.all)
    func `a confirmed product is the current one`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")

        for (name, policy) in [("A", FetchPolicy.revalidate), ("B", .reload), ("C", .networkFirst)]
        {
            shopper.shop.content.items[0].name = name
            let product = try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            #expect(product.value.name == name)
        }
    }

    @Test(arguments: TestedBackend.all)
    func `cacheOnly sends nothing and finds only what is stored`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)

        let before = await #expect(throws: NetworkError.self) {
            try await shopper.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }
        #expect(before?.code == .notCached)
        #expect(shopper.shop.requests.isEmpty)
        _ = try await shopper.loader.loadProduct(withID: "1")
        let count = shopper.shop.requests.count
        let after = await Result {
            try await shopper.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }

        #expect(shopper.shop.requests.count == count)
        if backend.hasCache {
            #expect(try after.get().source.code == .cache)
            #expect(try after.get().value.name == "Iron Pan")
        } else {
            #expect((after.error as? NetworkError)?.code == .notCached)
        }
    }

    @Test(arguments: TestedBackend.all)
    func `cacheFirst uses the stored product, else the network`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)

        let first = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)
        shopper.shop.content.items[0].name = "Cast Iron Pan"
        let second = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)

        #expect(first.source.code == .network)
        #expect(second.source.code == (backend.hasCache ? .cache : .network))
        #expect(second.value.name == (backend.hasCache ? "Iron Pan" : "Cast Iron Pan"))
    }

    @Test(arguments: TestedBackend.all)
    func `networkFirst uses the stored product only offline, and reports it`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)

        let online = try await shopper.loader.fetchProduct(withID: "1", policy: .networkFirst)
        shopper.shop.isOnline = false
        let offline = await Result {
            try await shopper.loader.fetchProduct(withID: "1", policy: .networkFirst)
        }

        #expect(online.source.code == .network)
        if backend.hasCache {
            #expect(try offline.get().source.code == .staleIfError)
            #expect(try offline.get().value == online.value)
            let failure = try offline.get().source.failure as? NetworkError
            #expect(failure?.code == .unreachable)
        } else {
            #expect((offline.error as? NetworkError)?.code == .unreachable)
        }
    }

    @Test(arguments: TestedBackend.all)
    func `pages offline come from the cache and report it`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        let query = ProductQuery(limit: 3)
        let first = try await shopper.loader.products(matching: query)
        let second = try await shopper.loader.products(matching: query, after: first.next)
        shopper.shop.isOnline = false

        for (page, cursor) in [(first, PageCursor?.none), (second, first.next)] {
            let offline = await Result {
                try await shopper.loader.products(matching: query, after: cursor)
            }
            if backend.hasCache {
                #expect(try offline.get().source.code == .staleIfError)
                #expect(try offline.get().items == page.items)
                #expect(try offline.get().next == page.next)
            } else {
                #expect((offline.error as? NetworkError)?.code == .unreachable)
            }
        }
        // A page that was not loaded is not there, whatever else is stored.
        let other = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products(matching: "kettle")
        }
        #expect(other?.code == .unreachable)
    }

    @Test(arguments: TestedBackend.all)
    func `offline, no product that was never loaded is missing`(backend: TestedBackend) async {
        let shopper = Shopper(backend)
        shopper.shop.isOnline = false

        for policy in [FetchPolicy.standard, .cacheFirst, .networkFirst, .revalidate] {
            let error = await #expect(throws: NetworkError.self) {
                try await shopper.loader.fetchProduct(withID: "1", policy: policy)
            }
            #expect(error?.code == .unreachable)
        }
    }

    @Test(arguments: TestedBackend.all)
    func `equal loads at the same time share their requests`(
        backend: TestedBackend
    ) async throws {
        let alone = Shopper(backend)
        _ = try await alone.loader.loadProduct(withID: "1")
        let shopper = Shopper(backend)
        let held = shopper.shop.hold()

        async let products = withThrowingTaskGroup { group in
            for _ in 1...8 {
                group.addTask { try await shopper.loader.loadProduct(withID: "1") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await shopper.shop.waitForRequest()
        for _ in 1...1_000 { await Task.yield() }
        let count = shopper.shop.requests.count
        held.finish()

        #expect(Set(try await products).count == 1)
        #expect(count <= alone.shop.requests.count)
    }

    @Test(arguments: TestedBackend.cached)
    func `an invalidated response is not served before the shop confirms it`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")

        for request in shopper.shop.requests { shopper.service.invalidate(request.url) }

        let stored = await #expect(throws: NetworkError.self) {
            try await shopper.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }
        #expect(stored?.code == .notCached)
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)
        #expect(product.source.isFromServer)
    }
}

extension Result where Failure == any Error {
    /// Creates the result of an asynchronous closure.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// The error; `nil` for a success.
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
