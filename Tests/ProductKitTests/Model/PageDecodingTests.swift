import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PageDecodingTests {
    @Test func `a page is read with its next and total`() throws {
        let page = try Page<Product>.reading(
            #"{"items": [{"id": 1, "name": "A"}], "next": "c2", "total": 41, "extra": []}"#
        )

        #expect(page == Page([Product(id: "1", name: "A")], next: "c2", total: 41))
    }

    @Test(arguments: [
        #"{"items": []}"#, #"{"items": [], "next": null, "total": null}"#,
        #"{"items": [], "next": ""}"#,
    ])
    func `absent, null and an empty next mean the last page`(json: String) throws {
        #expect(try Page<Product>.reading(json) == Page([]))
    }

    @Test func `a bare array is a page of which no more is known`() throws {
        let page = try Page<Product>.reading(#"[{"id": 1, "name": "A"}, {"id": 2}]"#)

        let rejected = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        #expect(page == Page([Product(id: "1", name: "A")], rejected: [rejected]))
    }

    @Test func `a bad element costs no other`() throws {
        let page = try Page<Product>.reading(
            """
            {"items": [{"id": 1, "name": "A"}, {"id": 2}, {"id": 3, "name": "C"}], "next": "c2"}
            """
        )

        let rejected = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        let items = [Product(id: "1", name: "A"), Product(id: "3", name: "C")]
        #expect(page == Page(items, next: "c2", rejected: [rejected]))
    }

    @Test func `every bad element is told with its place on the page`() throws {
        let page = try Page<Product>.reading(
            """
            {"items": [{"name": "A"}, null, {"id": 3, "name": "C"}, 4, {"id": 5, "name": "E",
             "prices": [{"amount": "1", "currency": "EUR"}, {"amount": "x", "currency": "EUR"}]}]}
            """
        )

        #expect(page.items.map(\.id) == ["3"])
        #expect(page.rejected.map(\.index) == [0, 1, 3, 4])
        #expect(page.rejected.map(\.member) == ["id", "", "", "prices[1].amount"])
        #expect(page.rejected.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func `a page of nothing but bad elements has no items`() throws {
        let page = try Page<Product>.reading(#"{"items": [null, [], ""], "next": "c2"}"#)

        #expect(page.items == [])
        #expect(page.next == "c2")
        #expect(page.rejected.map(\.index) == [0, 1, 2])
    }

    @Test func `the path to a member begins at its element, however deep the page stands`() throws {
        let answer = try [String: Page<Product>].reading(
            #"{"data": {"items": [{"id": 1, "name": "A", "attributes": {"size": 42}}]}}"#
        )

        #expect(answer["data"]?.rejected.map(\.member) == ["attributes.size"])
    }

    @Test func `an element that throws an error of its own is rejected like any other`() throws {
        let page = try Page<Weight>.reading(#"{"items": ["1.5", "heavy", "2"]}"#)

        let rejected = RejectedElement(
            index: 1,
            member: "",
            reason: InvalidPrice.amount("heavy").localizedDescription
        )
        #expect(page.items.map(\.grams) == ["1.5", "2"])
        #expect(page.rejected == [rejected])
    }

    @Test(arguments: [
        "{}", #"{"items": null}"#, #"{"items": {}}"#, #"{"items": "1"}"#, "7", "null", "true",
        #""items""#, "", #"{"items": [], "next": 2}"#, #"{"items": [], "total": "41"}"#,
        #"{"items": [], "total": 1.5}"#, #"{"items": [{"id": 1, "name": "A"}"#,
    ])
    func `what is no page is an error`(json: String) {
        #expect(throws: DecodingError.self) {
            try Page<Product>.reading(json)
        }
    }
}

/// A stranger's element, whose decoding throws what it likes.
private struct Weight: Decodable {
    let grams: String

    init(from decoder: any Decoder) throws {
        grams = try decoder.singleValueContainer().decode(String.self)
        _ = try Price(grams, currency: "XXX")
    }
}
