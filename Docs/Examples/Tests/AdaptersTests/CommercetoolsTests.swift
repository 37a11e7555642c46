import Adapters
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct CommercetoolsTests {
    @Test func `a product of commercetools is decoded`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.product("e7ba-1")))

        let product = try await loader(exchange, language: "de").loadProduct(withID: "e7ba-1")

        #expect(exchange.lines == ["GET /product-projections/e7ba-1"])
        #expect(
            product
                == Product(
                    id: "e7ba-1",
                    name: "Becher",
                    description: "Holds 400 ml.",
                    prices: [
                        try Price("12.50", currency: "EUR"),
                        try Price("0.0123456", currency: "USD"),
                    ],
                    images: [URL(string: "https://shop.example/mug.jpg")].compactMap(\.self),
                    isAvailable: true,
                    updatedAt: product.updatedAt,
                    attributes: ["sku": "MUG-1"]
                )
        )
        let updatedAt = try #require(product.updatedAt).timeIntervalSince1970
        #expect(abs(updatedAt - 1_704_641_150.034) < 0.001)
    }

    @Test func `the next page starts at the end of the previous page`() async throws {
        let exchange = Exchange(
            .json(
                CommercetoolsFixtures.page(
                    CommercetoolsFixtures.product("a"),
                    #"{"id": "b"}"#,
                    total: 3
                )
            ),
            .json(
                CommercetoolsFixtures.page(CommercetoolsFixtures.product("c"), offset: 2, total: 3)
            )
        )
        let loader = loader(exchange)

        let first = try await loader.products(matching: ProductQuery(text: "mug", limit: 2))
        let second = try await loader.products(matching: "mug", after: first.next)

        #expect(first.items.map(\.id) == ["a"])
        #expect(first.next == "2")
        #expect(first.total == 3)
        #expect(first.rejected.map(\.index) == [1])
        #expect(first.rejected.map(\.member) == ["name"])
        #expect(second.items.map(\.id) == ["c"])
        #expect(second.next == nil)
        #expect(
            exchange.lines == [
                "GET /product-projections/search?limit=2&text.en=mug",
                "GET /product-projections/search?text.en=mug&offset=2",
            ]
        )
    }

    @Test func `an empty page is the last page, whatever the total`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.page(total: 3)))

        #expect(try await loader(exchange).products().next == nil)
    }

    @Test func `several products are requested by their escaped identifiers`() async throws {
        let exchange = Exchange(.json(CommercetoolsFixtures.page(total: 0)))

        _ = try await loader(exchange).products(matching: ProductQuery(ids: ["a", "b\"c"]))

        let filter = "id%3A%22a%22%2C%22b%5C%22c%22"
        #expect(
            exchange.lines == ["GET /product-projections/search?filter.query=\(filter)&limit=2"]
        )
    }

    @Test func `an invalid price is reported with its complete path`() async throws {
        let product = CommercetoolsFixtures.product("a").replacing("1300", with: "13.5")
        let exchange = Exchange(.json(CommercetoolsFixtures.page(product, total: 1)))

        let page = try await loader(exchange).products()

        #expect(page.rejected.map(\.member) == ["masterVariant.prices[0].value.centAmount"])
    }

    @Test func `a text falls back to another language`() async throws {
        let names = [
            #"{"fr": "Tasse", "it": "Tazza"}"#: "Tasse", #"{"cs": "Hrnek", "en": "Mug"}"#: "Mug",
            "{}": "",
        ]
        for (name, shown) in names {
            let exchange = Exchange(.json(CommercetoolsFixtures.product("a", name: name)))
            let product = try await loader(exchange, language: "de").loadProduct(withID: "a")
            #expect(product.name == shown)
        }
    }

    @Test func `errors contain the messages and codes of commercetools`() async {
        let responses = [
            NetworkResponse.json(
                CommercetoolsFixtures.error(401, "invalid_token", "invalid_token"),
                statusCode: 401
            ),
            .json(CommercetoolsFixtures.error(400, "InvalidInput", "Bad offset"), statusCode: 400),
            NetworkResponse(statusCode: 503, body: Data("<html>".utf8)),
        ]
        let expected: [(NetworkError.Code, String?)] = [
            (.unauthorized, "invalid_token"), (.rejected, "InvalidInput"), (.unavailable, nil),
        ]
        for (response, (code, type)) in zip(responses, expected) {
            let error = await #expect(throws: NetworkError.self) {
                try await loader(Exchange(response)).products()
            }
            #expect(error?.code == code)
            #expect(error?.problem?.type == type)
        }
    }

    @Test func `a missing product is reported with its identifier`() async {
        let response = CommercetoolsFixtures.error(404, "ResourceNotFound")

        await #expect(throws: ProductError.notFound("x/y")) {
            let exchange = Exchange(.json(response, statusCode: 404))
            defer { #expect(exchange.lines == ["GET /product-projections/x%2Fy"]) }
            return try await loader(exchange).loadProduct(withID: "x/y")
        }
    }

    private func loader(_ exchange: Exchange, language: String = "en") -> ProductLoader {
        let backend = ProductBackend.commercetools(
            at: .store,
            language: language,
            networking: exchange.networkingOfGuest,
            retry: .none
        )
        return ProductService(backend).loader
    }
}
