import ProductKit

/// A shopping list as commercetools sends it, as far as we read it.
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
            updatedAt: lastModifiedAt?.timestamp,
            version: String(version)
        )
    }
}

/// What is asked of a list that still has a version.
struct CommercetoolsChange: Encodable {
    struct Action: Encodable {
        let action: String
        var productId: Product.ID?
        var lineItemId: Identifier<ListLines.Line>?
        var name: LocalizedText?
    }

    let version: Int
    let actions: [Action]

    init(_ list: ProductList, _ actions: [Action]) {
        version = list.version.flatMap { Int($0) } ?? 0
        self.actions = actions
    }
}

/// A list that shall be; its key is what tells that it came twice.
struct CommercetoolsDraft: Encodable {
    let key: ProductList.ID
    let name: LocalizedText
}
