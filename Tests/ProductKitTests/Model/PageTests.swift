import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PageTests {
    @Test func `a page is the last unless it names the next`() {
        let page = Page(["boots"])

        #expect(page.items == ["boots"])
        #expect(page.next == nil)
        #expect(page.total == nil)
        #expect(page.rejected.isEmpty)
    }

    @Test func `a literal names the next page`() {
        let page = Page(["boots"], next: "2", total: 7)

        #expect(page.next == "2")
        #expect(page.next?.rawValue == "2")
        #expect(page.total == 7)
    }

    @Test func `pages differ by items, next, total and what was rejected`() {
        let rejected = RejectedElement(index: 0, member: "name", reason: "It is missing.")

        let pages: Set = [
            Page(["boots"]), Page(["hats"]), Page(["boots"], next: "2"),
            Page(["boots"], total: 1), Page(["boots"], rejected: [rejected]), Page(["boots"]),
        ]

        #expect(pages.count == 5)
    }

    @Test(arguments: ["2", "offset=40", "https://shop.example/products?cursor=a%2Fb", ""])
    func `a cursor is a JSON string and kept as it is`(text: String) throws {
        let cursor = PageCursor(rawValue: text)

        #expect(try cursor.written() == text.written())
        #expect(try PageCursor.reading(cursor.written()) == cursor)
    }

    @Test(arguments: ["2", "null", "{}", "[]", "true"])
    func `a cursor is nothing but a string`(json: String) {
        #expect(throws: DecodingError.self) {
            try PageCursor.reading(json)
        }
    }
}
