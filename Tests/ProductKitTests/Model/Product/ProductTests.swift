import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductTests {
    private let euros = Price(minorUnits: 1999, currency: "EUR")
    private let dollars = Price(minorUnits: 2199, currency: "USD")

    @Test func `a product requires only an identifier and a name`() {
        let product = Product(id: "1", name: "Boots")

        #expect(product.description == nil)
        #expect(product.prices.isEmpty)
        #expect(product.images.isEmpty)
        #expect(product.url == nil)
        #expect(product.isAvailable == nil)
        #expect(product.isFavorite == false)
        #expect(product.updatedAt == nil)
        #expect(product.attributes.isEmpty)
    }

    // Rule: json/absent-parts-are-left-out (22)
    @Test func `what is absent or there already is left out of a new product`() throws {
        let (front, back) = (URL(string: "https://a.example/1"), URL(string: "https://a.example/2"))
        let (noPrice, noText): (Price?, String?) = (nil, nil)

        let product = Product(
            id: "1",
            name: "Boots",
            description: "",
            prices: [noPrice, euros],
            images: [back, nil, front, back],
            attributes: ["brand": noText, "sku": "7"]
        )

        #expect(product.prices == [euros] && product.attributes == ["sku": "7"])
        #expect(product.images == [back, front].compactMap(\.self))
        #expect(product.description == nil)
    }

    // Rule: json/absent-parts-are-left-out (22)
    @Test(arguments: [("19.99", "EUR"), (nil, "EUR"), ("19.99", nil), (nil, nil), (nil, "?")])
    func `a price without an amount or a currency is none`(
        text: String?,
        currency: String?
    ) throws {
        let price = text == nil || currency == nil ? nil : euros

        #expect(try Price(text, currency: currency) == price)
        #expect(Price(amount: text.flatMap { Decimal(string: $0) }, currency: currency) == price)
        let cents: Int64? = text == nil ? nil : 1999
        #expect(try Price(minorUnits: cents, validating: currency) == price)
        #expect(throws: InvalidPrice.amount("?")) { try Price(Optional("?"), currency: "EUR") }
    }

    @Test(arguments: ["USD", "usd", "Usd"])
    func `a price is found by its currency in upper or lower case`(currency: String) {
        let product = Product(id: "1", name: "Boots", prices: [euros, dollars])

        #expect(product.price(in: currency) == dollars)
    }

    @Test(arguments: ["JPY", "", "US"])
    func `a product has no price in another currency`(currency: String) {
        let product = Product(id: "1", name: "Boots", prices: [euros, dollars])

        #expect(product.price(in: currency) == nil)
    }

    @Test func `the first of two prices in one currency is returned`() {
        let sale = Price(minorUnits: 999, currency: "EUR")

        let product = Product(id: "1", name: "Boots", prices: [sale, euros])

        #expect(product.price(in: "EUR") == sale)
    }

    @Test func `a free product has a price of zero`() {
        let product = Product(id: "1", name: "Leaflet", prices: [Price(amount: 0, currency: "EUR")])

        #expect(product.price(in: "EUR")?.amount == 0)
    }

    @Test func `a change of a copy does not change the original`() {
        let product = Product(id: "1", name: "Boots")

        var copy = product
        copy.isFavorite = true

        #expect(product.isFavorite == false)
        #expect(copy != product)
        #expect(copy.id == product.id)
    }
}
