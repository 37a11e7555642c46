import Foundation
import ProductKit
import Synchronization

/// A shop with wish lists and three products.
final class WishListShop: Sendable {
    private struct State {
        var lists: [ProductList] = []
        var writes: [String] = []
        var isSignedIn = true
        var isDown = false
        var findsByID = true
        var beforeCreation: @Sendable () async throws -> Void = {}
    }

    private let state = Mutex(State())

    var lists: [ProductList] { state.withLock(\.lists) }
    var writes: [String] { state.withLock(\.writes) }

    var isSignedIn: Bool {
        get { state.withLock(\.isSignedIn) }
        set { state.withLock { $0.isSignedIn = newValue } }
    }

    var isDown: Bool {
        get { state.withLock(\.isDown) }
        set { state.withLock { $0.isDown = newValue } }
    }

    var findsByID: Bool {
        get { state.withLock(\.findsByID) }
        set { state.withLock { $0.findsByID = newValue } }
    }

    var beforeCreation: @Sendable () async throws -> Void {
        get { state.withLock(\.beforeCreation) }
        set { state.withLock { $0.beforeCreation = newValue } }
    }

    func set(_ lists: [ProductList]) {
        state.withLock { $0.lists = lists }
    }

    private func check() throws {
        let (isSignedIn, isDown) = state.withLock { ($0.isSignedIn, $0.isDown) }
        guard !isDown else { throw NetworkError(.unavailable) }
        guard isSignedIn else { throw NetworkError(.unauthorized) }
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
                return Page(self.lists, total: self.lists.count)
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
        let loader = ProductLoader(
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
        return loader.storingFavorites(inListNamed: "Favorites", of: manager)
    }
}
