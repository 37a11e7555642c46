import Foundation
import ProductKit

// The further types of the articles about other backends. As those of Bazaar.swift, they are also compiled in a module whose
// default isolation is the main actor.

nonisolated extension PageFormat {
    static let bazaar = PageFormat(items: "result.goods", next: "result.more", cursor: "after")
}

nonisolated extension PageFormat {
    static let boards = PageFormat(items: "data", pageNumber: "page", total: "count")
}

nonisolated extension PageFormat {
    static let linked = PageFormat(items: "result.goods", next: "links.next", total: "count")
    static let numbered = PageFormat(
        pageNumber: "page",
        pageCount: .header("X-WP-TotalPages"),
        total: .header("X-WP-Total")
    )
    static let skipping = PageFormat(items: "goods", offset: "skip", total: "count")
}

nonisolated struct WishList: Decodable {
    struct Item: Decodable {
        let id: Identifier<ListLines.Line>
        let product: Product.ID
    }

    let id: ProductList.ID
    let name: String
    let items: [Item]

    var contents: ListLines.Contents {
        ListLines.Contents(
            id: id,
            name: name,
            lines: items.map { ListLines.Line(id: $0.id, product: $0.product) }
        )
    }
}

nonisolated struct Article: Decodable {
    let id: Product.ID
    let name: String
    let pictures: [String]
}

nonisolated struct Picture: Decodable {
    let id: String
    let url: URL
}

nonisolated struct WishListItem: Decodable, Identifiable {
    let id: Product.ID
}

nonisolated struct Envelope<Content: Decodable & Sendable>: Decodable, Sendable {
    let data: Content
}
