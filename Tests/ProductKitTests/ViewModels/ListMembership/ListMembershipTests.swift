import ProductKit
import Testing

/// The user's lists, and the product's membership in them: loading, display and toggles.
///
/// The cited rules are those of the favorite status, applied to the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipTests {
    @Test func `a reload shows each list once, and which of them contain the product`()
        async throws
    {
        let rejected = RejectedElement(index: 2, member: "name", reason: "It is missing.")
        let lists: [ProductList] = [.summer, .wishlist(holdingBoots: true), .summer]
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { Page(lists, rejected: [rejected]) }),
            lists: []
        )
        #expect(viewModel.rows.isEmpty && viewModel.phase == .idle)

        try await viewModel.reload()

        #expect(viewModel.rows.map(\.name) == ["Summer", "Wishlist"])
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .loaded && viewModel.rejected == [rejected])
    }

    @Test func `a screen opens with the lists that it is created with`() {
        let lists: [ProductList] = [.summer, .wishlist(holdingBoots: true)]
        let viewModel = ListMembershipViewModel(.only(), lists: lists)

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"])
        #expect(viewModel.holding == ["Wishlist"] && viewModel.phase == .idle)
    }

    // Rule: screen/edit-shows-at-once (25); screen/rollback-keeps-newer-content (28)
    // Rule: screen/lists-are-independent (39); screen/success-clears-its-own-error (18)
    @Test func `toggles are shown at once, and a failure rolls back only its own list`()
        async throws
    {
        let held = ActionGate<Void>()
        let viewModel = ListMembershipViewModel(.only(addToList: { _ in try await held.hold() }))
        let summer = await started { try await viewModel.toggle("summer") }
        #expect(viewModel.holding == ["Summer"])
        let wishlist = await started { try await viewModel.toggle("wishlist") }
        #expect(viewModel.holding == ["Wishlist", "Summer"] && held.count == 2)

        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await summer.value }
        #expect(viewModel.holding == ["Wishlist"] && viewModel.phase == .idle)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())

        try held.release()
        try await wishlist.value
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.lastError?.kind == .toggleMembership("summer"))

        let again = await started { try await viewModel.toggle("summer") }
        try held.release()
        try await again.value
        #expect(viewModel.holding == ["Wishlist", "Summer"] && viewModel.lastError == nil)
    }

    // Rule: screen/quick-taps-send-the-last (30)
    @Test(arguments: 1...4)
    func `rapid toggles show the last value immediately and need at most two calls`(
        count: Int
    ) async throws {
        let held = ActionGate<Void>()
        var requestedValues: [Bool] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in
                    requestedValues.append(true)
                    if requestedValues.count == 1 { try await held.hold() }
                },
                removeFromList: { _ in requestedValues.append(false) }
            )
        )
        var toggles: [Task<Void, any Error>] = []
        for number in 1...count {
            toggles.append(await started { try await viewModel.toggle("summer") })
            #expect(viewModel.holding == (number % 2 == 1 ? ["Summer"] : []))
        }

        try held.release()
        for toggle in toggles { try await toggle.value }

        #expect(requestedValues == (count % 2 == 1 ? [true] : [true, false]))
        #expect(viewModel.holding == (count % 2 == 1 ? ["Summer"] : []))
    }

    // Rule: screen/errors-can-be-dismissed (17)
    @Test func `toggling a list that is not shown throws notFound without a request`() async throws
    {
        let viewModel = ListMembershipViewModel(.only(otherwise: { Issue.record($0) }))

        await #expect(throws: ListError.notFound("winter")) { try await viewModel.toggle("winter") }

        #expect(viewModel.lastError?.kind == .toggleMembership("winter"))
        #expect(viewModel.rows.count == 2)
        viewModel.lastError = nil
        #expect(viewModel.lastError == nil && viewModel.phase == .idle)
    }

    // Rule: screen/not-found-means-deleted (20); screen/deleted-product-rejects-edits (21)
    @Test
    func `a deleted product can be removed from a list, and added to none, not even a new one`()
        async throws
    {
        let notFound = ProductError.notFound(Product.boots.id)
        var calls: [String] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { list in
                    calls.append("add \(list)")
                    throw notFound
                },
                removeFromList: { calls.append("remove \($0)") }
            ),
            lists: [.wishlist(holdingBoots: true), .summer]
        )

        for _ in 0..<2 {
            await #expect(throws: notFound) { try await viewModel.toggle("summer") }
        }
        // No list is created for it, either.
        await #expect(throws: notFound) { try await viewModel.perform(.createList) }
        #expect(viewModel.lastError?.kind == .createList)
        try await viewModel.toggle("wishlist")

        #expect(calls == ["add summer", "remove wishlist"] && viewModel.holding.isEmpty)
    }
}
