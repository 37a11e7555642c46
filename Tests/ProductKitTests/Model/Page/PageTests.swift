import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PageTests {
    @Test func `a page without a cursor is the last page`() {
        let page = Page(["boots"])

        #expect(page.items == ["boots"])
        #expect(page.next == nil)
        #expect(page.total == nil)
        #expect(page.rejected.isEmpty)
    }

    @Test func `a string literal is a cursor`() {
        let page = Page(["boots"], next: "2", total: 7)

        #expect(page.next == "2")
        #expect(page.next?.rawValue == "2")
        #expect(page.total == 7)
    }

    @Test func `pages differ by items, next, total and rejected elements`() {
        let rejected = RejectedElement(index: 0, member: "name", reason: "It is missing.")

        let pages: Set = [
            Page(["boots"]), Page(["hats"]), Page(["boots"], next: "2"),
            Page(["boots"], total: 1), Page(["boots"], rejected: [rejected]), Page(["boots"]),
        ]

        #expect(pages.count == 5)
    }

    @Test(arguments: ["2", "offset=40", "https://shop.example/products?cursor=a%2Fb", ""])
    func `a cursor is encoded as a JSON string and decoded unchanged`(text: String) throws {
        let cursor = PageCursor(rawValue: text)

        #expect(try cursor.encodedJSON() == text.encodedJSON())
        #expect(try PageCursor.decoded(from: cursor.encodedJSON()) == cursor)
    }

    @Test(arguments: ["2", "null", "{}", "[]", "true"])
    func `only a string is accepted as a cursor`(json: String) {
        #expect(throws: DecodingError.self) {
            try PageCursor.decoded(from: json)
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct PageMappingTests {
    @Test func `every element is converted, and next and total are unchanged`() {
        let page = Page([1, 2], next: "3", total: 9).map(String.init)

        #expect(page == Page(["1", "2"], next: "3", total: 9))
    }

    @Test func `an element that cannot be converted is rejected`() {
        let page = Page(["1.00", "x", "2.00"]).map { text in
            try MemberPath("price").reading { try Price(text, currency: "EUR") }
        }

        #expect(page.items.map(\.amount) == [1, 2])
        #expect(page.rejected.map(\.index) == [1])
        #expect(page.rejected.map(\.member) == ["price"])
        #expect(page.rejected.first?.reason.contains("“x” is not an amount of money") == true)
    }

    // Rule: json/mapping-names-the-member (14)
    @Test func `the member is named also when a NetworkError was thrown`() throws {
        let response = try NetworkResponse(json: ["offer": ["price": "x"]])

        let page = Page([1]).map { _ in try response.json(Int.self, at: "offer.price") }

        #expect(page.rejected.map(\.member) == ["offer.price"])
        #expect(page.rejected.first?.reason.hasPrefix("The response") == false)
        #expect(page.rejected.first?.reason.isEmpty == false)
    }

    @Test func `a NetworkError without a member gives the reason`() {
        let page = Page([1]).map { _ -> Int in throw NetworkError(.timedOut) }

        #expect(page.rejected.map(\.member) == [""])
        #expect(page.rejected.map(\.reason) == [NetworkError(.timedOut).localizedDescription])
    }

    @Test func `elements without a result are left out, and the total is not known then`() {
        let page = Page([1, 2, 3], next: "c", total: 9)

        let odd: Page<Int> = page.compactMap { number in
            guard number < 3 else { throw UnsupportedOperation("3") }
            return number == 2 ? nil : number
        }
        let all = page.compactMap { $0 }

        #expect(odd.items == [1] && odd.rejected.map(\.index) == [2])
        #expect(odd.next == "c" && odd.total == nil && all == page)
    }

    @Test func `indices include the elements that were rejected before`() {
        let rejected = [0, 3].map { RejectedElement(index: $0, member: "id", reason: "?") }
        let page = Page(["a", "b", "c"], rejected: rejected).map { text in
            guard text == "b" else { throw UnsupportedOperation(text) }
            return text
        }

        #expect(page.items == ["b"])
        #expect(page.rejected.map(\.index) == [0, 1, 3, 4])
        #expect(page.rejected[1].reason.contains("“a”"))
        #expect(page.rejected[3].reason.contains("“c”"))
    }
}
