import ProductKit
import Testing

/// The order of “not found” among the responses to earlier and later requests.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NotFoundOrderTests {
    let notFound = ProductError.notFound("walking-boots")

    // Rule: screen/not-found-follows-request-order (23); screen/not-found-means-deleted (20)
    // Rule: screen/superseded-failure-is-ignored (14)
    @Test(arguments: [true, false])
    func `an earlier reload does not undo “not found”`(succeeds: Bool) async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try held.release(throwing: notFound, at: 1)
        await #expect(throws: notFound) { try await later.value }
        let old = Product.boots(named: "Old", isFavorite: true)
        try held.release(returningOrFailing: succeeds ? old : nil)
        await #expect(throws: notFound) { try await earlier.value }

        #expect(viewModel.phase == .deleted && viewModel.product == .boots)
        #expect(viewModel.lastError?.underlying as? ProductError == notFound)
    }

    // Rule: screen/not-found-means-deleted (20); screen/failure-keeps-content (16)
    @Test(arguments: [true, false], [true, false])
    func `an earlier reload shows the “not found” that another screen has received`(
        succeeds: Bool,
        followsProduct: Bool
    ) async throws {
        let store = ProductStore()
        let product = HeldProduct(in: store)
        let viewModel = product.screen
        let other = ProductViewModel(.only(reload: { throw notFound }), store: store)
        let reload = await started { try await viewModel.reload() }

        if followsProduct {
            try await ProductViewModel(.only(reload: { .boots }), store: store).reload()
        }
        await #expect(throws: notFound) { try await other.reload() }
        try product.loads.release(returningOrFailing: succeeds ? .boots(named: "Old") : nil)
        await #expect(throws: notFound) { try await reload.value }

        #expect(viewModel.phase == .deleted && viewModel.lastError?.kind == .reload)
        #expect(viewModel.lastError?.underlying as? ProductError == notFound)
        _ = try await PageServer([":first": Page([.boots])]).openCatalog(in: store)
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `a second “not found” counts from the start of its own request`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let reloads = await started(times: 3) { try await viewModel.reload() }

        try held.release(throwing: notFound)
        await #expect(throws: notFound) { try await reloads[0].value }
        try held.release(throwing: notFound, at: 1)
        await #expect(throws: notFound) { try await reloads[2].value }
        try held.release(returning: .boots(named: "Old"))
        await #expect(throws: notFound) { try await reloads[1].value }

        #expect(viewModel.phase == .deleted && viewModel.title == "Walking Boots")
    }

    // Rule: screen/not-found-follows-request-order (23)
    // Rule: screen/confirmed-edit-outlasts-product (68)
    @Test func `an earlier toggle is confirmed, and does not undo “not found”`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(reload: { throw notFound }, toggleFavorite: { _ in try await held.hold() })
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        await #expect(throws: notFound) { try await viewModel.reload() }
        try held.release(returning: .favoriteBoots)
        try await toggle.value

        #expect(viewModel.isFavorite && viewModel.phase == .deleted)
    }

    // Rule: screen/not-found-follows-request-order (23); screen/rollback-keeps-newer-content (28)
    @Test func `“not found” of an earlier request does not undo a later response`() async throws {
        let product = HeldProduct()
        let viewModel = product.screen
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try product.loads.release(returning: .boots(named: "New"), at: 1)
        try await later.value
        try product.loads.release(throwing: notFound)
        try await earlier.value
        try product.toggles.release(throwing: notFound)
        await #expect(throws: notFound) { try await toggle.value }

        #expect(viewModel.phase == .loaded && viewModel.title == "New")
        #expect(!viewModel.isFavorite && viewModel.lastError?.kind == .toggleFavorite)
    }

    // Rule: screen/not-found-follows-request-order (23)
    // Rule: screen/response-after-cancellation-counts (46)
    @Test(arguments: [ViewModelFailure.Kind.reload, .toggleFavorite])
    func `“not found” counts although the task was cancelled`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.hold() },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let earlier = await started { try await viewModel.reload() }
        let cancelled = await started { try await viewModel.perform(kind) }

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
}
