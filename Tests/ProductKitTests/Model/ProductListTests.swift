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
        (#""id": "1", "name": "A", "products": {"1": "boots"}"#, "products"),
        (#""id": "1", "name": "A", "products": ["1", 1.5]"#, "products[1]"),
    ])
    func `an invalid list is rejected with the path of the member`(
        members: String,
        path: String
    ) throws {
        let page = try Page<ProductList>.decoded(from: #"{"items": [{\#(members)}]}"#)

        #expect(page.items == [])
        #expect(page.rejected.map(\.member) == [path])
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test(arguments: ["5", #""2026-08-01""#, #""2026-08-01 10:00:00""#, "[1]", "true"])
    func `a date that cannot be decoded does not lose a list`(date: String) throws {
        let page = try Page<ProductList>.decoded(
            from: #"{"items": [{"id": 9, "name": "Camping", "updatedAt": \#(date)}]}"#
        )

        #expect(page.items == [ProductList(id: "9", name: "Camping")] && page.rejected == [])
        #expect(page.items.first?.invalidMembers.map(\.path) == ["updatedAt"])
        #expect(page.items.first?.invalidMembers.allSatisfy { !$0.reason.isEmpty } == true)
    }

    // Rule: json/absent-member-is-unknown (12)
    @Test(arguments: [#""""#, "[]", "{}", "false"])
    func `an empty value is the same as an absent member`(value: String) throws {
        let json = #"{"id": "9", "name": "Camping", "products": \#(value), "updatedAt": \#(value)}"#
        let list = try ProductList.decoded(from: json)

        #expect(list == ProductList(id: "9", name: "Camping") && list.invalidMembers == [])
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
