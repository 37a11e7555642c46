import Foundation
import ProductKit
import Synchronization
import Testing

/// The tests of “Your backend”, and what else the backend there can do.
@Suite(.serialized, .timeLimit(.minutes(5))) struct YourBackendSamples {
    @Test func `a good is decoded as a product`() async throws {
        let loader = ProductLoader(
            bazaar: try .test { request in
                #expect(request.url?.path() == "/v2/goods/iron%2Fpan")
                return
                    #"{"good": {"sku": "iron/pan", "label": "Iron Pan", "price": "39.95", "currency": "EUR"}}"#
            }
        )

        let pan = try await loader.loadProduct(withID: "iron/pan")

        #expect(pan.name == "Iron Pan")
        #expect(pan.price(in: "EUR") == Price(minorUnits: 3995, currency: "EUR"))
    }

    @Test func `a good with an invalid price is rejected and the others are kept`() async throws {
        let loader = ProductLoader(
            bazaar: try .test { _ in
                """
                {"count": 9, "result": {"more": "c2", "goods": [
                  {"sku": 1, "label": "Iron Pan"},
                  {"sku": 2, "label": "Steel Pan", "price": "39,95", "currency": "EUR"}
                ]}}
                """
            }
        )

        let page = try await loader.products(matching: "pan")

        #expect(page.items.map(\.name) == ["Iron Pan"])
        #expect(page.rejected.map(\.member) == ["price"])
        #expect(page.next == "c2")
    }

    @Test func `a product that is in the basket is not added again`() async throws {
        let lists = ListManager(
            bazaar: try .test { request in
                #expect(request.httpMethod == "GET")
                return
                    #"{"basket": {"id": 7, "title": "Camp", "revision": 3, "lines": [{"number": 1, "sku": 4711}]}}"#
            }
        )

        try await lists.addProduct(withID: "4711", toListWithID: "7")
    }

    @Test func `a favorite request names the new status`() async throws {
        let methods = Mutex<[String?]>([])
        let loader = ProductLoader(
            bazaar: try .test { request in
                methods.withLock { $0.append(request.httpMethod) }
                return #"{"good": {"sku": 1, "label": "Pan", "starred": true}}"#
            }
        )

        let pan = try await loader.setFavoriteStatus(true, forProductWithID: "1")
        _ = try await loader.setFavoriteStatus(false, forProductWithID: "1")

        #expect(pan?.isFavorite == true)
        #expect(methods.withLock { $0 } == ["PUT", "DELETE"])
    }

    @Test func `a stale basket is read again`() async throws {
        let revision = Counter()
        let backend = ProductBackend.bazaar(
            at: .api,
            networking: .closure { request in
                if request.httpMethod == "GET" {
                    let number = revision.next()
                    return .json(
                        "{\"basket\": {\"id\": 7, \"title\": \"Camp\", \"revision\": \(number), \"lines\": []}}"
                    )
                }
                guard request.value(forHTTPHeaderField: "If-Match") == "2" else {
                    return .json(
                        #"{"error": {"id": "stale", "text": "It changed"}}"#,
                        statusCode: 422
                    )
                }
                return NetworkResponse(statusCode: 204)
            }
        )

        try await ListManager(bazaar: backend.client)
            .addProduct(withID: "4711", toListWithID: "7")

        #expect(revision.count == 2)
    }

    @Test func `lines of a product are deleted one by one`() async throws {
        let lines = Mutex<[String]>([])
        let lists = ListManager(
            bazaar: try .test { request in
                lines.withLock { $0.append(request.line) }
                return """
                    {"basket": {"id": 7, "title": "Camp", "revision": 3, "lines": [
                     {"number": 1, "sku": 4711}, {"number": 2, "sku": 8}, {"number": 3, "sku": 4711}]}}
                    """
            }
        )

        try await lists.removeProduct(withID: "4711", fromListWithID: "7")

        let base = "https://api.example.com/v2/baskets/7"
        #expect(
            lines.withLock { $0 } == [
                "GET \(base)", "DELETE \(base)/lines/3", "DELETE \(base)/lines/1",
            ]
        )
    }

    @Test func `a missing good throws notFound with its identifier`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v2"))
        let backend = ProductBackend.bazaar(
            at: api,
            networking: .closure { _ in NetworkResponse(statusCode: 404) }
        )

        await #expect(throws: ProductError.notFound("9")) {
            try await ProductLoader(bazaar: backend.client).loadProduct(withID: "9")
        }
    }

    @Test func `if the server cannot be used, a stored good is shown, and a star cannot be set`()
        async throws
    {
        let isDown = Mutex(false)
        let api = try #require(URL(string: "https://api.example.com/v2"))
        let backend = ProductBackend.bazaar(
            at: api,
            networking: .closure { request in
                let credentials = request.value(forHTTPHeaderField: "Authorization")
                #expect(credentials == "Token demo-token")
                if isDown.withLock(\.self) { throw NetworkError(.untrusted) }
                return NetworkResponse(
                    body: Data(#"{"good": {"sku": "7", "label": "Pan"}}"#.utf8)
                )
            },
            cache: ResponseCache()
        )
        let service = ProductService(
            backend: backend,
            localUser: .shopper,
            user: .signedIn("anna") { "demo-token" }
        )
        let screen = try await service.viewModel(forProductWithID: "7", policy: .networkFirst)
        isDown.withLock { $0 = true }

        let stored = try await service.loader.fetchProduct(withID: "7", policy: .cacheOnly)
        await #expect(throws: NetworkError.self) {
            try await screen.toggleProductFavoriteStatus()
        }

        #expect(stored.value.name == "Pan" && stored.source.code == .cache)
        #expect(await !screen.isFavorite)
    }

    @Test func `a favorite without a response body takes two requests`()
        async throws
    {
        let lines = Lines()
        let networking: any Networking = .closure { request in
            lines.add(request.line)
            guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: 204) }
            return try NetworkResponse(json: Product(id: "7", name: "Iron Pan", isFavorite: true))
        }
        let client = NetworkClient(baseURL: .api, networking: networking)
        let (loader, lists) = likesAndBoards(client)

        let pan = try await loader.setFavoriteStatus(true, forProductWithID: "7")
        try await lists.addProduct(withID: "7", toListWithID: "camp")
        try await lists.removeProduct(withID: "7", fromListWithID: "camp")

        #expect(pan?.isFavorite == true)
        let base = "https://api.example.com/v1"
        #expect(
            lines.all == [
                "PUT \(base)/likes/7", "GET \(base)/goods/7",
                "PUT \(base)/boards/camp/items/7", "DELETE \(base)/boards/camp/items/7",
            ]
        )
    }

    @Test func `it is wired like any other`() async {
        let api = URL.api
        let token = "demo-token"
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        let backend = ProductBackend.bazaar(at: api, cache: ResponseCache(directory: folder))
        let euros = LocalUser(currency: "EUR")
        let anna = ServiceUser.signedIn("anna") { token }
        let service = ProductService(backend: backend, localUser: euros, user: anna)

        #expect(await service.viewModel(for: .boots).title == "Walking Boots")
    }

    @Test func `usual requests of products`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"good": {"sku": 4711, "label": "Iron Pan"}}"#) }
        )
        let loader = ProductLoader(
            client: client,
            path: ["goods"],
            inside: "good",
            pages: .bazaar,
            searchQuery: { query in ["find": query.text, "size": query.limit?.description] },
            product: { (good: Good, _) in try good.product }
        )

        #expect(try await loader.loadProduct(withID: "4711").name == "Iron Pan")
    }

    @Test func `usual requests of lists`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.httpMethod == "GET"
                    ? .json(#"{"data": [], "count": 0}"#)
                    : .json(#"{"data": {"id": 7, "name": "Camp", "items": []}}"#)
            }
        )
        let lists = ListManager(
            client: client,
            path: ["wishlists"],
            lines: "items",
            inside: "data",
            pages: PageFormat(items: "data", pageNumber: "page", total: "count"),
            contents: { (list: WishList, _) in list.contents },
            newList: { name in ["name": name] },
            newName: { _, name in ["name": name] },
            newLine: { product in ["product": try product.integer] }
        )

        #expect(try await lists.createList(named: "Camp").id == "7")
        do {
            let manager = ListManager(addProduct: { _, _ in }, lists: { _ in Page([]) })
            let lists = manager.findingCreatedLists()
            #expect(try await lists.allLists().items.isEmpty)
        }
        do {
            let id: Product.ID = "7"
            let body = ["product": try id.integer]
            #expect(body == ["product": 7])
        }
        do {
            let name = "Trip"
            let request = NetworkRequest<WishList>.put("wishlists", "7")
                .json(["name": name])
                .inside("data")
            #expect(try await client.send(request).name == "Camp")
        }
    }

    @Test func `a client finds the failures in all responses`() async throws {
        let shop = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"error": {"id": 7, "text": "Sold out."}}"#) }
        )
        do {
            let client = shop
            do {
                let client = client.failing(
                    having: "error",
                    message: "error.text",
                    code: "error.id"
                )
                let error = await #expect(throws: NetworkError.self) {
                    try await client.send(.delete("goods", "7"))
                }
                #expect(error?.problem?.detail == "Sold out.")
            }
        }
        do {
            let api = URL.api
            let networking: any Networking = .closure { _ in
                .json(#"{"success": 0, "errors": []}"#)
            }
            let client = NetworkClient(baseURL: api, networking: networking)
                .failing(at: "errors", unless: "success")
            let error = await #expect(throws: NetworkError.self) {
                try await client.send(.delete("goods", "7"))
            }
            #expect(error?.code == .rejected)
        }
    }

    @Test func `a backend that recognizes keys gets a request again`() async throws {
        let keys = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                guard request.httpMethod == "POST" else {
                    return .json(
                        #"{"basket": {"id": 7, "title": "Camp", "revision": 1, "lines": []}}"#
                    )
                }
                keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
                return NetworkResponse(statusCode: keys.all.count < 2 ? 504 : 204)
            }
        )
        let backend = ProductBackend(
            client: client,
            recognizesIdempotencyKeys: true,
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
        let service = ProductService(backend: backend, localUser: .shopper, user: .guest)

        try await service.listManager.addProduct(withID: "4711", toListWithID: "7")

        #expect(keys.all.count == 2 && Set(keys.all).count == 1 && keys.all.first != "none")
    }
}

private func likesAndBoards(_ client: NetworkClient) -> (ProductLoader, ListManager) {
    let loader = ProductLoader(
        load: { sku in try await client.send(.get("goods", sku)) },
        setFavorite: { sku, isFavorite in
            let like: NetworkRequest<Void> =
                isFavorite ? .put("likes", sku) : .delete("likes", sku)
            try await client.send(like)
            return nil
        }
    )
    return (loader, boards(client))
}

nonisolated extension NetworkClient {
    static func test(_ body: @escaping @Sendable (URLRequest) -> String) throws -> NetworkClient {
        let api = try #require(URL(string: "https://api.example.com/v2"))
        let backend = ProductBackend.bazaar(
            at: api,
            networking: .closure { request in
                NetworkResponse(body: Data(body(request).utf8))
            }
        )
        return backend.client
    }
}
