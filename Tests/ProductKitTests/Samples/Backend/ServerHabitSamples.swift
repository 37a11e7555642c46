import Foundation
import ProductKit
import Testing

/// Code of the articles about other backends for what some servers do: pages that are needed together, failures that are
/// successes, and one list that always exists.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerHabitSamples {
    private let received = Lines()

    @Test func `failures that are successes`() async throws {
        let id: Product.ID = "pan"
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.httpMethod == "GET"
                    ? .json(#"{"code": "NO_WISHLIST"}"#, statusCode: 404)
                    : .json(#"{"code": "ALREADY_ADDED"}"#, statusCode: 400)
            },
            failure: { response in NetworkError(response, code: "code") }
        )
        let addition = NetworkRequest<Void>.post("wishlist", "items", id)
            .returning((), forProblem: "ALREADY_ADDED")
        let name = NetworkRequest<String>.get("wishlist").inside("name")
            .returning("Wish list", forProblem: "NO_WISHLIST")

        try await client.send(addition)

        #expect(try await client.send(name) == "Wish list")
    }

    private struct AppToken { func token() async throws -> String { "app" } }

    @Test func `a token of the app`() async throws {
        let (app, received) = (AppToken(), received)
        let transport: any Networking = .closure { request in
            received.add(request.value(forHTTPHeaderField: "X-App-Token") ?? "")
            return NetworkResponse(statusCode: 204)
        }
        let networking: any Networking = .closure { request in
            var request = request
            request.setValue(try await app.token(), forHTTPHeaderField: "X-App-Token")
            return try await transport.response(for: request)
        }

        try await NetworkClient(baseURL: .api, networking: networking).send(.put("a"))

        #expect(received.all == ["app"])
    }

    @Test func `query items and storing of all requests`() {
        let api = URL.api
        do {
            let addition = NetworkRequest<Void>.post("wishlist", "items").queryItem("shop", "7")
            #expect(addition.query.map(\.value) == ["7"])
        }
        do {
            let client = NetworkClient(baseURL: api).overridingCacheControl("private, max-age=0")
            #expect(client.baseURL == api)
        }
    }

    @Test func `what other requests need`() async throws {
        let region = ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { _ in .json(#"[{"id": "7", "currency": "EUR"}]"#) }
            ),
            loader: { client in
                ProductLoader(load: { id in
                    let regions = NetworkRequest<[Region]>.get("regions")
                        .overridingCacheControl("private, max-age=86400")
                        .independent
                    let region = try await client.send(regions).first { region in
                        region.currency == client.currency
                    }
                    return Product(id: id, name: region?.id ?? "")
                })
            },
            listManager: { _ in .only() }
        )
        let service = ProductService(backend: region, localUser: .shopper, user: .guest)

        #expect(try await service.loader.loadProduct(withID: "pan").name == "7")
    }

    @Test func `values beside the product`() async throws {
        let id: Product.ID = "pan"
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                .json(
                    """
                    {"data": {"id": "pan", "name": "Pan", "pictures": ["2", "3"]}, "pictures": [
                    {"id": "1", "url": "https://a.example"}, {"id": "2", "url": "https://b.example"},
                    {"id": "3"}]}
                    """
                )
            }
        )
        let request = NetworkRequest<Article>.get("articles", id)
            .inside("data")
            .map { article, response in
                let all = try response.json(Page<Picture>?.self, at: "pictures")
                let pictures = all?.items.filter { article.pictures.contains($0.id) } ?? []
                return Product(id: article.id, name: article.name, images: pictures.map(\.url))
            }

        let product = try await client.send(request)

        #expect(product.images.map(\.absoluteString) == ["https://b.example"])
    }

    @Test func `all pages of a list`() async throws {
        let client = wishListClient()
        let products = try await client.allPages { cursor in
            NetworkRequest<Page<Product>>.get("wishlist").page(.numbered, following: cursor)
        }

        #expect(products.items.map(\.id) == ["pan", "pot"])
    }

    @Test func `one list that always exists`() async throws {
        let client = wishListClient()
        let manager = ListManager(
            onlyList: "wishlist",
            name: "Wish list",
            products: {
                try await client.allPages { cursor in
                    NetworkRequest<Page<WishListItem>>.get("wishlist")
                        .page(.numbered, following: cursor)
                }
                .items.map(\.id)
            },
            addProduct: { product in try await client.send(.put("wishlist", product)) },
            removeProduct: { product in try await client.send(.delete("wishlist", product)) }
        )
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Wish list", of: manager)

        let pan = try await loader.loadProduct(withID: "pan")
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "cup")
        _ = try await loader.setFavoriteStatus(false, forProductWithID: "pot")

        #expect(pan.isFavorite)
        let writes = received.all.filter { !$0.hasPrefix("GET") }
        let list = "https://api.example.com/v1/wishlist"
        #expect(writes == ["PUT \(list)/cup", "DELETE \(list)/pot"])
    }

    @Test func `failures with status 200 mean another one`() async throws {
        let api = URL.api
        let networking: any Networking = .closure { request in
            switch request.url?.lastPathComponent {
            case "busy":
                .json(#"{"errors": [{"message": "Later", "extensions": {"code": "BUSY"}}]}"#)
            case "invalid": .json(#"{"errors": [{"message": "No"}], "data": null}"#)
            default: .json(#"{"data": 7}"#)
            }
        }
        let client = NetworkClient(baseURL: api, networking: networking).failing(
            at: "errors",
            code: "extensions.code",
            codes: ["UNAUTHENTICATED": .unauthorized, "BUSY": .throttled]
        )

        for (path, code) in [("busy", NetworkError.Code.throttled), ("invalid", .rejected)] {
            await expectNetworkError(code) { try await client.send(.delete(path)) }
        }
        #expect(try await client.send(NetworkRequest<Int>.get("good").inside("data")) == 7)
    }

    @Test func `one list with lines`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [received] request in
                received.add(request.line)
                return .json(#"{"items": [{"id": 1, "product": "pot"}]}"#)
            }
        )
        let manager = ListManager(
            onlyList: "wishlist",
            name: "Wish list",
            lines: {
                let items = NetworkRequest<[WishList.Item]>.get("wishlist").inside("items")
                return try await client.send(items).map { item in
                    ListLines.Line(id: item.id, product: item.product)
                }
            },
            addProduct: { product in
                let item = ["product": product]
                try await client.send(NetworkRequest<Void>.post("wishlist", "items").json(item))
            },
            removeLine: { line in try await client.send(.delete("wishlist", "items", line)) }
        )

        for product: Product.ID in ["pot", "cup"] {
            try await manager.addProduct(withID: product, toListWithID: "wishlist")
            try await manager.removeProduct(withID: product, fromListWithID: "wishlist")
        }

        let list = ProductList(id: "wishlist", name: "Wish list", products: ["pot"])
        #expect(try await manager.allLists().items == [list])
        let writes = received.all.filter { !$0.hasPrefix("GET") }
        let items = "https://api.example.com/v1/wishlist/items"
        #expect(writes == ["DELETE \(items)/1", "POST \(items)"])
    }

    /// A client of a shop whose only list has two pages.
    private func wishListClient() -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { [received] request in
                received.add(request.line)
                let id = request.url?.query()?.contains("page=2") == true ? "pot" : "pan"
                return .json(
                    #"[{"id": "\#(id)", "name": "Product"}]"#,
                    headers: ["X-WP-TotalPages": "2", "X-WP-Total": "2"]
                )
            }
        )
    }
}

private struct Region: Decodable {
    let id: String
    let currency: String
}
