import Foundation
import ProductKit
import Synchronization

/// A shop with wish lists and three products.
@dynamicMemberLookup final class WishListShop: Sendable {
    struct State {
        var lists: [ProductList] = []
        var writes: [String] = []
        /// The failure of all requests for lists.
        var failure: (any Error)?
        /// Whether products can be searched by their identifiers.
        var findsByID = true
        var beforeCreation: @Sendable () async throws -> Void = {}
    }

    private let state = Mutex(State())

    subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// Replaces all lists by one with favorites.
    func setFavorites(_ products: [Product.ID]) {
        self.lists = [ProductList(id: "1", name: "Favorites", products: products)]
    }

    private func check() throws {
        if let failure = self.failure { throw failure }
    }

    private func write(
        _ text: String,
        to id: ProductList.ID,
        _ change: (inout ProductList) -> Void
    ) throws {
        try check()
        try state.withLock { state in
            guard let index = state.lists.firstIndex(where: { $0.id == id }) else {
                throw ListError.notFound(id)
            }
            state.writes.append(text)
            change(&state.lists[index])
        }
    }

    var manager: ListManager {
        ListManager(
            addProduct: { product, list in
                try self.write("add \(product)", to: list) { $0.products.append(product) }
            },
            removeProduct: { product, list in
                try self.write("remove \(product)", to: list) { list in
                    list.products.removeAll { $0 == product }
                }
            },
            lists: { _ in
                try self.check()
                return Page(self.lists)
            },
            create: { id, name in
                try self.check()
                try await self.beforeCreation()
                let list = ProductList(id: id, name: name)
                self.state.withLock { state in
                    state.lists.append(list)
                    state.writes.append("create \(name)")
                }
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
                guard query.ids.isEmpty || self.findsByID else {
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
