import ProductKit
import Testing

/// Reloads before, during and after a toggle: which response determines the favorite status.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct FavoriteReloadTests {
    // Rule: screen/reload-keeps-pending-edit (34)
    @Test func `a reload during a toggle updates only the content`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .boots(named: "New") },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        try await viewModel.reload()

        #expect(viewModel.title == "New" && viewModel.isFavorite)
        try held.release(returning: .boots(named: "New", isFavorite: true))
        try await toggle.value
        #expect(viewModel.isFavorite)
    }

    // Rule: screen/earlier-reload-keeps-status (35)
    @Test(arguments: [true, false])
    func `a reload that starts before the response to a toggle keeps the status`(
        startsBeforeToggle: Bool
    ) async throws {
        let loads = ActionGate<Product>()
        let toggles = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.hold() },
                toggleFavorite: { _ in try await toggles.hold() }
            )
        )
        var reload: Task<Void, any Error>?
        if startsBeforeToggle { reload = await started { try await viewModel.reload() } }
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        if !startsBeforeToggle { reload = await started { try await viewModel.reload() } }

        try toggles.release(returning: .favoriteBoots)
        try await toggle.value
        try loads.release(returning: .boots)
        try await reload?.value

        #expect(viewModel.isFavorite && viewModel.phase == .loaded)
    }

    // Rule: screen/later-reload-changes-status (36)
    @Test func `a reload that starts after the response to a toggle changes the status`()
        async throws
    {
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, toggleFavorite: { _ in .favoriteBoots })
        )

        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.isFavorite)
        try await viewModel.reload()

        #expect(!viewModel.isFavorite)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test func `a reload during a toggle resolves its unknown outcome`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .favoriteBoots },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        try await viewModel.reload()
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(viewModel.isFavorite)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test func `a reload that ends after a failed toggle resolves its unknown outcome`()
        async throws
    {
        let loads = ActionGate<Product>()
        let toggles = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.hold() },
                toggleFavorite: { _ in try await toggles.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }

        try toggles.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }
        #expect(!viewModel.isFavorite)
        try loads.release(returning: .favoriteBoots)
        try await reload.value

        #expect(viewModel.isFavorite)
    }
}
