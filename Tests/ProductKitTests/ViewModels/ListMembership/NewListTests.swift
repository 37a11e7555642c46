import ProductKit
import Testing

/// Lists that are created for a product.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NewListTests {
    @Test(arguments: [nil, "7"] as [ProductList.ID?])
    func `a new list is shown last and contains the product, whoever chooses its identifier`(
        assigned: ProductList.ID?
    ) async throws {
        var added: [ProductList.ID] = []
        var drafts: [ProductList] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { added.append($0) },
                createList: { draft in
                    drafts.append(draft)
                    return ProductList(id: assigned ?? draft.id, name: draft.name)
                }
            )
        )

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(viewModel.rows.map(\.name) == ["Wishlist", "Summer", "Winter"])
        #expect(viewModel.holding == ["Winter"] && viewModel.lastError == nil)
        let draft = try #require(drafts.first)
        #expect(drafts == [ProductList(id: draft.id, name: "Winter")])
        #expect(added == [assigned ?? draft.id] && viewModel.rows.last?.id == added.last)
    }

    @Test func `a retry after a failed creation uses the same identifier`() async throws {
        let server = ListServer()
        let viewModel = server.screen()
        server.creationError = Offline()
        await #expect(throws: Offline()) { try await viewModel.perform(.createList) }
        #expect(viewModel.lastError?.kind == .createList && viewModel.rows.count == 2)
        server.creationError = nil

        try await viewModel.perform(.createList)

        #expect(server.drafts.count == 2 && Set(server.drafts).count == 1)
        #expect(viewModel.holding == ["Winter"] && viewModel.lastError == nil)
    }

    // Rule: screen/repeated-creation-finds-list (70)
    @Test func `a retry finds the list that the failed call has created, whatever its name is`()
        async throws
    {
        var created: ProductList?
        var added: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { added.append($0) },
                createList: { draft in
                    if let created { throw ListError.changed(current: created) }
                    created = ProductList(id: draft.id, name: "Winter")
                    throw NetworkError(.connectionLost)
                }
            )
        )
        await expectNetworkError(.connectionLost) {
            try await viewModel.addProductToNewList(named: "Winter ")
        }

        try await viewModel.addProductToNewList(named: "Winter ")

        #expect(viewModel.rows.map(\.name) == ["Wishlist", "Summer", "Winter"])
        #expect(viewModel.holding == ["Winter"] && viewModel.lastError == nil)
        #expect(added == [created?.id])
    }

    @Test func `a new list with the identifier of another one is not created`() async {
        let changed = ListError.changed(current: .summer)
        let viewModel = ListMembershipViewModel(.only(createList: { _ in throw changed }))

        await #expect(throws: changed) { try await viewModel.perform(.createList) }

        #expect(viewModel.lastError?.kind == .createList && viewModel.holding.isEmpty)
    }

    @Test func `a list that was created before, and contains the product, shows it`() async {
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in throw Offline() },
                createList: { ProductList(id: $0.id, name: $0.name, products: ["walking-boots"]) }
            )
        )

        try? await viewModel.addProductToNewList(named: "Winter")

        #expect(viewModel.holding == ["Winter"])
    }

    @Test func `a created list stays if the product cannot be added`() async throws {
        let server = ListServer()
        let viewModel = server.screen()
        server.additionError = Offline()
        await #expect(throws: Offline()) { try await viewModel.perform(.createList) }
        let id = try #require(viewModel.rows.last?.id)
        #expect(viewModel.lastError?.kind == .toggleMembership(id) && viewModel.holding.isEmpty)
        server.additionError = nil

        try await viewModel.perform(.createList)

        #expect(server.drafts.count == 1 && viewModel.holding == ["Winter"])
        #expect(viewModel.rows.count == 3)
    }

    @Test(arguments: [nil, "7"] as [ProductList.ID?])
    func `concurrent calls with the same name create one list`(
        assigned: ProductList.ID?
    ) async throws {
        let held = ActionGate<Void>()
        var creations = 0
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in },
                createList: { draft in
                    creations += 1
                    try await held.hold()
                    return ProductList(id: assigned ?? draft.id, name: draft.name)
                }
            )
        )
        let calls = await started(times: 2) { try await viewModel.perform(.createList) }

        try held.release()
        for call in calls { try await call.value }

        #expect(creations == 1 && viewModel.holding == ["Winter"] && viewModel.rows.count == 3)
    }

    @Test func `a later call with the same name creates another list`() async throws {
        let viewModel = ListServer().screen()

        for _ in 1...2 { try await viewModel.perform(.createList) }

        #expect(viewModel.rows.count == 4 && viewModel.rows[2].id != viewModel.rows[3].id)
    }

    @Test func `a reload requested before a list was created does not hide it`() async throws {
        let held = ActionGate<Page<ProductList>>()
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await held.hold() },
                addToList: { _ in },
                createList: { $0 }
            )
        )
        let before = await started { try await viewModel.reload() }
        try await viewModel.addProductToNewList(named: "Winter")
        let after = await started { try await viewModel.reload() }

        try held.release(returning: Page([.wishlist]))
        try await before.value
        #expect(viewModel.rows.map(\.name) == ["Wishlist", "Winter"])
        #expect(viewModel.holding == ["Winter"])
        try held.release(returning: Page([.wishlist]))
        try await after.value

        #expect(viewModel.rows.map(\.name) == ["Wishlist"])
    }

    @Test func `a list that was deleted in the meantime is created again`() async throws {
        let server = ListServer()
        let viewModel = server.screen()
        server.isDeletedAtOnce = true
        await #expect(throws: ListError.self) { try await viewModel.perform(.createList) }
        server.isDeletedAtOnce = false

        try await viewModel.perform(.createList)

        #expect(Set(server.drafts).count == 2 && viewModel.holding == ["Winter"])
    }

    @Test func `a list whose creation ends after a sign-out is shown on no screen`() async throws {
        let held = ActionGate<ProductList>()
        let store = ProductStore()
        let viewModel = ListMembershipViewModel(
            .only(createList: { _ in try await held.hold() }),
            store: store
        )
        let creation = await started { try await viewModel.perform(.createList) }

        store.reset()
        try held.release(returning: ProductList(id: "winter", name: "Winter"))
        await #expect(throws: CancellationError.self) { try await creation.value }

        #expect(viewModel.rows.isEmpty && viewModel.lastError == nil)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `after a sign-out a list with the same name is created for the next user`()
        async throws
    {
        let server = ListServer()
        let store = ProductStore()
        let viewModel = server.screen(in: store)
        server.additionError = Offline()
        await #expect(throws: Offline()) { try await viewModel.perform(.createList) }
        server.additionError = nil

        store.reset()
        try await viewModel.perform(.createList)

        #expect(Set(server.drafts).count == 2 && viewModel.holding == ["Winter"])
        #expect(viewModel.rows.map(\.id) == server.drafts.suffix(1).map(\.id))
    }

    @Test func `the end of an earlier call does not change the identifier of a later list`()
        async throws
    {
        let (creating, adding) = (ActionGate<Void>(), ActionGate<Void>())
        var drafts: [ProductList.ID] = []
        var additions = 0
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in
                    additions += 1
                    if additions == 1 { try await adding.hold() }
                },
                createList: { draft in
                    drafts.append(draft.id)
                    if drafts.count == 2 { try await creating.hold() }
                    return draft
                }
            )
        )
        var third: Task<Void, any Error>?
        let first = await started {
            try await viewModel.addProductToNewList(named: "Winter")
            // The second call has not continued yet.
            third = await started { try await viewModel.addProductToNewList(named: "Winter") }
        }
        let second = await started { try await viewModel.addProductToNewList(named: "Winter") }
        try adding.release()
        for task in [first, second] { try await task.value }
        try creating.release(throwing: Offline())
        await #expect(throws: Offline()) { try await third?.value }

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(drafts.count == 3 && drafts[0] != drafts[1] && drafts[1] == drafts[2])
    }
}

/// A server that creates lists, and adds the product to them.
@MainActor private final class ListServer {
    var creationError: (any Error)?
    var additionError: (any Error)?
    /// Whether a list that was created is deleted before the product is added to it.
    var isDeletedAtOnce = false
    private(set) var drafts: [ProductList] = []

    func screen(in store: ProductStore? = nil) -> ListMembershipViewModel {
        ListMembershipViewModel(
            .only(
                addToList: { [self] list in
                    if isDeletedAtOnce { throw ListError.notFound(list) }
                    if let additionError { throw additionError }
                },
                createList: { [self] draft in
                    drafts.append(draft)
                    if let creationError { throw creationError }
                    return draft
                }
            ),
            store: store
        )
    }
}
