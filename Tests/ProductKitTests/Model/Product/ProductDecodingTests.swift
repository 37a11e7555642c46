import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductDecodingTests {
    @Test func `every member is decoded`() throws {
        let product = try Product.decoded(
            from: """
                {"id": "boots", "name": "Boots", "description": "Waterproof", "prices":
                 [{"amount": "129.95", "currency": "EUR"}, {"amount": 149, "currency": "USD"}],
                 "images": ["https://images.example/1.jpg", "https://images.example/2.jpg"],
                 "url": "https://shop.example/boots?a=1&b=2", "isAvailable": false,
                 "isFavorite": true, "updatedAt": "2026-08-01T12:00:00+02:00",
                 "attributes": {"brand": "Fell", "country_of_origin": ""}}
                """
        )

        let page: URL = try #require(URL(string: "https://shop.example/boots?a=1&b=2"))
        #expect(
            product
                == Product(
                    id: "boots",
                    name: "Boots",
                    description: "Waterproof",
                    prices: [
                        Price(minorUnits: 12995, currency: "EUR"),
                        Price(amount: 149, currency: "USD"),
                    ],
                    images: [
                        URL(string: "https://images.example/1.jpg"),
                        URL(string: "https://images.example/2.jpg"),
                    ],
                    url: page,
                    isAvailable: false,
                    isFavorite: true,
                    updatedAt: Date(timeIntervalSince1970: 1_785_578_400),
                    attributes: ["brand": "Fell", "country_of_origin": ""]
                )
        )
    }

    @Test(arguments: [
        "description", "prices", "images", "url", "isAvailable", "isFavorite", "updatedAt",
        "attributes", "unknown",
    ])
    func `null is the same as an absent member`(member: String) throws {
        let json = #"{"id": 7, "name": "Boots", "\#(member)": null}"#

        #expect(try Product.decoded(from: json) == Product(id: "7", name: "Boots"))
    }

    // Rule: json/null-means-absent (2)
    @Test(
        arguments: [
            ("description", Product.Members.description), ("prices", .prices), ("images", .images),
            ("url", .url), ("isAvailable", .isAvailable), ("isFavorite", .isFavorite),
            ("updatedAt", .updatedAt), ("attributes", .attributes),
        ],
        [#""""#, "[]", "{}", "false"]
    )
    func `every empty value means no value`(
        member: (name: String, known: Product.Members),
        value: String
    ) throws {
        let json = #"{"id": 7, "name": "Boots", "\#(member.name)": \#(value)}"#

        let product = try Product.decoded(from: json)

        #expect(product.prices == [] && product.images == [] && product.attributes == [:])
        #expect(product.url == nil && product.updatedAt == nil && !product.isFavorite)
        #expect(product.description == nil && product.isAvailable != true)
        #expect(product.invalidMembers == [])
        #expect(product.unknownMembers.isDisjoint(with: member.known))
    }

    @Test func `unknown members are ignored`() throws {
        let json = #"{"sku": [{"deep": null}], "id": "1", "name": "", "Name": 3, "": {}}"#

        #expect(try Product.decoded(from: json) == Product(id: "1", name: ""))
    }

    @Test func `empty arrays and objects are decoded as empty`() throws {
        let json = #"{"id": "1", "name": "A", "prices": [], "images": [], "attributes": {}}"#

        #expect(try Product.decoded(from: json) == Product(id: "1", name: "A"))
    }

    @Test func `an empty string in place of a URL is the same as no URL`() throws {
        let json = #"{"id": "1", "name": "A", "url": "", "images": ["", "a.jpg", ""]}"#

        let product = try Product.decoded(from: json)

        #expect(product.url == nil)
        #expect(product.images.map(\.absoluteString) == ["a.jpg"])
    }

    @Test func `an attribute that is null is ignored`() throws {
        let json = #"{"id": "1", "name": "A", "attributes": {"brand": null, "size": "42"}}"#

        #expect(try Product.decoded(from: json).attributes == ["size": "42"])
    }

    @Test func `the decoder’s key strategy applies to the names of attributes`() throws {
        let json =
            #"{"id": "1", "name": "A", "is_favorite": true, "attributes": {"shoe_size": "42"}}"#
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase

        let product = try decoder.decode(Product.self, from: Data(json.utf8))

        #expect(product.isFavorite)
        #expect(product.attributes == ["shoeSize": "42"])
    }

    @Test func `a product accepts every format of a price`() throws {
        let product = try Product.decoded(
            from: """
                {"id": "1", "name": "A", "prices": [
                 {"amount": 5.99, "currency": "usd"},
                 {"centAmount": 4200, "fractionDigits": 2, "currencyCode": "EUR"},
                 {"minorUnits": 800, "currency": "JPY"}]}
                """
        )

        #expect(
            product.prices == [
                Price(minorUnits: 599, currency: "USD"), Price(amount: 42, currency: "EUR"),
                Price(amount: 800, currency: "JPY"),
            ]
        )
    }

    @Test(arguments: [
        (#""name": "A""#, "id"), (#""id": null, "name": "A""#, "id"),
        (#""id": 1.5, "name": "A""#, "id"), (#""id": true, "name": "A""#, "id"),
        (#""id": "1""#, "name"), (#""id": "1", "name": null"#, "name"),
        (#""id": "1", "name": {"en": "A"}"#, "name"),
    ])
    func `id and name are required`(members: String, name: String) throws {
        let page = try Page<Product>.decoded(from: #"{"items": [{\#(members)}]}"#)

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == [name])
    }

    // Rule: json/invalid-price-loses-product (17)
    @Test(arguments: [
        (#""prices": {"amount": "1"}"#, "prices"), (#""prices": "1 EUR""#, "prices"),
        (#""prices": [null]"#, "prices[0]"),
        (
            #""prices": [{"amount": "1", "currency": "EUR"}, {"currency": "EUR"}]"#,
            "prices[1].amount"
        ),
        (#""prices": [{"amount": "1,5", "currency": "EUR"}]"#, "prices[0].amount"),
        (#""prices": [{"amount": 1e400, "currency": "EUR"}]"#, "prices[0].amount"),
        (#""prices": [{"centAmount": 0.5, "currency": "EUR"}]"#, "prices[0].centAmount"),
        (#""prices": [{"amount": "1", "currency": "EURO"}]"#, "prices[0].currency"),
    ])
    func `an invalid price is rejected with its path`(member: String, path: String) throws {
        let page = try Page<Product>.decoded(
            from: #"{"items": [{"id": 1, "name": "A", \#(member)}]}"#
        )

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == [path])
    }

    @Test(arguments: ["null", "[]", "3", #""boots""#, ""])
    func `only an object is accepted as a product`(json: String) {
        #expect(throws: DecodingError.self) {
            try Product.decoded(from: json)
        }
    }
}
