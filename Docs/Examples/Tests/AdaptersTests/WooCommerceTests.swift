import Adapters
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct WooCommerceTests {
    @Test func `a product of WooCommerce is decoded`() async throws {
        let exchange = Exchange(.json(WooCommerceFixtures.product(794)))

        let product = try await loader(exchange).loadProduct(withID: "794")

        #expect(exchange.lines == ["GET /products/794"])
        #expect(
            product
                == Product(
                    id: "794",
                    name: "Enamel Mug",
                    description: "Holds 400 ml.",
                    prices: [try Price("12.50", currency: "EUR")],
                    images: [URL(string: "https://shop.example/mug.jpg")].compactMap(\.self),
                    url: URL(string: "https://shop.example/product/enamel-mug/"),
                    isAvailable: true,
                    updatedAt: Date(timeIntervalSince1970: 1_711_224_074),
                    attributes: ["sku": "MUG-1"]
                )
        )
    }

    @Test func `a product without a price has no prices`() async throws {
        let exchange = Exchange(.json(WooCommerceFixtures.product(1, price: "")))

        #expect(try await loader(exchange).loadProduct(withID: "1").prices.isEmpty)
    }

    @Test func `a missing product is reported with its identifier`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.missing, statusCode: 404))

        await #expect(throws: ProductError.notFound("9")) {
            try await loader(exchange).loadProduct(withID: "9")
        }
    }

    @Test func `a 404 for an unknown route is not reported as a missing product`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.noRoute, statusCode: 404))

        let error = await #expect(throws: NetworkError.self) {
            try await loader(exchange).loadProduct(withID: "9")
        }

        #expect(error?.code == .unexpected)
        #expect(error?.statusCode == 404)
        #expect(error?.problem?.type == "rest_no_route")
    }

    @Test func `an invalid price of a product is reported with its member`() async {
        let exchange = Exchange(.json(WooCommerceFixtures.product(1, price: "12,50")))

        let error = await #expect(throws: NetworkError.self) {
            try await loader(exchange).loadProduct(withID: "1")
        }

        #expect(error?.code == .unreadable)
        #expect(error?.localizedDescription.contains("“price”") == true)
    }

    @Test func `pages are loaded with Link fields, and the total is a header field`() async throws {
        let link = """
            <https://shop.example/api/products?page=1>; rel="prev", \
            <https://shop.example/api/products?per_page=2&page=3>; rel="next"
            """
        let exchange = Exchange(
            .json(
                "[\(WooCommerceFixtures.product(1)), \(WooCommerceFixtures.product(2))]",
                headers: ["Link": link, "X-WP-Total": "5", "X-WP-TotalPages": "3"]
            ),
            .json("[\(WooCommerceFixtures.product(3))]")
        )
        let loader = loader(exchange)

        let query = ProductQuery(text: "mug & co", limit: 2)
        let first = try await loader.products(matching: query)
        let second = try await loader.products(matching: query, after: first.next)

        #expect(first.items.map(\.id) == ["1", "2"])
        #expect(first.total == 5)
        #expect(second.items.map(\.id) == ["3"])
        #expect(second.next == nil)
        #expect(
            exchange.lines == [
                "GET /products?search=mug%20%26%20co&per_page=2",
                "GET /products?search=mug%20%26%20co&per_page=2&page=3",
            ]
        )
    }

    // Rule: security/next-page-on-same-host (32)
    @Test func `a next page on another origin is not requested`() async throws {
        let link = "<https://elsewhere.example/api/products?page=2>; rel=\"next\""
        let exchange = Exchange(.json("[]", headers: ["Link": link]))
        let loader = loader(exchange)

        let next = try await loader.products().next
        let error = await #expect(throws: NetworkError.self) {
            try await loader.products(after: next)
        }

        #expect(next != nil)
        #expect(error?.code == .redirect)
        #expect(exchange.lines.count == 1)
    }

    @Test func `several products are requested by their identifiers`() async throws {
        let exchange = Exchange(.json("[]"))

        _ = try await loader(exchange).products(matching: ProductQuery(ids: ["1", "2", "3"]))

        #expect(exchange.lines == ["GET /products?include=1%2C2%2C3&per_page=3"])
    }

    @Test func `an invalid product is rejected, and the others are returned`() async throws {
        let exchange = Exchange(
            .json(
                """
                [\(WooCommerceFixtures.product(1)), {"id": 2},
                 \(WooCommerceFixtures.product(3, price: "free")), \(WooCommerceFixtures.product(4))]
                """
            )
        )

        let page = try await loader(exchange).products()

        #expect(page.items.map(\.id) == ["1", "4"])
        #expect(page.rejected.map(\.index) == [1, 2])
        #expect(page.rejected.map(\.member) == ["name", "price"])
        #expect(page.rejected.last?.reason.contains("“free” is not an amount of money") == true)
    }

    private func loader(_ exchange: Exchange) -> ProductLoader {
        let backend = ProductBackend.wooCommerce(
            at: .store,
            currency: "EUR",
            networking: exchange.networking,
            retry: .none
        )
        return ProductService(backend).loader
    }
}
