import ProductKit
import Testing

/// Actions whose outcome is `saved`, in stores without an outbox.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SavedOutcomeTests {
    private let store = ProductStore()

    // Rule: outbox/saved-is-not-a-failure (72); screen/toggle-notifies-once (54)
    // Rule: outbox/saved-edit-shows-everywhere (69)
    @Test func `an edit that was saved is shown as unsent on all screens and not as a failure`()
        async throws
    {
        let screen = ProductViewModel(.toggling { _ in .saved }, store: store)
        let other = ProductViewModel(.only(), store: store)
        let (status, title) = (Watcher { screen.isFavorite }, Watcher { screen.title })
        let unsent = Watcher { screen.isFavoriteUnsent }

        try await screen.toggleProductFavoriteStatus()

        for screen in [screen, other, ProductViewModel(.only(), store: store)] {
            #expect(screen.isFavorite && screen.isFavoriteUnsent)
        }
        #expect(screen.lastError == nil && screen.phase == .idle)
        #expect(status.changes == 1 && unsent.changes == 1 && title.changes == 0)
    }

    // Rule: outbox/saved-is-not-a-failure (72); outbox/saving-failure-rolls-back (90)
    @Test(
        arguments: [
            (Offline(), false), (OutboxError(.storageFailed), true),
            (ListError.reservedName("Favorites"), true), (ListError.notFound("wishlist"), false),
        ] as [(any Error, Bool)]
    )
    func `a saved edit clears the failure of one that could not be saved, and no other`(
        error: any Error,
        isCleared: Bool
    ) async throws {
        var toggle: Result<EditOutcome<Product?>, any Error> = .failure(error)
        var actions = ProductViewModel.Actions.toggling { _ in try toggle.get() }
        actions.reload = { throw Offline() }
        let screen = ProductViewModel(actions)
        await #expect(throws: (any Error).self) { try await screen.toggleProductFavoriteStatus() }
        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        #expect(screen.lastError?.kind == .toggleFavorite)
        toggle = .success(.saved)

        try await screen.toggleProductFavoriteStatus()
        #expect(screen.isFavorite && (screen.lastError == nil) == isCleared)
        try? await screen.reload()
        try await screen.toggleProductFavoriteStatus()

        #expect(screen.lastError?.kind == .reload && screen.phase == .failed)
    }

    // Rule: outbox/saved-is-not-a-failure (72)
    @Test func `an edit that is not needed, because its value is saved, leaves failures unchanged`()
        async throws
    {
        let gate = ActionGate<EditOutcome<Product?>>()
        let screen = ProductViewModel(.toggling { _ in try await gate.hold() })
        let failing = await tap(screen)
        try gate.release(throwing: Offline())
        await #expect(throws: Offline.self) { try await failing.value }

        let taps = [await tap(screen), await tap(screen), await tap(screen)]
        try gate.release(returning: .saved)
        for tap in taps { try await tap.value }

        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        #expect(screen.lastError?.kind == .toggleFavorite)
    }

    // Rule: outbox/saved-stays-without-outbox (73)
    @Test func `a saved edit stays until the response to a later request`() async throws {
        let gate = ActionGate<Product>()
        var actions = ProductViewModel.Actions.toggling { _ in .saved }
        actions.reload = { try await gate.hold() }
        let screen = ProductViewModel(actions, store: store)
        let earlier = await started { try await screen.reload() }
        try await screen.toggleProductFavoriteStatus()

        gate.open(returning: .boots(named: "Loaded"))
        try await earlier.value
        #expect(screen.isFavorite && screen.isFavoriteUnsent && screen.title == "Loaded")

        try await screen.reload()
        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
    }

    // Rule: outbox/saved-stays-without-outbox (73)
    @Test func `a confirmed edit replaces a saved one`() async throws {
        var isOffline = true
        let screen = ProductViewModel(
            .toggling { isFavorite in
                isOffline
                    ? .saved : .confirmed(.boots(named: "Boots", isFavorite: isFavorite))
            }
        )
        try await screen.toggleProductFavoriteStatus()
        isOffline = false

        try await screen.toggleProductFavoriteStatus()

        #expect(!screen.isFavorite && !screen.isFavoriteUnsent && screen.title == "Boots")
    }

    // Rule: outbox/last-edit-then-saved (71)
    @Test func `an edit is sent if its value differs from the saved one`() async throws {
        var calls: [Bool] = []
        let gate = ActionGate<EditOutcome<Product?>>()
        let screen = ProductViewModel(
            .toggling { isFavorite in
                calls.append(isFavorite)
                return try await gate.hold()
            }
        )
        let taps = [await tap(screen), await tap(screen), await tap(screen)]

        try gate.release(returning: .saved)
        for tap in taps { try await tap.promptValue }
        #expect(calls == [true] && screen.isFavorite && screen.isFavoriteUnsent)

        let opposite = await tap(screen)
        #expect(!screen.isFavorite)
        try gate.release(returning: .saved)
        try await opposite.promptValue
        #expect(calls == [true, false] && !screen.isFavorite && screen.isFavoriteUnsent)
    }

    // Rule: outbox/cancelled-edit-stays-saved (91)
    @Test func `an edit that was saved before its task was cancelled stays`() async throws {
        let gate = ActionGate<EditOutcome<Product?>>(ignoresCancellation: true)
        let screen = ProductViewModel(.toggling { _ in try await gate.hold() })
        let tap = await tap(screen)

        tap.cancel()
        try gate.release(returning: .saved)
        try await tap.promptValue

        #expect(screen.isFavorite && screen.isFavoriteUnsent && screen.lastError == nil)
    }

    // Rule: outbox/reset-drops-saved-edits (89)
    @Test func `an edit that is saved after a sign-out is not shown`() async throws {
        let gate = ActionGate<EditOutcome<Product?>>()
        let screen = ProductViewModel(.toggling { _ in try await gate.hold() }, store: store)
        let tap = await tap(screen)

        store.reset()
        try gate.release(returning: .saved)

        await #expect(throws: CancellationError.self) { try await tap.promptValue }
        #expect(!screen.isFavorite && !screen.isFavoriteUnsent && screen.lastError == nil)
    }

    // Rule: outbox/reset-drops-saved-edits (89)
    @Test func `a list that is saved after a sign-out is not shown, and gets no product`()
        async throws
    {
        let gate = ActionGate<EditOutcome<ProductList>>()
        var actions = ListMembershipViewModel.Actions.only(otherwise: { Issue.record($0) })
        actions.createList = { _ in try await gate.hold() }
        let lists = ListMembershipViewModel(actions, lists: [], store: store)
        let creation = await started { try await lists.addProductToNewList(named: "Summer") }

        store.reset()
        try gate.release(returning: .saved)

        await #expect(throws: CancellationError.self) { try await creation.promptValue }
        #expect(lists.rows.isEmpty && lists.lastError == nil)
    }

    // Rule: outbox/reset-drops-saved-edits (89)
    @Test func `a saved list gets no product if the user signs out before that`() async throws {
        let store = store
        var actions = ListMembershipViewModel.Actions.only(otherwise: { Issue.record($0) })
        actions.createList = { _ in
            // On the main actor, it precedes the task that adds the product.
            Task { @MainActor in store.reset() }
            return .saved
        }
        let lists = ListMembershipViewModel(actions, lists: [], store: store)

        await #expect(throws: CancellationError.self) {
            try await lists.addProductToNewList(named: "Summer")
        }

        #expect(lists.rows.isEmpty && lists.lastError == nil)
    }

    // Rule: outbox/reset-drops-saved-edits (89)
    @Test func `a sign-out drops saved edits`() async throws {
        let screen = ProductViewModel(.toggling { _ in .saved }, store: store)
        var actions = ListMembershipViewModel.Actions.only()
        actions.addToList = { _ in .saved }
        let lists = ListMembershipViewModel(actions, store: store)
        try await screen.toggleProductFavoriteStatus()
        try await lists.toggleMembership(inListWithID: "wishlist")
        let row = try #require(lists.rows.first)

        store.reset()

        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        #expect(!row.holdsProduct && !row.isUnsent)
    }

    // Rule: outbox/saved-is-not-a-failure (72)
    @Test func `saved memberships are shown as unsent`() async throws {
        let calls = Lines()
        var actions = ListMembershipViewModel.Actions.only()
        actions.addToList = { id in
            calls.add("add \(id)")
            return .saved
        }
        actions.removeFromList = { id in
            calls.add("remove \(id)")
            return .saved
        }
        let summer = ProductList(id: "summer", name: "Summer", products: [Product.boots.id])
        let lists = ListMembershipViewModel(actions, lists: [.wishlist, summer], store: store)
        var productActions = ProductViewModel.Actions.only()
        productActions.addToList = { _ in .saved }
        let screen = ProductViewModel(productActions, store: store)

        for row in lists.rows { try await lists.toggleMembership(inListWithID: row.id) }
        #expect(calls.all == ["add wishlist", "remove summer"])
        #expect(lists.holding == ["Wishlist"] && lists.unsent == ["Wishlist", "Summer"])
        try await screen.addProductToList(withID: "summer")

        #expect(lists.holding == ["Wishlist", "Summer"] && lists.lastError == nil)
    }

    // Rule: outbox/saved-stays-without-outbox (73)
    @Test func `a list that was saved is shown until the lists are loaded`() async throws {
        var actions = ListMembershipViewModel.Actions.only(loadLists: { Page([.wishlist]) })
        actions.addToList = { _ in .saved }
        actions.createList = { _ in .saved }
        let lists = ListMembershipViewModel(actions, lists: [.wishlist])

        try await lists.addProductToNewList(named: "Summer")
        #expect(lists.names == ["Wishlist", "Summer"] && lists.holding == ["Summer"])
        #expect(lists.unsent == ["Summer"] && lists.lastError == nil)

        try await lists.reload()
        #expect(lists.names == ["Wishlist"])
    }

    private func tap(_ screen: ProductViewModel) async -> Task<Void, any Error> {
        await started { try await screen.toggleProductFavoriteStatus() }
    }
}

extension ProductViewModel.Actions {
    fileprivate static func toggling(
        _ toggleFavorite: @escaping Updating<Bool, EditOutcome<Product?>>
    ) -> ProductViewModel.Actions {
        var actions = ProductViewModel.Actions.only()
        actions.toggleFavorite = toggleFavorite
        return actions
    }
}
