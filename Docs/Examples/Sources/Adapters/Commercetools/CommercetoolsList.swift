import Foundation
import ProductKit

/// A shopping list of commercetools, with the members that the adapter uses.
struct CommercetoolsList: Decodable, Sendable {
    struct Line: Decodable {
        let id: Identifier<ListLines.Line>
        let productId: Product.ID
    }

    let id: ProductList.ID
    let version: Int
    let name: LocalizedText
    let lineItems: [Line]?
    let lastModifiedAt: String?

    func contents(in language: String) -> ListLines.Contents {
        ListLines.Contents(
            id: id,
            name: name.text(in: language),
            lines: lineItems?.map { ListLines.Line(id: $0.id, product: $0.productId) } ?? [],
            updatedAt: Date(timestamp: lastModifiedAt),
            version: String(version)
        )
    }
}

/// An update of a list, which fails if the list has another version.
struct CommercetoolsChange: Encodable {
    struct Action: Encodable {
        let action: String
        var productId: Product.ID?
        var lineItemId: Identifier<ListLines.Line>?
        var name: LocalizedText?
    }

    let version: Int
    let actions: [Action]

    init(of list: ProductList, _ actions: [Action]) {
        version = list.version.flatMap { Int($0) } ?? 0
        self.actions = actions
    }
}

/// A list to create.
struct CommercetoolsDraft: Encodable {
    let name: LocalizedText
}
