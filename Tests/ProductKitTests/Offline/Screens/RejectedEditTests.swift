import ProductKit
import Testing

/// Saved edits of a product that the server refuses.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct RejectedEditTests {
    private let screens = SavingScreens()

    // Rule: outbox/rejection-shows-server-value (79); outbox/rejection-shows-on-all-screens (80)
    @Test func `a refused edit is rolled back, and all screens of the product show the error`()
        async throws
    {
        let screen = screens.productScreen(showing: .favoriteBoots)
        let (other, lists) = (screens.productScreen(), screens.listScreen())
        let tent = screens.productScreen(showing: Product(id: "tent", name: "Tent"))
        try await screen.toggleProductFavoriteStatus()
        #expect(!screen.isFavorite)

        try await screens.refuse()

        #expect(screen.isFavorite && !screen.isFavoriteUnsent && screen.phase == .idle)
        for error in [screen.lastError, other.lastError, lists.lastError] {
            #expect(error?.kind == .toggleFavorite)
            #expect((error?.underlying as? NetworkError)?.code == .forbidden)
        }
        #expect(tent.lastError == nil)
        #expect(screens.productScreen().lastError?.kind == .toggleFavorite)
    }

    // Rule: outbox/rejection-shows-on-all-screens (80)
    @Test func `a failure of the screen itself is shown first`() async throws {
        let screen = try await screens.refusedScreen(reload: { throw Offline() })
        let other = screens.productScreen()

        await #expect(throws: Offline()) { try await screen.reload() }

        #expect(screen.lastError?.kind == .reload && other.lastError?.kind == .toggleFavorite)
    }

    // Rule: outbox/rejection-is-dismissed-everywhere (81)
    @Test(arguments: 0..<3)
    func `an error that is dismissed on one screen is dismissed on all`(index: Int) async throws {
        let screen = try await screens.refusedScreen()
        let (other, lists) = (screens.productScreen(), screens.listScreen())
        try await lists.toggleMembership(inListWithID: "wishlist")
        try await screens.refuse()

        switch index {
        case 0: screen.lastError = nil
        case 1: other.lastError = nil
        default: lists.lastError = nil
        }

        #expect(screen.lastError == nil && other.lastError == nil && lists.lastError == nil)
    }

    // Rule: outbox/rejection-is-dismissed-everywhere (81)
    @Test func `a failure of the screen itself is dismissed without that of the refused edit`()
        async throws
    {
        let screen = screens.productScreen(reload: { throw Offline() })
        let lists = screens.listScreen(loadLists: { throw Offline() })
        await #expect(throws: Offline()) { try await screen.reload() }
        await #expect(throws: Offline()) { try await lists.reload() }
        try await screen.toggleProductFavoriteStatus()
        try await screens.refuse()
        #expect(screen.lastError?.kind == .reload && lists.lastError?.kind == .reload)

        (screen.lastError, lists.lastError) = (nil, nil)
        #expect(screen.lastError?.kind == .toggleFavorite)
        #expect(lists.lastError?.kind == .toggleFavorite)

        lists.lastError = nil
        #expect(screen.lastError == nil && lists.lastError == nil)
    }

    // Rule: outbox/rejection-is-dismissed-everywhere (81)
    @Test func `the refusal of a new list is dismissed only after it was shown`() async throws {
        let lists = screens.listScreen()
        let screen = try await screens.refusedScreen()
        try await lists.addProductToNewList(named: "Summer")
        try await screens.refuse()
        #expect(lists.lastError?.kind == .toggleFavorite)

        lists.lastError = nil
        #expect(lists.lastError?.kind == .createList && screen.lastError == nil)

        lists.lastError = nil
        #expect(lists.lastError == nil)
    }

    // Rule: outbox/confirmation-clears-rejection (82)
    @Test func `only a confirmed edit of the same subject clears the error`() async throws {
        let lists = screens.listScreen()
        let screen = try await screens.refusedScreen()

        try await lists.toggleMembership(inListWithID: "wishlist")
        try await screens.confirm()
        #expect(screen.lastError?.kind == .toggleFavorite)
        try await screen.reload()
        try await screen.toggleProductFavoriteStatus()
        #expect(screen.lastError?.kind == .toggleFavorite && screen.isFavorite)
        try await screens.confirm()

        #expect(screen.lastError == nil && lists.lastError == nil)
        #expect(screen.isFavorite && lists.holding == ["Wishlist"])
    }

    // Rule: outbox/confirmation-clears-rejection (82); screen/quick-taps-send-the-last (30)
    @Test func `an edit that need not be saved does not clear the error`() async throws {
        let screen = try await screens.refusedScreen()

        let taps = [await tap(screen), await tap(screen), await tap(screen)]
        for tap in taps { try await tap.value }

        #expect(screen.isFavorite && screens.outbox.changes.count == 1)
        #expect(screen.lastError?.kind == .toggleFavorite)
    }

    // Rule: outbox/confirmation-clears-rejection (82)
    @Test func `an edit that is sent directly clears the error when it is confirmed`()
        async throws
    {
        let screen = try await screens.refusedScreen()
        let direct = ProductViewModel(
            .only(toggleFavorite: { _ in .favoriteBoots }),
            store: screens.store
        )

        try await direct.toggleProductFavoriteStatus()

        #expect(screen.isFavorite && screen.lastError == nil && direct.lastError == nil)
    }

    // Rule: outbox/rejection-shows-on-all-screens (80); outbox/rejection-names-its-list (84)
    @Test func `a refused membership is rolled back, and its error names the list`() async throws {
        let (screen, lists) = (screens.productScreen(), screens.listScreen())
        try await screen.addProductToList(withID: "wishlist")
        #expect(lists.holding == ["Wishlist"] && lists.unsent == ["Wishlist"])

        try await screens.refuse()

        #expect(lists.holding == [] && lists.unsent == [])
        #expect(screen.lastError?.kind == .toggleMembership("wishlist"))
        #expect(lists.lastError?.kind == .toggleMembership("wishlist"))
    }

    // Rule: outbox/rejection-shows-on-all-screens (80)
    @Test func `the latest of several refused edits is shown`() async throws {
        let lists = screens.listScreen()
        let screen = try await screens.refusedScreen()
        try await lists.toggleMembership(inListWithID: "wishlist")
        try await screens.refuse()
        #expect(screen.lastError?.kind == .toggleMembership("wishlist"))

        try await screen.toggleProductFavoriteStatus()
        try await screens.refuse(with: NetworkError(.rejected))

        #expect(screen.lastError?.kind == .toggleFavorite)
        #expect((lists.lastError?.underlying as? NetworkError)?.code == .rejected)
    }

    // Rule: outbox/rejected-edit-shows-next (85)
    @Test func `the edit behind a refused one is shown and sent`() async throws {
        let screen = screens.productScreen()
        try await screen.toggleProductFavoriteStatus()
        await screens.attempts.waitForCalls(1)
        try await screen.toggleProductFavoriteStatus()
        let status = Watcher { screen.isFavorite }

        try await screens.refuse(isCounted: true)
        #expect(!screen.isFavorite && screen.isFavoriteUnsent)
        try await screens.confirm()

        #expect(status.changes == 0 && !screen.isFavoriteUnsent && screen.lastError == nil)
        #expect(screens.sent.last == .setFavorite("walking-boots", to: false))
    }

    // Rule: outbox/rejected-edit-shows-next (85); screen/opposite-edit-after-failure (31)
    @Test(arguments: [false, true])
    func `after a refusal, an edit is sent although it seems to change nothing`(
        firstFails: Bool
    ) async throws {
        let screen = try await screens.refusedScreen()
        var calls: [Bool] = []
        let gate = ActionGate<Product?>()
        let direct = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                calls.append(isFavorite)
                return calls.count == 1 ? try await gate.hold() : nil
            }),
            store: screens.store
        )
        let (first, second) = (await tap(direct), await tap(direct))

        if firstFails {
            try gate.release(throwing: NetworkError(.unreachable))
            await #expect(throws: NetworkError.self) { try await first.promptValue }
        } else {
            try gate.release(returning: nil)
            _ = try? await first.promptValue
        }
        try await second.promptValue

        #expect(calls == [true, false] && !screen.isFavorite)
    }

    // Rule: outbox/rejected-not-found-deletes (86); screen/not-found-means-deleted (20)
    @Test(arguments: [false, true])
    func `a product that is not found for a saved edit is shown as deleted`(
        editsMembership: Bool
    ) async throws {
        let (screen, lists) = (screens.productScreen(), screens.listScreen())
        if editsMembership {
            try await lists.toggleMembership(inListWithID: "wishlist")
        } else {
            try await screen.toggleProductFavoriteStatus()
        }

        try await screens.refuse(with: ProductError.notFound("walking-boots"))
        #expect(screen.phase == .deleted && !screen.isFavorite)
        #expect(screen.lastError != nil && lists.lastError != nil)

        try await screen.reload()
        #expect(screen.phase == .loaded && screen.lastError == nil && lists.lastError == nil)
    }

    // Rule: outbox/rejected-not-found-deletes (86); screen/not-found-follows-request-order (23)
    @Test func `a reload that started after the attempt keeps the product`() async throws {
        let screen = try await screens.sendingScreen()
        try await screen.reload()

        try await screens.refuse(with: ProductError.notFound("walking-boots"), isCounted: true)

        #expect(screen.phase == .loaded && !screen.isFavorite)
    }

    // Rule: outbox/reset-drops-saved-edits (89)
    @Test func `a sign-out drops the errors of refused edits`() async throws {
        let screen = screens.productScreen()
        let lists = screens.listScreen(loadLists: { Page([.wishlist]) })
        try await screen.toggleProductFavoriteStatus()
        try await screens.refuse()
        try await lists.addProductToNewList(named: "Summer")
        try await screens.refuse()

        screens.store.reset()
        try await lists.reload()

        #expect(screen.lastError == nil && lists.lastError == nil)
    }

    // Rule: outbox/rejection-shows-on-all-screens (80); outbox/unsent-is-observed-apart (88)
    @Test func `a refused edit notifies the observers of the status and of the error once`()
        async throws
    {
        let screen = screens.productScreen()
        try await screen.toggleProductFavoriteStatus()
        let status = Watcher { screen.isFavorite }
        let error = Watcher { screen.lastError?.kind }
        let title = Watcher { screen.title }

        try await screens.refuse()

        #expect(status.changes == 1 && error.changes == 1 && title.changes == 0)
    }

    private func tap(_ screen: ProductViewModel) async -> Task<Void, any Error> {
        await started { try await screen.toggleProductFavoriteStatus() }
    }
}
