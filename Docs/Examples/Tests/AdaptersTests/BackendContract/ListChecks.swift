import Foundation
import ProductKit
import Testing

/// Lists, with every adapter that supports them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ListChecks {
    private static let backends = TestedBackend.supporting(.lists)

    @Test(arguments: backends)
    func `a new list has its name and no products`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)

        let created = try await shopper.lists.createList(named: "Camp")
        let loaded = try await shopper.lists.list(withID: created.id)

        #expect(created.name == "Camp")
        #expect(created.products.isEmpty)
        #expect(loaded == created)
        #expect(shopper.shop.writes.count == 1)
    }

    @Test(arguments: backends)
    func `adding a product twice creates one line`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")

        for _ in 1...2 { try await shopper.lists.addProduct(withID: "1", toListWithID: list.id) }

        #expect(try await shopper.lists.list(withID: list.id).products == ["1"])
        #expect(shopper.shop.lineCount == 1)
        #expect(shopper.shop.writes.count == (backend.hasIdempotentWrites ? 3 : 2))
    }

    @Test(arguments: backends)
    func `all lines of a product are removed, and the others stay`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")
        let lists = shopper.shop.content.lists
        let index = try #require(lists.firstIndex { $0.id == list.id.rawValue })
        shopper.shop.content.lists[index].lines = [("x", "1"), ("y", "2"), ("z", "1")]

        try await shopper.lists.removeProduct(withID: "1", fromListWithID: list.id)

        #expect(try await shopper.lists.list(withID: list.id).products == ["2"])
        #expect(shopper.shop.lineCount == 1)
    }

    @Test(arguments: backends)
    func `removing a product that is not in the list succeeds`(backend: TestedBackend) async throws
    {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")

        try await shopper.lists.removeProduct(withID: "1", fromListWithID: list.id)
        try await shopper.lists.removeProduct(withID: "9", fromListWithID: list.id)
        try await shopper.lists.removeProduct(withID: "1", fromListWithID: "gone")

        #expect(shopper.shop.writes.count == (backend.hasIdempotentWrites ? 4 : 1))
    }

    @Test(arguments: backends)
    func `a missing list or product is named`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")

        await #expect(throws: ListError.notFound("gone")) {
            try await shopper.lists.list(withID: "gone")
        }
        await #expect(throws: ListError.notFound("gone")) {
            try await shopper.lists.addProduct(withID: "1", toListWithID: "gone")
        }
        await #expect(throws: ProductError.notFound("9")) {
            try await shopper.lists.addProduct(withID: "9", toListWithID: list.id)
        }
    }

    @Test(arguments: backends)
    func `a missing list is not renamed, unless the shop creates it`(
        backend: TestedBackend
    ) async throws {
        let lists = Shopper(backend).lists

        let renamed = await Result { try await lists.renameList(withID: "gone", to: "Camp") }

        if backend.hasIdempotentWrites {
            #expect(try renamed.get().name == "Camp")
            #expect(try await lists.list(withID: "gone").name == "Camp")
        } else {
            #expect(renamed.error as? ListError == .notFound("gone"))
        }
    }

    @Test(arguments: backends)
    func `a list is renamed and keeps its products`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")
        try await shopper.lists.addProduct(withID: "1", toListWithID: list.id)

        let renamed = try await shopper.lists.renameList(withID: list.id, to: "Party")

        #expect(renamed.name == "Party")
        #expect(renamed.products == ["1"])
        #expect(try await shopper.lists.list(withID: list.id) == renamed)
    }

    @Test(arguments: TestedBackend.supporting(.versions))
    func `a list that was changed in the meantime is not renamed`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")
        try await shopper.session(of: "ann").lists.addProduct(withID: "1", toListWithID: list.id)

        let error = await #expect(throws: ListError.self) {
            try await shopper.lists.renameList(withID: list.id, to: "Party", ifUnchanged: list)
        }

        guard case .changed(let current) = error else { throw try #require(error) }
        #expect(current.name == "Camp")
        #expect(current.products == ["1"])
        #expect(current.version != list.version)
    }

    @Test(arguments: TestedBackend.supporting([.versions, .deletion]))
    func `a list that was deleted in the meantime is not renamed`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")
        try await shopper.session(of: "ann").lists.deleteList(withID: list.id)

        await #expect(throws: ListError.notFound(list.id)) {
            try await shopper.lists.renameList(withID: list.id, to: "Party", ifUnchanged: list)
        }

        #expect(try await shopper.lists.allLists().items.isEmpty)
    }

    @Test(arguments: TestedBackend.supporting(.allLists))
    func `all lists are found with their products`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        for name in ["Camp", "Party"] { _ = try await shopper.lists.createList(named: name) }
        let camp = try #require(try await shopper.lists.allLists().items.first)
        try await shopper.lists.addProduct(withID: "1", toListWithID: camp.id)

        let lists = try await shopper.lists.allLists().items

        #expect(lists.map(\.name) == ["Camp", "Party"])
        #expect(lists.map(\.products) == [["1"], []])
    }

    @Test(arguments: TestedBackend.supporting(.deletion))
    func `a deleted list is gone, and deleting it again succeeds`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")

        for _ in 1...2 { try await shopper.lists.deleteList(withID: list.id) }

        #expect(try await shopper.lists.allLists().items.isEmpty)
        await #expect(throws: ListError.notFound(list.id)) {
            try await shopper.lists.list(withID: list.id)
        }
    }

    @Test(arguments: backends)
    func `no write succeeds offline`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let lists = shopper.lists
        let list = try await lists.createList(named: "Camp")
        try await lists.addProduct(withID: "1", toListWithID: list.id)
        // The writes read a list that is stored.
        _ = try await lists.list(withID: list.id)
        _ = try? await lists.lists()
        let writeCount = shopper.shop.writes.count
        shopper.shop.isOnline = false

        let writes: [@Sendable () async throws -> Void] = [
            { try await lists.addProduct(withID: "1", toListWithID: list.id) },
            { try await lists.addProduct(withID: "2", toListWithID: list.id) },
            { try await lists.removeProduct(withID: "1", fromListWithID: list.id) },
            { try await lists.removeProduct(withID: "2", fromListWithID: list.id) },
            { _ = try await lists.renameList(withID: list.id, to: "Party") },
        ]
        for write in writes {
            let error = await #expect(throws: NetworkError.self) { try await write() }
            #expect(error?.code == .unreachable)
        }

        #expect(shopper.shop.writes.count == writeCount)
        let deletion = await #expect(throws: (any Error).self) {
            try await lists.deleteList(withID: list.id)
        }
        #expect(deletion is NetworkError == backend.features.contains(.deletion))
        await #expect(throws: NetworkError.self) { try await lists.createList(named: "Party") }
        shopper.shop.isOnline = true
        #expect(try await lists.list(withID: list.id).products == ["1"])
        #expect(try await lists.list(withID: list.id).name == "Camp")
    }

    @Test(arguments: backends)
    func `an addition whose response was lost is in the list once, also if it is repeated`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let list = try await shopper.lists.createList(named: "Camp")
        shopper.shop.losesWriteResponses = true

        if backend.hasIdempotentWrites {
            let error = await #expect(throws: NetworkError.self) {
                try await shopper.lists.addProduct(withID: "1", toListWithID: list.id)
            }
            #expect(error?.code == .connectionLost && error?.mayHaveReachedServer == true)
        } else {
            // The list is loaded again, and has the line.
            try await shopper.lists.addProduct(withID: "1", toListWithID: list.id)
        }
        shopper.shop.losesWriteResponses = false
        try await shopper.lists.addProduct(withID: "1", toListWithID: list.id)

        #expect(shopper.shop.writes.count == (backend.hasIdempotentWrites ? 4 : 2))
        #expect(shopper.shop.lineCount == 1)
    }

    @Test(arguments: TestedBackend.lacking(.lists))
    func `lists that the shop creates itself are neither created nor renamed`(
        backend: TestedBackend
    ) async {
        let lists = Shopper(backend).lists
        let operations: [@Sendable () async throws -> Void] = [
            { _ = try await lists.createList(named: "Camp") },
            { _ = try await lists.renameList(withID: "2", to: "Party") },
            { try await lists.deleteList(withID: "2") },
        ]
        for operation in operations {
            await #expect(throws: UnsupportedOperation.self) { try await operation() }
        }
    }

    @Test(arguments: TestedBackend.supporting(.lists).filter { !$0.features.contains(.allLists) })
    func `a shop that cannot find its lists reports it`(backend: TestedBackend) async {
        await #expect(throws: UnsupportedOperation("lists")) {
            try await Shopper(backend).lists.lists()
        }
    }

    @Test(arguments: TestedBackend.lacking(.deletion))
    func `a shop that cannot delete lists reports it`(backend: TestedBackend) async {
        await #expect(throws: UnsupportedOperation("delete")) {
            try await Shopper(backend).lists.deleteList(withID: "2")
        }
    }
}

extension FakeShop {
    /// The number of lines in all lists.
    var lineCount: Int { content.lists.reduce(0) { $0 + $1.lines.count } }
}
