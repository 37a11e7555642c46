import Foundation
import ProductKit
import Synchronization
import Testing

/// The one list of a user, which always exists.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OnlyListTests {
    // Rule: favorites/products-of-the-list (1)
    @Test func `the only list always exists`() async throws {
        let stored = Mutex([ListLines.Line(product: "pan")])
        let lines = ListLines(
            read: { ListLines.Contents(id: $0, name: "Wish list", lines: stored.withLock(\.self)) },
            add: { product, _ in
                stored.withLock { $0.append(ListLines.Line(id: "2", product: product)) }
            },
            removeLine: { line, _ in
                #expect(line == "pan")
                stored.withLock { $0.removeAll { $0.id == line } }
            }
        )
        let lists = ListManager(onlyList: "wishlist", lines: lines)
        let loader = ProductLoader(load: { id in Product(id: id, name: "Product") })
            .storingFavorites(inListNamed: "Wish list", of: lists)

        let pan = try await loader.loadProduct(withID: "pan")
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "cup")
        _ = try await loader.setFavoriteStatus(false, forProductWithID: "pan")

        #expect(pan.isFavorite)
        let list = ProductList(id: "wishlist", name: "Wish list", products: ["cup"])
        #expect(try await lists.allLists().items == [list])
        #expect(try await lists.list(withID: "wishlist") == list)
        let outbox = Outbox().start(for: "anna") { _ in throw NetworkError(.unreachable) }
        for manager in [lists, lists.performingEdits(in: outbox)] {
            await #expect(throws: UnsupportedOperation("create")) {
                try await manager.createList(named: "Camp")
            }
        }
        #expect(outbox.changes.isEmpty)
        let missing = ListError.notFound("7")
        await #expect(throws: missing) { try await lists.list(withID: "7") }
        await #expect(throws: missing) {
            try await lists.addProduct(withID: "pot", toListWithID: "7")
        }
        #expect(try await lists.allLists().items == [list])
    }

    @Test func `the only list has no other identifier`() async throws {
        let stored = Mutex<[Product.ID]>(["pan"])
        let loads = Counter()
        let lists = ListManager(
            onlyList: "wishlist",
            name: "Wish list",
            products: {
                loads.next()
                return stored.withLock(\.self)
            },
            addProduct: { product in stored.withLock { $0.append(product) } },
            removeProduct: { product in stored.withLock { $0.removeAll { $0 == product } } }
        )

        try await lists.addProduct(withID: "cup", toListWithID: "wishlist")
        try await lists.removeProduct(withID: "pan", fromListWithID: "wishlist")

        let list = ProductList(id: "wishlist", name: "Wish list", products: ["cup"])
        #expect(try await lists.allLists().items == [list])
        #expect(try await lists.list(withID: "wishlist") == list)
        let count = loads.count
        let missing = ListError.notFound("7")
        await #expect(throws: missing) { try await lists.list(withID: "7") }
        await #expect(throws: missing) {
            try await lists.addProduct(withID: "pot", toListWithID: "7")
        }
        // Nothing is in a list that does not exist.
        try await lists.removeProduct(withID: "cup", fromListWithID: "7")
        await #expect(throws: UnsupportedOperation("create")) {
            try await lists.createList(named: "Camp")
        }
        #expect(stored.withLock(\.self) == ["cup"] && loads.count == count)
    }
}
