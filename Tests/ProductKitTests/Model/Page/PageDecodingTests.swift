import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PageDecodingTests {
    @Test func `a page is decoded with its next and total`() throws {
        let page = try Page<Product>.decoded(
            from: #"{"items": [{"id": 1, "name": "A"}], "next": "c2", "total": 41, "extra": []}"#
        )

        #expect(page == Page([Product(id: "1", name: "A")], next: "c2", total: 41))
    }

    @Test(arguments: [
        #"{"items": []}"#, #"{"items": [], "next": null, "total": null}"#,
        #"{"items": [], "next": ""}"#,
    ])
    func `a page without a next, or with an empty one, is the last page`(json: String) throws {
        #expect(try Page<Product>.decoded(from: json) == Page([]))
    }

    @Test func `an array is a page without next and total`() throws {
        let page = try Page<Product>.decoded(from: #"[{"id": 1, "name": "A"}, {"id": 2}]"#)

        let rejected = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        #expect(page == Page([Product(id: "1", name: "A")], rejected: [rejected]))
    }

    // Rule: json/bad-element-is-reported (5)
    @Test func `an invalid element does not affect other elements`() throws {
        let page = try Page<Product>.decoded(
            from: """
                {"items": [{"id": 1, "name": "A"}, {"id": 2}, {"id": 3, "name": "C"}], "next": "c2"}
                """
        )

        let rejected = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        let items = [Product(id: "1", name: "A"), Product(id: "3", name: "C")]
        #expect(page == Page(items, next: "c2", rejected: [rejected]))
    }

    // Rule: json/bad-element-is-reported (5)
    @Test func `every invalid element is reported with its index on the page`() throws {
        let page = try Page<Product>.decoded(
            from: """
                {"items": [{"name": "A"}, null, {"id": 3, "name": "C"}, 4, {"id": 5, "name": "E",
                 "prices": [{"amount": "1", "currency": "EUR"}, {"amount": "x", "currency": "EUR"}]}]}
                """
        )

        #expect(page.items.map(\.id) == ["3"])
        #expect(page.rejected.map(\.index) == [0, 1, 3, 4])
        #expect(page.rejected.map(\.member) == ["id", "", "", "prices[1].amount"])
        #expect(page.rejected.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func `a page of invalid elements has no items`() throws {
        let page = try Page<Product>.decoded(from: #"{"items": [null, [], ""], "next": "c2"}"#)

        #expect(page.items == [])
        #expect(page.next == "c2")
        #expect(page.rejected.map(\.index) == [0, 1, 2])
    }

    @Test func `the path of a rejected member begins at its element`() throws {
        let pages = try [String: Page<Product>].decoded(
            from:
                #"{"data": {"items": [{"id": 1, "name": "A", "prices": [{"amount": [], "currency": "EUR"}]}]}}"#
        )

        #expect(pages["data"]?.rejected.map(\.member) == ["prices[0].amount"])
    }

    @Test func `an element whose decoding throws a custom error is rejected`() throws {
        let page = try Page<Weight>.decoded(from: #"{"items": ["1.5", "heavy", "2"]}"#)

        let rejected = RejectedElement(
            index: 1,
            member: "",
            reason: InvalidPrice.amount("heavy").debugDescription
        )
        #expect(page.items.map(\.grams) == ["1.5", "2"])
        #expect(page.rejected == [rejected])
    }

    // Rule: json/empty-page-forms (19)
    @Test(arguments: [#"{"items": null}"#, #"{"items": null, "next": null, "total": 0}"#, "null"])
    func `null in place of the elements is an empty page`(json: String) throws {
        let page = try Page<Product>.decoded(from: json)

        #expect(page.items == [] && page.rejected == [] && page.next == nil)
    }

    // Rule: json/page-members-are-lenient (20)
    @Test(arguments: [
        ("74", 74), (#""74""#, 74), (#""0""#, 0), ("null", nil), (#""many""#, nil), ("1.5", nil),
        (#""7 4""#, nil), ("[]", nil), ("true", nil), ("1e300", nil), ("0", 0), ("-1", nil),
        (#""-1""#, nil), ("-9223372036854775808", nil),
    ])
    func `a total may be text, and an invalid one is reported`(json: String, total: Int?) throws {
        let page = try Page<Product>.decoded(
            from: #"{"items": [{"id": 1, "name": "A"}], "total": \#(json), "next": "2"}"#
        )

        #expect(page.items.count == 1 && page.next == "2" && page.total == total)
        let isReported = total == nil && json != "null"
        #expect(page.invalidMembers.map(\.path) == (isReported ? ["total"] : []))
    }

    // Rule: json/page-members-are-lenient (20)
    @Test(arguments: [
        (#""c2""#, "c2"), ("2", "2"), (#""""#, nil), ("null", nil), ("false", nil), ("[]", nil),
        ("{}", nil),
    ])
    func `a cursor may be an integer or any empty value`(json: String, next: PageCursor?) throws {
        let page = try Page<Product>.decoded(from: #"{"items": [], "next": \#(json)}"#)

        #expect(page.next == next)
    }

    @Test(arguments: [
        "{}", #"{"items": {}}"#, #"{"items": "1"}"#, "7", "true", #""items""#, "",
        #"{"items": [], "next": 1.5}"#, #"{"items": [], "next": true}"#,
        #"{"items": [], "next": {"page": 2}}"#, #"{"items": [{"id": 1, "name": "A"}"#,
    ])
    func `a value that is not a page is an error`(json: String) {
        #expect(throws: DecodingError.self) {
            try Page<Product>.decoded(from: json)
        }
    }
}

/// An element whose decoding throws an error other than `DecodingError`.
private struct Weight: Decodable {
    let grams: String

    init(from decoder: any Decoder) throws {
        grams = try decoder.singleValueContainer().decode(String.self)
        _ = try Price(grams, currency: "XXX")
    }
}
