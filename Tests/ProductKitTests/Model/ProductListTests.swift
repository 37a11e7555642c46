import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductListTests {
    @Test func `a list requires only an identifier and a name`() {
        let list = ProductList(id: "1", name: "Camping")

        #expect(list.products.isEmpty)
        #expect(list.updatedAt == nil)
        #expect(list.version == nil)
    }

    @Test func `every member is decoded`() throws {
        let list = try ProductList.decoded(
            from: """
                {"id": 9, "name": "Camping", "products": ["boots", 42],
                 "updatedAt": "2026-08-01T10:00:00Z"}
                """
        )

        let updatedAt = Date(timeIntervalSince1970: 1_785_578_400)
        #expect(
            list
                == ProductList(
                    id: "9",
                    name: "Camping",
                    products: ["boots", "42"],
                    updatedAt: updatedAt
                )
        )
    }

    @Test(arguments: ["products", "updatedAt", "unknown"])
    func `null is the same as an absent member`(member: String) throws {
        let json = #"{"id": "9", "name": "Camping", "\#(member)": null}"#

        #expect(try ProductList.decoded(from: json) == ProductList(id: "9", name: "Camping"))
    }

    @Test(arguments: [
        (#""name": "A""#, "id"), (#""id": {}, "name": "A""#, "id"), (#""id": "1""#, "name"),
        (#""id": "1", "name": 5"#, "name"),
        (#""id": "1", "name": "A", "products": {}"#, "products"),
        (#""id": "1", "name": "A", "products": ["1", 1.5]"#, "products[1]"),
        (#""id": "1", "name": "A", "updatedAt": 5"#, "updatedAt"),
        (#""id": "1", "name": "A", "updatedAt": "2026-08-01""#, "updatedAt"),
    ])
    func `an invalid list is rejected with the path of the member`(
        members: String,
        path: String
    ) throws {
        let page = try Page<ProductList>.decoded(from: #"{"items": [{\#(members)}]}"#)

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == [path])
    }

    @Test func `the version is not a member of the JSON`() throws {
        let list = ProductList(id: "9", name: "Camping", products: ["boots"], version: #""v1""#)

        let json = try list.encodedJSON()

        #expect(json == #"{"id":"9","name":"Camping","products":["boots"]}"#)
        #expect(
            try ProductList.decoded(from: #"{"id": "9", "name": "Camping", "version": "v1"}"#)
                .version
                == nil
        )
    }

    @Test func `an encoded list is decoded equal, with its products in order`() throws {
        let list = ProductList(
            id: "9",
            name: "Camping",
            products: ["3", "1", "2", "1"],
            updatedAt: Date(timeIntervalSince1970: 1_785_578_400.5)
        )

        #expect(try ProductList.decoded(from: list.encodedJSON()) == list)
    }
}
