import Foundation
import ProductKit

extension Product {
    static let boots = Product(
        id: "walking-boots",
        name: "Walking Boots",
        description: "Waterproof leather boots for long days.",
        prices: [
            Price(minorUnits: 12_900, currency: "EUR"),
            Price(minorUnits: 13_900, currency: "USD"),
        ]
    )
}

extension ProductList {
    static let wishlist = ProductList(id: "wishlist", name: "Wishlist")
    static let summer = ProductList(id: "summer", name: "Summer")

    static func wishlist(holdingBoots holdsBoots: Bool) -> ProductList {
        ProductList(
            id: "wishlist",
            name: "Wishlist",
            products: holdsBoots ? [Product.boots.id] : []
        )
    }
}

extension ListMembershipViewModel {
    /// Creates a screen for the lists of the boots.
    convenience init(
        _ actions: Actions,
        lists: [ProductList] = [.wishlist, .summer],
        store: ProductStore? = nil
    ) {
        self.init(product: .boots, lists: lists, actions: actions, store: store)
    }

    /// The names of the lists that contain the product on the screen.
    var holding: [String] { rows.filter(\.holdsProduct).map(\.name) }
}
