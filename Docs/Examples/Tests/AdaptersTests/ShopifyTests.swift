import Adapters
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ShopifyTests {
    @Test func `a product of Shopify is decoded with its identifier`() async throws {
        let exchange = Exchange(
            .json(ShopifyFixtures.data("product", ShopifyFixtures.product()))
        )

        let product = try await loader(exchange).loadProduct(withID: "gid://shopify/Product/42")

        #expect(
            product
                == Product(
                    id: "gid://shopify/Product/42",
                    name: "Mug",
                    description: "Holds 400 ml.",
                    prices: [try Price("12.5", currency: "CAD")],
                    images: [URL(string: "https://cdn.shop.example/mug.jpg?v=1")]
                        .compactMap(\.self),
                    url: URL(string: "https://shop.example/products/mug"),
                    isAvailable: true,
                    updatedAt: Date(timeIntervalSince1970: 1_711_725_932),
                    attributes: ["vendor": "Kiln & Co"]
                )
        )
        #expect(exchange.lines == ["POST "])
        #expect(
            try exchange.bodies(Document.self).map(\.variables.id) == ["gid://shopify/Product/42"]
        )
    }

    @Test func `a product that is null is reported as not found`() async {
        let exchange = Exchange(.json(ShopifyFixtures.data("product", "null")))

        await #expect(throws: ProductError.notFound("gid://shopify/Product/9")) {
            try await loader(exchange).loadProduct(withID: "gid://shopify/Product/9")
        }
    }

    @Test func `pages are loaded until hasNextPage is false`() async throws {
        let exchange = Exchange(
            .json(
                ShopifyFixtures.products(
                    ShopifyFixtures.product(),
                    ShopifyFixtures.product("gid://2", amount: "\"x\""),
                    next: "eyJs=="
                )
            ),
            .json(ShopifyFixtures.products(ShopifyFixtures.product("gid://3")))
        )
        let loader = loader(exchange)

        let first = try await loader.products(matching: ProductQuery(text: "mug", limit: 2))
        let second = try await loader.products(matching: "mug", after: first.next)

        #expect(first.items.map(\.name) == ["Mug"])
        #expect(first.rejected.map(\.index) == [1])
        #expect(first.rejected.map(\.member) == ["priceRange.minVariantPrice.amount"])
        #expect(first.next == "eyJs==")
        #expect(second.next == nil)
        let variables = try exchange.bodies(Document.self).map(\.variables)
        #expect(variables.map(\.query) == ["mug", "mug"])
        #expect(variables.map(\.first) == [2, 20])
        #expect(variables.map(\.after) == [nil, "eyJs=="])
    }

    @Test func `several products are loaded without the missing ones`() async throws {
        let exchange = Exchange(
            .json(
                ShopifyFixtures.data("nodes", "[\(ShopifyFixtures.product("gid://1")), null, {}]")
            )
        )

        let query = ProductQuery(ids: ["gid://1", "gid://2", "gid://3"])
        let page = try await loader(exchange).products(matching: query)

        #expect(page.items.map(\.id) == ["gid://1"])
        #expect(page.rejected.map(\.index) == [2])
        #expect(
            try exchange.bodies(Document.self).map(\.variables.ids) == [
                ["gid://1", "gid://2", "gid://3"]
            ]
        )
    }

    @Test func `an error in a successful response is thrown with Shopify's message`() async {
        let error = await #expect(throws: NetworkError.self) {
            try await loader(Exchange(.json(ShopifyFixtures.throttled))).products()
        }

        #expect(error?.code == .throttled)
        #expect(error?.statusCode == 200)
        #expect(error?.problem?.detail == "Throttled")
    }

    @Test func `an error status code is thrown with Shopify's message`() async {
        let response = NetworkResponse.json(#"{"errors": "Not Found"}"#, statusCode: 404)

        let error = await #expect(throws: NetworkError.self) {
            try await loader(Exchange(response)).products()
        }

        #expect(error?.code == .notFound)
        #expect(error?.problem?.detail == "Not Found")
    }

    @Test func `an invalid member is reported with its complete path`() async {
        let response = NetworkResponse.json(
            ShopifyFixtures.data("product", ShopifyFixtures.product(amount: "true"))
        )

        let error = await #expect(throws: NetworkError.self) {
            try await loader(Exchange(response)).loadProduct(withID: "gid://1")
        }

        #expect(
            error?.debugDescription.contains("“data.product.priceRange.minVariantPrice.amount”")
                == true
        )
    }

    private struct Document: Decodable {
        struct Variables: Decodable {
            let id: String?
            let ids: [String]?
            let query: String?
            let first: Int?
            let after: String?
        }

        let variables: Variables
    }

    private func loader(_ exchange: Exchange) -> ProductLoader {
        let backend = ProductBackend.shopify(
            at: .store,
            networking: exchange.networking,
            retry: .none
        )
        return ProductService(backend).loader
    }
}
