import Foundation
import ProductKit
import Testing

/// Lists whose identifiers the server assigns, each of which is created once.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CreatedListsTests {
    private let shop = WishListServer()

    // Rule: requests/created-list-is-found (12)
    @Test func `a list is created once if the response is lost`() async throws {
        shop.add("Camp")
        shop.losesCreation = true

        let list = try await manager().createList(named: "Camp")

        #expect(list == ProductList(id: "2", name: "Camp"))
        #expect(shop.names == ["Camp", "Camp"])
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `a list that the response does not contain is found by its name`() async throws {
        let created = Lines()
        let manager = ListManager(
            addProduct: { _, _ in },
            lists: { _ in Page(created.all.map { ProductList(id: Identifier($0), name: "Camp") }) },
            create: { _, _ in
                created.add("\(created.all.count)")
                return nil
            }
        )

        #expect(try await manager.findingCreatedLists().createList(named: "Camp").id == "0")
        // The server trims the name.
        #expect(try await manager.findingCreatedLists().createList(named: "Camp ").id == "1")
        let error = await expectNetworkError(.unreadable) {
            try await manager.createList(named: "Camp")
        }
        #expect(error?.debugDescription.contains("findingCreatedLists()") == true)
        // An outbox must not create it again and again.
        #expect(error.map { Outbox.Disposition($0) } == .confirmed)
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `another call finds the list that the server created later`() async throws {
        let lists = manager()
        shop.add("Camp")
        await loseCreation(id: "draft", by: lists)
        shop.isHidingCreated = false

        let list = try await lists.createList(named: "Camp", id: "draft")
        // That of another device.
        shop.add("Camp")
        let other = try await lists.createList(named: "Camp", id: "draft")

        #expect(list.id == "2" && other.id == "4")
        #expect(shop.names == ["Camp", "Camp", "Camp", "Camp"])
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `a list with another name is not the created one`() async throws {
        let lists = manager()
        await loseCreation(id: "draft", by: lists)
        shop.add("Trip")

        let list = try await lists.createList(named: "Camp", id: "draft")

        #expect(list.name == "Camp" && shop.names == ["Camp", "Trip", "Camp"])
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `a list of another creation is not the created one`() async throws {
        let lists = manager()
        await loseCreation(id: "first", by: lists)
        shop.lists = []
        shop.isHidingCreated = false
        let second = try await lists.createList(named: "Camp", id: "second")

        let first = try await lists.createList(named: "Camp", id: "first")

        #expect(first.id != second.id && shop.names == ["Camp", "Camp"])
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `a list whose creation has no response yet is not the created one`() async throws {
        let (creation, response) = (ActionGate<Void>(), ActionGate<Void>())
        let (creations, created) = (Counter(), Lines())
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in Page(created.all.map { ProductList(id: Identifier($0), name: "Camp") }) },
            create: { _, name in
                let number = creations.next()
                try await creation.hold()
                guard number == 1 else { throw NetworkError(.connectionLost) }
                created.add("7")
                try await response.hold()
                return ProductList(id: "7", name: name)
            }
        )
        .findingCreatedLists()
        let executor = SerialTaskExecutor()
        let tasks = (0..<3).map { _ in
            Task(executorPreference: executor) { try await lists.createList(named: "Camp") }
        }
        await creation.waitForCalls(1)
        await executor.waitUntilIdle()

        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        creation.open()
        await executor.waitUntilIdle()
        response.open()

        #expect(try await tasks[0].value.id == "7")
        await expectNetworkError(.connectionLost) { try await tasks[1].value }
        #expect(creations.count == 2)
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `a refused creation is repeated, although another device has such a list`()
        async throws
    {
        let lists = manager()
        shop.refusesCreation = true
        await expectNetworkError(.rejected) {
            try await lists.createList(named: "Camp", id: "draft")
        }
        shop.refusesCreation = false
        shop.add("Camp")

        let list = try await lists.createList(named: "Camp", id: "draft")

        #expect(list.id == "2" && shop.names == ["Camp", "Camp"])
    }

    // Rule: requests/created-list-is-found (12)
    @Test func `if the lists cannot be loaded, nothing is created`() async throws {
        let lists = ListManager.only(
            lists: { _ in throw Offline() },
            otherwise: { Issue.record($0) }
        )

        await #expect(throws: Offline()) {
            try await lists.findingCreatedLists().createList(named: "Camp")
        }
        await #expect(throws: UnsupportedOperation("lists")) {
            try await ListManager(
                addProduct: { _, _ in },
                create: { id, name in
                    Issue.record("A list was created.")
                    return ProductList(id: id, name: name)
                }
            ).findingCreatedLists().createList(named: "Camp")
        }
    }

    /// Creates a list, whose response is lost, and which is not listed yet.
    private func loseCreation(id: ProductList.ID, by lists: ListManager) async {
        (shop.losesCreation, shop.isHidingCreated) = (true, true)
        await expectNetworkError(.connectionLost) {
            try await lists.createList(named: "Camp", id: id)
        }
    }

    private func manager() -> ListManager {
        .wishLists(NetworkClient(baseURL: .api, networking: .closure(shop.respond)))
    }
}
