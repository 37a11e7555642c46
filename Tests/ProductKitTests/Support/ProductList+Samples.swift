import ProductKit

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
    /// A screen of the boots.
    convenience init(
        _ actions: Actions,
        lists: [ProductList] = [.wishlist, .summer],
        store: ProductStore? = nil
    ) {
        self.init(product: .boots, lists: lists, actions: actions, store: store)
    }

    /// The names of the lists that are shown to hold the product.
    var holding: [String] { rows.filter(\.holdsProduct).map(\.name) }
}
