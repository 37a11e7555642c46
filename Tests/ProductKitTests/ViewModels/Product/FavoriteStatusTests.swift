import ProductKit
import Testing

/// The favorite status during and after a toggle, and the reloads that overlap with it.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct FavoriteStatusTests {
    // Rule: screen/edit-shows-at-once (25)
    @Test func `a toggle is shown before its action suspends`() async throws {
        let held = ActionGate<Product>()
        var statusInAction: Bool?
        weak var screen: ProductViewModel?
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                statusInAction = screen?.isFavorite
                return try await held.hold()
            })
        )
        screen = viewModel

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        #expect(statusInAction == true)
        #expect(viewModel.isFavorite && viewModel.product.isFavorite)
        #expect(viewModel.phase == .idle)
        try held.release(returning: .favoriteBoots)
        try await toggle.value
        #expect(viewModel.isFavorite && viewModel.phase == .idle)
    }

    // Rule: screen/toggle-updates-content (27); screen/later-reload-changes-status (36)
    @Test func `a toggle updates the content, and a later reload content and status`() async throws
    {
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, toggleFavorite: { .boots(named: "New", isFavorite: $0) })
        )

        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.product == .boots(named: "New", isFavorite: true))
        #expect(viewModel.phase == .idle)
        try await viewModel.reload()

        #expect(viewModel.product == .boots)
    }

    // Rule: screen/reload-keeps-pending-edit (34); screen/toggle-updates-content (27)
    @Test func `a reload during a toggle updates only the content, and the toggle keeps it`()
        async throws
    {
        let product = HeldProduct()
        let viewModel = product.screen
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }

        try product.loads.release(returning: .boots(named: "New"))
        try await reload.value
        #expect(viewModel.title == "New" && viewModel.isFavorite)
        try product.toggles.release(returning: .boots(named: "Old", isFavorite: true))
        try await toggle.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
    }

    // Rule: screen/earlier-reload-keeps-status (35); screen/later-reload-wins (12)
    // Rule: screen/toggle-updates-content (27)
    @Test(arguments: [true, false])
    func `a reload that starts before the response to a toggle keeps the status`(
        startsBeforeToggle: Bool
    ) async throws {
        let product = HeldProduct()
        let viewModel = product.screen
        var reload: Task<Void, any Error>?
        if startsBeforeToggle { reload = await started { try await viewModel.reload() } }
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        if !startsBeforeToggle { reload = await started { try await viewModel.reload() } }

        try product.toggles.release(returning: .boots(named: "Toggled", isFavorite: true))
        try await toggle.value
        try product.loads.release(returning: .boots(named: "Reloaded"))
        try await reload?.value

        #expect(viewModel.isFavorite && viewModel.phase == .loaded)
        #expect(viewModel.title == (startsBeforeToggle ? "Toggled" : "Reloaded"))
    }

    // Rule: screen/reload-resolves-unknown-outcome (37); screen/rollback-keeps-newer-content (28)
    @Test(arguments: [true, false])
    func `a reload during or after a failed toggle resolves its unknown outcome`(
        isDuringToggle: Bool
    ) async throws {
        let product = HeldProduct()
        let viewModel = product.screen
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }

        if isDuringToggle {
            try product.loads.release(returning: .favoriteBoots)
            try await reload.value
        }
        try product.toggles.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }
        #expect(viewModel.isFavorite == isDuringToggle)
        if !isDuringToggle {
            try product.loads.release(returning: .favoriteBoots)
            try await reload.value
        }

        #expect(viewModel.isFavorite)
    }

    // Rule: screen/rollback-keeps-newer-content (28)
    @Test func `a failed toggle is rolled back, thrown and stored, and keeps the phase`()
        async throws
    {
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, toggleFavorite: { _ in throw Offline() })
        )
        try await viewModel.reload()

        await #expect(throws: Offline()) { try await viewModel.toggleProductFavoriteStatus() }

        #expect(!viewModel.isFavorite && viewModel.phase == .loaded)
        #expect(viewModel.lastError?.kind == .toggleFavorite)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
    }
}
