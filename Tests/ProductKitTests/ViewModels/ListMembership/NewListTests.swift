import ProductKit
import Testing

/// Lists that are created for a product.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NewListTests {
    @Test func `a new list is shown last and contains the product`() async throws {
        var added: [ProductList.ID] = []
        var drafts: [ProductList] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { added.append($0) },
                createList: { draft in
                    drafts.append(draft)
                    return draft
                }
            )
        )

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(viewModel.rows.map(\.name) == ["Wishlist", "Summer", "Winter"])
        #expect(viewModel.holding == ["Winter"])
        #expect(drafts.map(\.name) == ["Winter"] && drafts.map(\.id) == added)
        #expect(viewModel.lastError == nil)
    }

    @Test func `a retry after a failed creation uses the same identifier`() async throws {
        var drafts: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in },
                createList: { draft in
                    drafts.append(draft.id)
                    if drafts.count == 1 { throw Offline() }
                    return draft
                }
            )
        )
        await #expect(throws: Offline()) {
            try await viewModel.addProductToNewList(named: "Winter")
        }
        #expect(viewModel.lastError?.kind == .createList && viewModel.rows.count == 2)

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(drafts.count == 2 && drafts[0] == drafts[1])
        #expect(viewModel.holding == ["Winter"] && viewModel.lastError == nil)
    }

    @Test func `a list that was created before, and contains the product, shows it`() async {
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in throw Offline() },
                createList: { draft in
                    ProductList(id: draft.id, name: draft.name, products: ["walking-boots"])
                }
            )
        )

        try? await viewModel.addProductToNewList(named: "Winter")

        #expect(viewModel.holding == ["Winter"])
    }

    @Test func `a created list stays if the product cannot be added`() async throws {
        var creations = 0
        var isOffline = true
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in if isOffline { throw Offline() } },
                createList: { draft in
                    creations += 1
                    return draft
                }
            )
        )
        await #expect(throws: Offline()) {
            try await viewModel.addProductToNewList(named: "Winter")
        }
        let id = try #require(viewModel.rows.last?.id)
        #expect(viewModel.lastError?.kind == .toggleMembership(id) && viewModel.holding.isEmpty)

        isOffline = false
        try await viewModel.addProductToNewList(named: "Winter")

        #expect(creations == 1 && viewModel.holding == ["Winter"] && viewModel.rows.count == 3)
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
        let first = await started { try await viewModel.addProductToNewList(named: "Winter") }
        let second = await started { try await viewModel.addProductToNewList(named: "Winter") }

        try held.release()
        for task in [first, second] { try await task.value }

        #expect(creations == 1 && viewModel.holding == ["Winter"] && viewModel.rows.count == 3)
    }

    @Test func `a later call with the same name creates another list`() async throws {
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in }, createList: { $0 }),
            lists: []
        )

        for _ in 0..<2 { try await viewModel.addProductToNewList(named: "Winter") }

        #expect(viewModel.rows.count == 2 && viewModel.rows[0].id != viewModel.rows[1].id)
    }

    @Test func `a backend can choose the identifier of a new list`() async throws {
        var added: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { added.append($0) },
                createList: { ProductList(id: "7", name: $0.name) }
            )
        )

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(added == ["7"] && viewModel.rows.last?.id == "7")
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
        var deleted: Set<ProductList.ID> = []
        var creations: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { list in if deleted.contains(list) { throw ListError.notFound(list) } },
                createList: { draft in
                    creations.append(draft.id)
                    if creations.count == 1 { deleted.insert(draft.id) }
                    return draft
                }
            )
        )
        await #expect(throws: ListError.self) {
            try await viewModel.addProductToNewList(named: "Winter")
        }

        try await viewModel.addProductToNewList(named: "Winter")

        #expect(Set(creations).count == 2 && viewModel.holding == ["Winter"])
    }

    @Test func `no list is created for a deleted product`() async throws {
        var creations = 0
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in throw ProductError.notFound(Product.boots.id) },
                createList: { draft in
                    creations += 1
                    return draft
                }
            )
        )
        await #expect(throws: ProductError.notFound(Product.boots.id)) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        await #expect(throws: ProductError.notFound(Product.boots.id)) {
            try await viewModel.addProductToNewList(named: "Winter")
        }

        #expect(creations == 0 && viewModel.lastError?.kind == .createList)
    }

    @Test func `a list whose creation ends after a sign-out is shown on no screen`() async throws {
        let held = ActionGate<Void>()
        let store = ProductStore()
        let viewModel = ListMembershipViewModel(
            .only(createList: { draft in
                try await held.hold()
                return draft
            }),
            store: store
        )
        let creation = await started {
            try await viewModel.addProductToNewList(named: "Winter")
        }

        store.reset()
        try held.release()
        await #expect(throws: CancellationError.self) { try await creation.value }

        #expect(viewModel.rows.isEmpty && viewModel.lastError == nil)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `after a sign-out a list with the same name is created for the next user`()
        async throws
    {
        var creations: [ProductList.ID] = []
        let store = ProductStore()
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in if creations.count == 1 { throw Offline() } },
                createList: { draft in
                    creations.append(draft.id)
                    return draft
                }
            ),
            store: store
        )
        await #expect(throws: Offline()) {
            try await viewModel.addProductToNewList(named: "Winter")
        }

        store.reset()
        try await viewModel.addProductToNewList(named: "Winter")

        #expect(Set(creations).count == 2 && viewModel.rows.map(\.id) == creations.suffix(1))
        #expect(viewModel.holding == ["Winter"])
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
