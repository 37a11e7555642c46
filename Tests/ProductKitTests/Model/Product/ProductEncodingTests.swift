import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductEncodingTests {
    @Test func `properties that are nil are omitted`() throws {
        let json = try Product(id: "1", name: "Boots").encodedJSON()

        #expect(
            json
                == #"{"attributes":{},"id":"1","images":[],"isFavorite":false,"name":"Boots","prices":[]}"#
        )
    }

    @Test func `an encoded product is decoded equal`() throws {
        let product = try Product.complete

        let json = try product.encodedJSON()

        #expect(
            json == """
                {"attributes":{"country_of_origin":"IT"},"description":"Waterproof","id":"boots",\
                "images":["https://images.example/1.jpg"],"isAvailable":true,"isFavorite":true,\
                "name":"Boots","prices":[{"amount":"129.95","currency":"EUR"},\
                {"amount":"0.0000000001","currency":"BTC"}],"updatedAt":"2026-08-01T10:00:00.250Z",\
                "url":"https://shop.example/boots"}
                """
        )
        #expect(try Product.decoded(from: json) == product)
    }

    @Test func `a product is encoded as a property list and decoded equal`() throws {
        let product = try Product.complete

        let data = try PropertyListEncoder().encode(product)

        #expect(try PropertyListDecoder().decode(Product.self, from: data) == product)
    }

    @Test func `a product with a price that cannot be decoded is not encoded`() {
        let product = Product(
            id: "1",
            name: "A",
            prices: [Price(amount: .nan, currency: "EUR")]
        )

        #expect(throws: EncodingError.self) {
            try product.encodedJSON()
        }
    }
}

extension Product {
    fileprivate static var complete: Product {
        get throws {
            let page: URL = try #require(URL(string: "https://shop.example/boots"))
            return Product(
                id: "boots",
                name: "Boots",
                description: "Waterproof",
                prices: [
                    Price(minorUnits: 12995, currency: "EUR"),
                    try Price("0.0000000001", currency: "BTC"),
                ],
                images: [URL(string: "https://images.example/1.jpg")],
                url: page,
                isAvailable: true,
                isFavorite: true,
                updatedAt: Date(timeIntervalSince1970: 1_785_578_400.25),
                attributes: ["country_of_origin": "IT"]
            )
        }
    }
}
