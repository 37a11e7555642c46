import ProductKit
import Testing

/// Reloads before, during and after a toggle: which response determines the favorite status.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct FavoriteReloadTests {
    // Rule: screen/reload-keeps-pending-edit (34)
    @Test func `a reload during a toggle updates only the content`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .boots(named: "New") },
                toggleFavorite: { _ in try await held.suspend() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        try await viewModel.reload()

        #expect(viewModel.title == "New" && viewModel.isFavorite)
        try held.resume(returning: .boots(named: "New", isFavorite: true))
        try await toggle.value
        #expect(viewModel.isFavorite)
    }

    // Rule: screen/earlier-reload-keeps-status (35)
    @Test(arguments: [true, false])
    func `a reload that starts before the response to a toggle keeps the status`(
        startsBeforeToggle: Bool
    ) async throws {
        let loads = Held<Product>()
        let toggles = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.suspend() },
                toggleFavorite: { _ in try await toggles.suspend() }
            )
        )
        var reload: Task<Void, any Error>?
        if startsBeforeToggle { reload = await started { try await viewModel.reload() } }
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        if !startsBeforeToggle { reload = await started { try await viewModel.reload() } }

        try toggles.resume(returning: .favoriteBoots)
        try await toggle.value
        try loads.resume(returning: .boots)
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
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .favoriteBoots },
                toggleFavorite: { _ in try await held.suspend() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        try await viewModel.reload()
        try held.fail()
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(viewModel.isFavorite)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test func `a reload that ends after a failed toggle resolves its unknown outcome`()
        async throws
    {
        let loads = Held<Product>()
        let toggles = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.suspend() },
                toggleFavorite: { _ in try await toggles.suspend() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        let reload = await started { try await viewModel.reload() }

        try toggles.fail()
        await #expect(throws: Offline()) { try await toggle.value }
        #expect(!viewModel.isFavorite)
        try loads.resume(returning: .favoriteBoots)
        try await reload.value

        #expect(viewModel.isFavorite)
    }
}
