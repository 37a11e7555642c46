import Foundation
import ProductKit

extension ProductViewModel {
    /// A screen of the boots for somebody who pays in euros.
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

    /// The boots under another name, as a newer answer brings them.
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
