import Foundation
import ProductKit

/// A shop with wish lists and three products.
struct WishListShop: Sendable {
    @Observed var lists: [ProductList] = []
    @Observed var writes: [String] = []
    /// The failure of all requests for lists.
    @Observed var failure: (any Error)? = nil
    /// Whether products can be searched by their identifiers.
    @Observed var findsByID = true
    @Observed var beforeCreation: @Sendable () async throws -> Void = {}

    /// Replaces all lists by one with favorites.
    func setFavorites(_ products: [Product.ID]) {
        lists = [ProductList(id: "1", name: "Favorites", products: products)]
    }

    private func check() throws {
        if let failure { throw failure }
    }

    private func write(
        _ text: String,
        to id: ProductList.ID,
        _ change: (inout ProductList) -> Void
    ) throws {
        try check()
        try _lists.change { lists in
            guard let index = lists.firstIndex(where: { $0.id == id }) else {
                throw ListError.notFound(id)
            }
            change(&lists[index])
        }
        _writes.add(text)
    }

    var manager: ListManager {
        ListManager(
            addProduct: { product, list in
                try write("add \(product)", to: list) { $0.products.append(product) }
            },
            removeProduct: { product, list in
                try write("remove \(product)", to: list) { list in
                    list.products.removeAll { $0 == product }
                }
            },
            lists: { _ in
                try check()
                return Page(lists)
            },
            create: { id, name in
                try check()
                try await beforeCreation()
                let list = ProductList(id: id, name: name)
                _lists.change { $0.append(list) }
                _writes.add("create \(name)")
                return list
            }
        )
    }

    var loader: ProductLoader {
        ProductLoader(
            load: { id in
                guard id != "gone" else { throw ProductError.notFound(id) }
                return Product(id: id, name: "Product", isFavorite: true)
            },
            search: { query, _ in
                guard query.ids.isEmpty || findsByID else {
                    throw UnsupportedOperation("search by ids")
                }
                let ids = query.ids.isEmpty ? ["pan", "pot", "knife"] : query.ids.reversed()
                return Page(ids.filter { $0 != "gone" }.map { Product(id: $0, name: "Product") })
            }
        )
        .storingFavorites(in: manager)
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
