import ProductKit

/// A shop whose favorites are the products of a list, and which returns the products of a search for
/// identifiers in another order.
extension Shop {
    static var withThreeProducts: Shop { Shop(products: ["pan", "pot", "knife"]) }

    private var client: NetworkClient { NetworkClient(baseURL: .api, networking: networking) }

    var manager: ListManager { .shop(client, canLoadOne: false) }

    var loader: ProductLoader { ProductLoader.shop(client).storingFavorites(in: manager) }

    /// Replaces all lists by one with favorites.
    func setFavorites(_ products: [Product.ID]) {
        lists = [List(id: "1", name: "Favorites", products: products)]
    }

    /// Makes all requests for lists fail until the error is `nil`.
    func failLists(with error: (any Error)?) {
        respond = { request, carryOut in
            if let error, Shop.path(of: request).hasPrefix("lists") { throw error }
            return try carryOut()
        }
    }
}

extension ProductLoader {
    /// A loader of any product, whose favorites are in the lists of a manager.
    static func storingFavorites(in lists: ListManager) -> ProductLoader {
        ProductLoader(
            load: { id in Product(id: id, name: "Product") },
            search: { _, _ in
                Page([Product(id: "pan", name: "Product"), Product(id: "pot", name: "Product")])
            }
        )
        .storingFavorites(in: lists)
    }

    func storingFavorites(in lists: ListManager) -> ProductLoader {
        storingFavorites(inListNamed: "Favorites", of: lists)
    }
}
