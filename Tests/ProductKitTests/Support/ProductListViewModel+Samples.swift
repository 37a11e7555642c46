import ProductKit

extension CatalogViewModel {
    /// A list for somebody who pays in euros.
    convenience init(_ actions: Actions, store: ProductStore? = nil) {
        self.init(localUser: .shopper, actions: actions, store: store)
    }

    /// Which products are shown, in their order.
    var ids: [Product.ID] { rows.map(\.id) }
}

extension Page<Product> {
    /// A page of products that are called what their identities say.
    static func of(
        _ ids: Product.ID...,
        next: PageCursor? = nil,
        total: Int? = nil
    ) -> Page<Product> {
        Page(ids.map { Product(id: $0, name: $0.rawValue) }, next: next, total: total)
    }
}

extension ProductQuery {
    /// What was asked for, in one word: `boots:first`, `boots:2`.
    func at(_ cursor: PageCursor?) -> String {
        "\(text):\(cursor?.rawValue ?? "first")"
    }
}

/// Pages in flight.
typealias HeldPages = Held<Page<Product>>
