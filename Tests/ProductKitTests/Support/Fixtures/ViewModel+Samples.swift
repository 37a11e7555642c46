import Foundation
import ProductKit

extension ProductViewModel {
    /// Creates a screen of the boots for a user with euros.
    convenience init(
        _ actions: Actions,
        product: Product = .boots,
        store: ProductStore? = nil
    ) {
        self.init(product: product, localUser: .shopper, actions: actions, store: store)
    }
}

extension LocalUser {
    static let shopper = LocalUser(currency: "EUR", locale: Locale(identifier: "en_US"))
}

extension Product {
    static let favoriteBoots = Product.boots.with { $0.isFavorite = true }

    /// The boots with another name, as in a newer response.
    static func boots(named name: String, isFavorite: Bool = false) -> Product {
        .boots.with {
            $0.name = name
            $0.isFavorite = isFavorite
        }
    }

    func with(_ change: (inout Product) -> Void) -> Product {
        var product = self
        change(&product)
        return product
    }
}

extension CatalogViewModel {
    /// Creates a catalog for a user with euros.
    convenience init(_ actions: Actions, store: ProductStore? = nil) {
        self.init(localUser: .shopper, actions: actions, store: store)
    }

    /// The identifiers of the rows, in order.
    var ids: [Product.ID] { rows.map(\.id) }
}

extension Page<Product> {
    /// A page of products whose names are their identifiers.
    static func of(
        _ ids: Product.ID...,
        next: PageCursor? = nil,
        total: Int? = nil
    ) -> Page<Product> {
        Page(ids.map { Product(id: $0, name: $0.rawValue) }, next: next, total: total)
    }
}

extension ProductQuery {
    /// A short text for a request: `boots:first`, `boots:2`.
    func at(_ cursor: PageCursor?) -> String {
        "\(text):\(cursor?.rawValue ?? "first")"
    }
}

/// Suspended loads of pages.
typealias HeldPages = ActionGate<Page<Product>>
