import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProductListTests {
    @Test func `a list needs only an identity and a name`() {
        let list = ProductList(id: "1", name: "Wishes")

        #expect(list.products.isEmpty)
        #expect(list.updatedAt == nil)
        #expect(list.version == nil)
    }

    @Test func `every member is read`() throws {
        let list = try ProductList.reading(
            """
            {"id": 9, "name": "Wishes", "products": ["boots", 42],
             "updatedAt": "2026-08-01T10:00:00Z"}
            """
        )

        let updatedAt = Date(timeIntervalSince1970: 1_785_578_400)
        #expect(
            list
                == ProductList(
                    id: "9",
                    name: "Wishes",
                    products: ["boots", "42"],
                    updatedAt: updatedAt
                )
        )
    }

    @Test(arguments: ["products", "updatedAt", "unknown"])
    func `null is the same as absent`(member: String) throws {
        let json = #"{"id": "9", "name": "Wishes", "\#(member)": null}"#

        #expect(try ProductList.reading(json) == ProductList(id: "9", name: "Wishes"))
    }

    @Test(arguments: [
        (#""name": "A""#, "id"), (#""id": {}, "name": "A""#, "id"), (#""id": "1""#, "name"),
        (#""id": "1", "name": 5"#, "name"),
        (#""id": "1", "name": "A", "products": {}"#, "products"),
        (#""id": "1", "name": "A", "products": ["1", 1.5]"#, "products[1]"),
        (#""id": "1", "name": "A", "updatedAt": 5"#, "updatedAt"),
        (#""id": "1", "name": "A", "updatedAt": "2026-08-01""#, "updatedAt"),
    ])
    func `what is wrong with a list is named`(members: String, path: String) throws {
        let page = try Page<ProductList>.reading(#"{"items": [{\#(members)}]}"#)

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == [path])
    }

    @Test func `the version is no member of the JSON`() throws {
        let list = ProductList(id: "9", name: "Wishes", products: ["boots"], version: #""v1""#)

        let json = try list.written()

        #expect(json == #"{"id":"9","name":"Wishes","products":["boots"]}"#)
        #expect(
            try ProductList.reading(#"{"id": "9", "name": "Wishes", "version": "v1"}"#).version
                == nil
        )
    }

    @Test func `a list is read back equal, its products in order`() throws {
        let list = ProductList(
            id: "9",
            name: "Wishes",
            products: ["3", "1", "2", "1"],
            updatedAt: Date(timeIntervalSince1970: 1_785_578_400.5)
        )

        #expect(try ProductList.reading(list.written()) == list)
    }
}
