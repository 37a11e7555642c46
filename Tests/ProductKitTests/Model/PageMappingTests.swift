import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PageMappingTests {
    @Test func `every element becomes another, and the page stays the same`() {
        let page = Page([1, 2], next: "3", total: 9).map(String.init)

        #expect(page == Page(["1", "2"], next: "3", total: 9))
    }

    @Test func `an element that cannot become another costs only itself`() {
        let page = Page(["1.00", "x", "2.00"]).map { text in
            try MemberPath("price").reading { try Price(text, currency: "EUR") }
        }

        #expect(page.items.map(\.amount) == [1, 2])
        #expect(page.rejected.map(\.index) == [1])
        #expect(page.rejected.map(\.member) == ["price"])
        #expect(page.rejected.first?.reason.contains("“x” is no amount of money") == true)
    }

    @Test func `places are counted on the whole page, unreadable elements included`() {
        let unreadable = [0, 3].map { RejectedElement(index: $0, member: "id", reason: "?") }
        let page = Page(["a", "b", "c"], rejected: unreadable).map { text in
            guard text == "b" else { throw UnsupportedOperation(text) }
            return text
        }

        #expect(page.items == ["b"])
        #expect(page.rejected.map(\.index) == [0, 1, 3, 4])
        #expect(page.rejected[1].reason.contains("“a”"))
        #expect(page.rejected[3].reason.contains("“c”"))
    }
}
