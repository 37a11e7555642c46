import ProductKit
import Testing

/// The order of “not found” among the responses to earlier and later requests.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NotFoundOrderTests {
    let notFound = ProductError.notFound("walking-boots")

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `the success of an earlier reload does not undo “not found”`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try held.release(throwing: notFound, at: 1)
        await #expect(throws: notFound) { try await later.value }
        try held.release(returning: .boots(named: "Old"))
        await #expect(throws: notFound) { try await earlier.value }

        #expect(viewModel.phase == .deleted && viewModel.title == "Walking Boots")
        #expect(viewModel.lastError?.underlying as? ProductError == notFound)
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `a second “not found” counts from the start of its own request`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        var reloads: [Task<Void, any Error>] = []
        for _ in 1...3 { reloads.append(await started { try await viewModel.reload() }) }

        try held.release(throwing: notFound)
        await #expect(throws: notFound) { try await reloads[0].value }
        try held.release(throwing: notFound, at: 1)
        await #expect(throws: notFound) { try await reloads[2].value }
        try held.release(returning: .boots(named: "Old"))
        await #expect(throws: notFound) { try await reloads[1].value }

        #expect(viewModel.phase == .deleted && viewModel.title == "Walking Boots")
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `the success of an earlier toggle does not undo “not found”`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(
                reload: { throw notFound },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        await #expect(throws: notFound) { try await viewModel.reload() }
        try held.release(returning: .favoriteBoots)
        try await toggle.value

        #expect(viewModel.phase == .deleted)
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `“not found” of an earlier request does not undo a later response`() async throws {
        let loads = ActionGate<Product>(ignoresCancellation: true)
        let toggles = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.hold() },
                toggleFavorite: { _ in try await toggles.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try loads.release(returning: .boots(named: "New"), at: 1)
        try await later.value
        try loads.release(throwing: notFound)
        try await earlier.value
        try toggles.release(throwing: notFound)
        await #expect(throws: notFound) { try await toggle.value }

        #expect(viewModel.phase == .loaded && viewModel.title == "New")
        #expect(!viewModel.isFavorite)
    }

    // Rule: screen/not-found-follows-request-order (23)
    // Rule: screen/response-after-cancellation-counts (46)
    @Test(arguments: [true, false])
    func `“not found” counts although the task was cancelled`(isReload: Bool) async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.hold() },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let earlier = await started { try await viewModel.reload() }
        let cancelled = await started {
            isReload
                ? try await viewModel.reload() : try await viewModel.toggleProductFavoriteStatus()
        }

        cancelled.cancel()
        try held.release(throwing: notFound, at: 1)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(viewModel.lastError == nil)
        try held.release(returning: .boots(named: "Old"))
        await #expect(throws: notFound) { try await earlier.value }

        #expect(viewModel.phase == .deleted && viewModel.title == "Walking Boots")
    }

    // Rule: screen/restored-product-clears-not-found (61)
    @Test func `a page that restores a product clears “not found” on all of its screens`()
        async throws
    {
        let store = ProductStore()
        let viewModel = ProductViewModel(.only(reload: { throw notFound }), store: store)
        let sheet = ListMembershipViewModel(
            .only(addToList: { _ in throw ListError.notFound("summer") }),
            store: store
        )
        await #expect(throws: notFound) { try await viewModel.reload() }
        await #expect(throws: notFound) {
            try await sheet.toggleMembership(inListWithID: "wishlist")
        }
        #expect(viewModel.lastError?.kind == .reload && sheet.lastError != nil)
        let failure = Watcher { viewModel.lastError == nil }

        let catalog = CatalogViewModel(.only(loadPage: { _, _ in Page([.boots]) }), store: store)
        try await catalog.search("")

        #expect(viewModel.phase == .loaded && viewModel.lastError == nil && failure.changes > 0)
        #expect(sheet.lastError == nil)
        // Other failures stay.
        await #expect(throws: ListError.notFound("summer")) {
            try await sheet.toggleMembership(inListWithID: "summer")
        }
        try await catalog.refresh()
        #expect(sheet.lastError?.kind == .toggleMembership("summer"))
    }

    // Rule: screen/rollback-keeps-newer-content (28)
    @Test func `the failure of a toggle stays although a later response has the product`()
        async throws
    {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, toggleFavorite: { _ in try await held.hold() })
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        try await viewModel.reload()

        try held.release(throwing: notFound)
        await #expect(throws: notFound) { try await toggle.value }

        #expect(viewModel.lastError?.kind == .toggleFavorite && viewModel.phase == .loaded)
    }
}
