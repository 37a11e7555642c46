import Foundation
import ProductKit
import Testing

/// Tests of pages with very many elements that cannot be decoded.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PageLimitTests {
    // Rule: json/rejected-elements-are-limited (11)
    @Test(arguments: [0, 1, 999, 1_000, 1_001, 9_999])
    func `the first 1,000 rejected elements are reported, and all are counted`(count: Int) throws {
        let elements = Array(repeating: "0", count: count) + [#"{"id": 1, "name": "A"}"#]

        let page = try Page<Product>.decoded(from: "[\(elements.joined(separator: ","))]")

        #expect(page.items.map(\.id) == ["1"])
        #expect(page.rejected.map(\.index) == Array(0..<min(count, 1_000)))
        #expect(page.rejectedCount == count)
    }

    // Rule: json/rejected-elements-are-limited (11)
    @Test(arguments: ["0", "{}", "null", #"{"id": 1, "name": "A"}"#])
    func `after 10,000 rejected elements the rest counts as rejected`(rest: String) throws {
        let elements = Array(repeating: "0", count: 10_000) + Array(repeating: rest, count: 500)
        let json = #"{"items": [\#(elements.joined(separator: ","))], "next": "2", "total": 7}"#

        let page = try Page<Product>.decoded(from: json)

        #expect(page.items.isEmpty)
        #expect(page.rejected.count == 1_000)
        #expect(page.rejectedCount == 10_500)
        #expect(page.next == "2")
        #expect(page.total == 7)
    }

    // Rule: json/rejected-elements-are-limited (11)
    @Test(arguments: ["[\(Array(repeating: "1", count: 100).joined(separator: ","))]", "{}"])
    func `after 10,000 reported members the rest counts as rejected`(images: String) throws {
        let element = #"{"id": 1, "name": "A", "images": \#(images)}"#
        let elements = Array(repeating: element, count: 150).joined(separator: ",")

        let page = try Page<Product>.decoded(from: "[\(elements)]")

        let isLimited = images != "{}"
        #expect(page.items.count == (isLimited ? 100 : 150))
        #expect(page.rejectedCount == (isLimited ? 50 : 0) && page.rejected == [])
    }

    // Rule: json/rejected-elements-are-limited (11)
    @Test func `dates of lists are reported within the same limit`() throws {
        let element = #"{"id": 1, "name": "A", "updatedAt": 1}"#
        let elements = Array(repeating: element, count: 10_003).joined(separator: ",")

        let page = try Page<ProductList>.decoded(from: "[\(elements)]")

        #expect(page.items.count == 10_000 && page.rejectedCount == 3)
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test(arguments: [(1_000, 1_000), (1_001, 0)])
    func `a product with more than 1,000 images has none`(count: Int, images: Int) throws {
        let urls = (0..<count).map { "\"\($0)\"" }.joined(separator: ",")

        let product = try Product.decoded(from: #"{"id": 1, "name": "A", "images": [\#(urls)]}"#)

        #expect(product.images.count == images)
        #expect(product.invalidMembers.map(\.path) == (images == 0 ? ["images[1000]"] : []))
        #expect(product.unknownMembers.contains(.images) == (images == 0))
    }

    // Rule: json/rejected-elements-are-limited (11)
    @Test func `converted elements are rejected within the same limit`() throws {
        let rejected = (0..<600).map { RejectedElement(index: $0, member: "", reason: "?") }

        let page = Page(Array(0..<1_000), rejected: rejected).map { number in
            guard number < 300 else { throw UnsupportedOperation("\(number)") }
            return number
        }

        #expect(page.items == Array(0..<300))
        #expect(page.rejected.count == 1_000)
        #expect(page.rejectedCount == 1_300)
        #expect(page.rejected.last?.index == 1_299)
    }

    // Rule: json/rejected-elements-are-limited (11)
    @Test func `elements that you add are reported within the same limit`() {
        let rejected = (0..<1_001).map { RejectedElement(index: $0, member: "", reason: "?") }
        var page = Page([1], rejected: rejected)

        page.rejected.append(RejectedElement(index: 2_000, member: "", reason: "?"))

        #expect(page.rejected == Array(rejected.prefix(1_000)))
        #expect(page.rejectedCount == 1_002)
        #expect(page != Page([1], rejected: Array(rejected.prefix(1_000))))
    }

    // Rule: json/rejected-elements-are-limited (11); errors/texts-are-limited (8)
    @Test func `the texts of a report are cut off`() throws {
        let flood = String(repeating: "ö", count: 1 << 20)

        let page = try Page<[String: Int]>.decoded(from: #"[{"\#(flood)": "x"}]"#)

        #expect(page.rejected.map(\.member.utf8.count) == [1_024])
        #expect(
            RejectedElement(index: 0, member: "", reason: flood).reason.utf8.count == 1_024
        )
    }
}
