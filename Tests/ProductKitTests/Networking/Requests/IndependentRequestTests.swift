import Foundation
import ProductKit
import Testing

/// Requests that do not belong to the operation of the closure that sends them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct IndependentRequestTests {
    private let received = Lines()

    // Rule: requests/independent-keeps-policy (18)
    @Test func `a request of a closure comes from the cache while the closure reloads`()
        async throws
    {
        let loader = loader(over: client())

        let products = [
            try await loader.fetchProduct(withID: "pan", policy: .revalidate),
            try await loader.fetchProduct(withID: "pan", policy: .revalidate),
        ]

        #expect(products.map(\.source) == [.network, .network])
        #expect(received.all == ["regions", "goods", "goods"])
    }

    // Rule: requests/independent-keeps-policy (18)
    @Test func `with cacheOnly, it is not sent either`() async throws {
        let client = client()
        let _: Product = try await client.send(.get("goods"))

        let error = await #expect(throws: NetworkError.self) {
            try await loader(over: client).fetchProduct(withID: "pan", policy: .cacheOnly)
        }

        #expect(error?.code == .notCached && received.all == ["goods"])
    }

    // Rule: requests/independent-keeps-policy (18); favorites/products-of-the-list (1)
    @Test(arguments: [true, false])
    func `after a write, favorites are found offline with it`(servesStale: Bool) async throws {
        let cache = ResponseCache()
        let requests = Counter()
        let caching = CachingBehavior(
            cache: cache,
            partition: { "anna" },
            staleIfErrorLimit: servesStale ? .seconds(60) : .zero
        )
        let client = NetworkClient(behaviors: [caching]) { request in
            guard requests.next() <= 2 else { throw NetworkError(.unreachable) }
            let isRegion = request.url?.lastPathComponent == "regions"
            return .json(isRegion ? "7" : #"{"id": "pan", "name": "Pan"}"#)
        }
        let goods = loader(over: client)
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in Page([ProductList(id: "1", name: "Favorites", products: ["pan"])]) }
        )
        let favorites = ProductLoader(
            load: { try await goods.fetchProduct(withID: $0).value },
            search: { _, _ in throw NetworkError(.unreachable) }
        )
        .storingFavorites(inListNamed: "Favorites", of: lists)
        _ = try await favorites.loadProduct(withID: "pan")

        if servesStale { cache.invalidateAll(partition: "anna") }

        let page = try? await favorites.favorites()
        #expect(page?.items.map(\.id) == (servesStale ? ["pan"] : nil))
    }

    // Rule: requests/independent-keeps-policy (18)
    @Test func `with reload, it is sent although its response is fresh`() async throws {
        let loader = loader(over: client())
        _ = try await loader.fetchProduct(withID: "pan")

        _ = try await loader.fetchProduct(withID: "pan", policy: .reload)

        #expect(received.all == ["regions", "goods", "regions", "goods"])
    }

    // Rule: requests/independent-keeps-policy (18)
    @Test func `behaviors of the loader do not apply to it`() async throws {
        let paths = Lines()
        let watching = ClosureBehavior(modify: { paths.add($0.url.lastPathComponent) })

        _ = try await loader(over: client()).with(behaviors: [watching])
            .fetchProduct(withID: "pan", policy: .revalidate)

        #expect(paths.all == ["goods"] && received.all == ["regions", "goods"])
    }

    // Rule: requests/independent-keeps-policy (18)
    @Test func `a write is never independent`() async throws {
        let paths = Lines()
        let watching = ClosureBehavior(modify: { paths.add($0.url.lastPathComponent) })
        let client = NetworkClient { _ in NetworkResponse(statusCode: 204) }
        let manager = ListManager(addProduct: { _, _ in
            try await client.send(NetworkRequest<Void>.post("lines").independent)
        })

        try await manager.with(behaviors: [watching]).addProduct(withID: "a", toListWithID: "b")

        #expect(paths.all == ["lines"])
    }

    // Rule: requests/independent-keeps-policy (18)
    @Test func `before a write, it comes from the cache`() async throws {
        let client = client()
        let manager = ListManager(addProduct: { _, _ in
            _ = try await client.send(NetworkRequest<Int>.get("regions").independent)
        })

        for _ in 1...2 { try await manager.addProduct(withID: "a", toListWithID: "b") }

        #expect(received.all == ["regions"])
    }

    /// A loader that sends an independent request for a number before that for a product.
    private func loader(over client: NetworkClient) -> ProductLoader {
        ProductLoader(load: { _ in
            let region = NetworkRequest<Int>.get("regions").independent
            #expect(try await client.send(region) == 7)
            return try await client.send(.get("goods"))
        })
    }

    /// A client of a server whose number is fresh for a minute, unlike its product.
    private func client() -> NetworkClient {
        NetworkClient(behaviors: [CachingBehavior(partition: { "anna" })]) { [received] request in
            let name = request.url?.lastPathComponent ?? ""
            received.add(name)
            return name == "regions"
                ? .json("7", headers: ["Cache-Control": "max-age=60"])
                : .json(#"{"id": "pan", "name": "Pan"}"#)
        }
    }
}
