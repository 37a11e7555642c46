import ProductKit
import Testing

/// The user's lists, and the product's membership in them: loading, display and toggles.
///
/// The cited rules are those of the favorite status, applied to the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipTests {
    @Test func `a reload shows the lists and which of them contain the product`() async throws {
        let rejected = RejectedElement(index: 2, member: "name", reason: "It is missing.")
        let viewModel = ListMembershipViewModel(
            .only(loadLists: {
                Page([.summer, .wishlist(holdingBoots: true)], rejected: [rejected])
            }),
            lists: []
        )
        #expect(viewModel.rows.isEmpty && viewModel.phase == .idle)

        try await viewModel.reload()

        #expect(viewModel.rows.map(\.name) == ["Summer", "Wishlist"])
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .loaded && viewModel.rejected == [rejected])
    }

    @Test func `a list that occurs twice is shown once`() async throws {
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { Page([.summer, .wishlist, .summer]) })
        )

        try await viewModel.reload()

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"])
    }

    @Test func `a screen opens with the lists that it is created with`() {
        let viewModel = ListMembershipViewModel(
            .only(),
            lists: [.summer, .wishlist(holdingBoots: true)]
        )

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"])
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .idle)
    }

    // Rule: screen/edit-shows-at-once (25)
    @Test func `a toggle is shown immediately`() async throws {
        let held = ActionGate<Void>()
        var additions: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(addToList: { list in
                additions.append(list)
                try await held.hold()
            })
        )

        let toggle = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        #expect(viewModel.holding == ["Summer"] && additions == ["summer"])
        try held.release()
        try await toggle.value

        #expect(viewModel.holding == ["Summer"] && viewModel.lastError == nil)
    }

    @Test func `a toggle of a list that contains the product removes it`() async throws {
        var removals: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(removeFromList: { removals.append($0) }),
            lists: [.wishlist(holdingBoots: true)]
        )

        try await viewModel.toggleMembership(inListWithID: "wishlist")

        #expect(removals == ["wishlist"] && viewModel.holding.isEmpty)
    }

    // Rule: screen/rollback-keeps-newer-content (28)
    @Test func `a failed toggle rolls back only its own list`() async throws {
        let held = ActionGate<Void>()
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in try await held.hold() })
        )
        let summer = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let wishlist = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }
        #expect(viewModel.holding == ["Wishlist", "Summer"])

        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await summer.value }
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.lastError?.kind == .toggleMembership("summer"))
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
        #expect(viewModel.phase == .idle)

        try held.release()
        try await wishlist.value
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.lastError?.kind == .toggleMembership("summer"))
    }

    // Rule: screen/success-clears-its-own-error (18)
    @Test func `a success on the same list clears the failure`() async throws {
        var isOffline = true
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in if isOffline { throw Offline() } })
        )
        await #expect(throws: Offline()) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        isOffline = false
        try await viewModel.toggleMembership(inListWithID: "summer")

        #expect(viewModel.lastError == nil && viewModel.holding == ["Summer"])
    }

    // Rule: screen/quick-taps-send-the-last (30)
    @Test(arguments: 1...6)
    func `rapid toggles show the last value immediately and need at most two calls`(
        count: Int
    ) async throws {
        let held = ActionGate<Void>()
        var requestedValues: [Bool] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in
                    requestedValues.append(true)
                    if requestedValues.count == 1 {
                        try await held.hold()
                    }
                },
                removeFromList: { _ in requestedValues.append(false) }
            )
        )
        var toggles: [Task<Void, any Error>] = []
        for number in 1...count {
            toggles.append(
                await started { try await viewModel.toggleMembership(inListWithID: "summer") }
            )
            #expect(viewModel.holding == (number % 2 == 1 ? ["Summer"] : []))
        }

        try held.release()
        for toggle in toggles { try await toggle.value }

        #expect(requestedValues == (count % 2 == 1 ? [true] : [true, false]))
        #expect(viewModel.holding == (count % 2 == 1 ? ["Summer"] : []))
    }

    // Rule: screen/lists-are-independent (39)
    @Test func `toggles of different lists run concurrently`() async throws {
        let held = ActionGate<Void>()
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in try await held.hold() })
        )
        let summer = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let wishlist = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }
        #expect(held.count == 2)

        for _ in 0..<2 { try held.release() }
        for toggle in [summer, wishlist] { try await toggle.value }

        #expect(viewModel.holding == ["Wishlist", "Summer"])
    }

    @Test func `toggling a list that is not shown throws notFound without a request`() async throws
    {
        var unexpected: [UnimplementedAction] = []
        let viewModel = ListMembershipViewModel(.only(otherwise: { unexpected.append($0) }))

        await #expect(throws: ListError.notFound("winter")) {
            try await viewModel.toggleMembership(inListWithID: "winter")
        }

        #expect(viewModel.lastError?.kind == .toggleMembership("winter"))
        #expect(unexpected.isEmpty && viewModel.rows.count == 2)
    }

    @Test func `a list that no longer exists is removed from the screen, and the error stays`()
        async throws
    {
        let viewModel = ListMembershipViewModel(
            .only(addToList: { throw ListError.notFound($0) })
        )

        await #expect(throws: ListError.notFound("summer")) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        #expect(viewModel.rows.map(\.id) == ["wishlist"])
        #expect(viewModel.lastError?.underlying as? ListError == .notFound("summer"))
    }

    // Rule: screen/not-found-means-deleted (20); screen/deleted-product-rejects-edits (21)
    @Test func `a deleted product cannot be added to a list, but can be removed from one`()
        async throws
    {
        var calls: [String] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { list in
                    calls.append("add \(list)")
                    throw ProductError.notFound(Product.boots.id)
                },
                removeFromList: { calls.append("remove \($0)") }
            ),
            lists: [.wishlist(holdingBoots: true), .summer]
        )

        for _ in 0..<2 {
            await #expect(throws: ProductError.notFound(Product.boots.id)) {
                try await viewModel.toggleMembership(inListWithID: "summer")
            }
        }
        try await viewModel.toggleMembership(inListWithID: "wishlist")

        #expect(calls == ["add summer", "remove wishlist"] && viewModel.holding.isEmpty)
    }

    @Test func `an unsupported removal throws and leaves the membership unchanged`() async throws {
        let service = ProductService(
            loader: ProductLoader(load: { _ in .boots }),
            listManager: ListManager(
                addProduct: { _, _ in },
                lists: { _ in Page([.wishlist(holdingBoots: true)]) }
            ),
            localUser: .shopper
        )
        let viewModel = service.membershipViewModel(for: .boots)
        try await viewModel.reload()

        await #expect(throws: UnsupportedOperation("removeProduct")) {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }

        #expect(viewModel.holding == ["Wishlist"])
    }
}
