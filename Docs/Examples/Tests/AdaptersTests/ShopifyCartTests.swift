import Adapters
import Foundation
import ProductKit
import Testing

private let cartID: ProductList.ID = "gid://shopify/Cart/c1?key=8f0c"

@Suite(.serialized, .timeLimit(.minutes(5))) struct ShopifyCartTests {
    @Test func `a cart is a list of the products of its variants`() async throws {
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cart", ShopifyFixtures.cart("gid://1", "gid://2")))
        )

        let list = try await lists(exchange).list(withID: cartID)

        #expect(list.id == cartID)
        #expect(list.products == ["gid://1", "gid://2"])
        #expect(list.name == "Cart")
        #expect(try exchange.bodies(Document.self).map(\.variables.cart) == [cartID.rawValue])
    }

    @Test func `adding a product adds its first available variant`() async throws {
        let cart = ShopifyFixtures.cart()
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cart", cart)),
            .json(
                ShopifyFixtures.data(
                    "product",
                    #"{"selectedOrFirstAvailableVariant": {"id": "gid://variant/7"}}"#
                )
            ),
            .json(ShopifyFixtures.data("cartLinesAdd", "{\"cart\": \(cart), \"userErrors\": []}"))
        )

        try await lists(exchange).addProduct(withID: "gid://1", toListWithID: cartID)

        let variables = try exchange.bodies(Document.self).map(\.variables)
        #expect(variables.map(\.id) == [nil, "gid://1", nil])
        #expect(variables.last?.variant == "gid://variant/7")
        #expect(variables.last?.cart == cartID.rawValue)
    }

    @Test func `all cart lines of a product are removed`() async throws {
        let cart = ShopifyFixtures.cart("gid://1", "gid://2", "gid://1")
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cart", cart)),
            .json(ShopifyFixtures.data("cartLinesRemove", "{\"cart\": \(cart)}"))
        )

        try await lists(exchange).removeProduct(withID: "gid://1", fromListWithID: cartID)

        #expect(
            try exchange.bodies(Document.self).last?.variables.lines == [
                "gid://shopify/CartLine/0?cart=c1", "gid://shopify/CartLine/2?cart=c1",
            ]
        )
    }

    @Test func `a userError in a successful response is thrown`() async {
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cart", ShopifyFixtures.cart("gid://1"))),
            .json(ShopifyFixtures.userError("cartLinesRemove")),
            // The adapter then checks whether the line still exists.
            .json(ShopifyFixtures.data("cart", ShopifyFixtures.cart("gid://1")))
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lists(exchange).removeProduct(withID: "gid://1", fromListWithID: cartID)
        }

        #expect(error?.code == .rejected)
        #expect(error?.problem?.type == "INVALID")
        #expect(error?.problem?.detail == "Sold out")
    }

    @Test(arguments: ["null", #"{"selectedOrFirstAvailableVariant": null}"#])
    func `a missing or unavailable product is reported as not found`(product: String) async {
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cart", ShopifyFixtures.cart())),
            .json(ShopifyFixtures.data("product", product))
        )

        await #expect(throws: ProductError.notFound("gid://9")) {
            try await lists(exchange).addProduct(withID: "gid://9", toListWithID: cartID)
        }
    }

    @Test func `a missing cart is an error when adding a product, but not when removing one`()
        async throws
    {
        let missing = NetworkResponse.json(ShopifyFixtures.data("cart", "null"))

        await #expect(throws: ListError.notFound(cartID)) {
            try await lists(Exchange(missing)).addProduct(withID: "gid://1", toListWithID: cartID)
        }
        try await lists(Exchange(missing)).removeProduct(withID: "gid://1", fromListWithID: cartID)
    }

    @Test func `a new cart has the given name and Shopify's identifier`() async throws {
        let cart = ShopifyFixtures.cart(name: "Party")
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cartCreate", "{\"cart\": \(cart), \"userErrors\": []}"))
        )

        let list = try await lists(exchange).createList(named: "Party")

        #expect(list.name == "Party")
        #expect(list.id == cartID)
        #expect(try exchange.bodies(Document.self).map(\.variables.name) == ["Party"])
    }

    @Test func `a cart is renamed by its attribute`() async throws {
        let cart = ShopifyFixtures.cart(name: "Party")
        let update = "{\"cart\": \(cart), \"userErrors\": []}"
        let exchange = Exchange(
            .json(ShopifyFixtures.data("cart", ShopifyFixtures.cart())),
            .json(ShopifyFixtures.data("cartAttributesUpdate", update))
        )

        let list = try await lists(exchange).renameList(withID: cartID, to: "Party")

        #expect(list.name == "Party")
        let variables = try exchange.bodies(Document.self).map(\.variables)
        #expect(variables.map(\.cart) == [cartID.rawValue, cartID.rawValue])
        #expect(variables.last?.name == "Party")
    }

    @Test func `favorites are in the cart of the app, and there are none if it is gone`()
        async throws
    {
        let product = NetworkResponse.json(
            ShopifyFixtures.data("product", ShopifyFixtures.product())
        )
        let cart = ShopifyFixtures.data("cart", ShopifyFixtures.cart(ShopifyFixtures.gid))
        for (isFavorite, cart) in [(true, cart), (false, ShopifyFixtures.data("cart", "null"))] {
            let backend = ProductBackend.shopify(
                at: .store,
                favoritesIn: cartID,
                networking: .closure { request in
                    let body = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
                    return body.contains("cart(id:") ? .json(cart) : product
                }
            )

            let loaded = try await ProductService(backend).loader
                .loadProduct(withID: Product.ID(ShopifyFixtures.gid))

            #expect(loaded.isFavorite == isFavorite)
        }
    }

    private struct Document: Decodable {
        struct Variables: Decodable {
            let id: String?
            let cart: String?
            let variant: String?
            let lines: [String]?
            let name: String?
        }

        let variables: Variables
    }

    private func lists(_ exchange: Exchange) -> ListManager {
        let backend = ProductBackend.shopify(
            at: .store,
            networking: exchange.networking,
            retry: .none
        )
        return ProductService(backend).listManager
    }
}
