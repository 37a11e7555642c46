import Foundation
import ProductKit
import Testing

/// The code of “Your backend” for what some servers do: pages that are needed together, failures that are
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
            addProduct: { product, _ in
                let addition = NetworkRequest<Void>.put("wishlist", product)
                    .throwing(ProductError.notFound(product), for: .notFound)
                try await client.send(addition)
            },
            removeProduct: { product, _ in try await client.send(.delete("wishlist", product)) },
            lists: { _ in
                let items = try await client.allPages { cursor in
                    NetworkRequest<Page<WishListItem>>.get("wishlist")
                        .page(.numbered, following: cursor)
                }
                let ids = items.items.map(\.id)
                return Page([ProductList(id: "wishlist", name: "Wish list", products: ids)])
            }
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
