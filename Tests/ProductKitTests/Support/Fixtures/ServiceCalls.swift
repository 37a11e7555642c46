import Foundation
import ProductKit

extension ProductLoader {
    /// A call of each operation with a closure, and the name of the operation.
    var everyOperation: [(name: String, call: @Sendable () async throws -> Void)] {
        [
            ("load", { _ = try await loadProduct(withID: "boots") }),
            ("search", { _ = try await products() }),
            ("favorites", { _ = try await favorites() }),
            ("setFavorite", { _ = try await setFavoriteStatus(true, forProductWithID: "boots") }),
        ]
    }
}

extension ListManager {
    /// A call of each operation with a closure, and the name of the operation.
    var everyOperation: [(name: String, call: @Sendable () async throws -> Void)] {
        [
            ("addProduct", { try await addProduct(withID: "boots", toListWithID: "trip") }),
            (
                "removeProduct",
                { try await removeProduct(withID: "boots", fromListWithID: "trip") }
            ),
            ("lists", { _ = try await lists() }), ("list", { _ = try await list(withID: "trip") }),
            ("create", { _ = try await createList(named: "Trip") }),
            ("rename", { _ = try await renameList(withID: "trip", to: "Trek") }),
            ("delete", { try await deleteList(withID: "trip") }),
        ]
    }
}

extension ProductLoader {
    /// A loader of the contract, over a server.
    static func contract(
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductLoader {
        ProductLoader(baseURL: .api, networking: .closure(server))
    }
}

extension ListManager {
    /// A manager of the contract, over a server.
    static func contract(
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ListManager {
        ListManager(baseURL: .api, networking: .closure(server))
    }
}

extension AsyncSequence {
    /// The elements of the sequence.
    func all() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
