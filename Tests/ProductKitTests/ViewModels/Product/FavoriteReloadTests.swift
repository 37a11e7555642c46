import ProductKit
import Testing

/// Reloads around a tap: which of the two tells the favorite status.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct FavoriteReloadTests {
    // Rule: screen/reload-keeps-pending-edit (34)
    @Test func `a reload during a tap brings the content and leaves the flag`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .boots(named: "New") },
                toggleFavorite: { _ in
                    try await held.suspend()
                }
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
    func `a reload asked before the tap settled cannot change the flag`(
        isAskedBeforeTheTap: Bool
    ) async throws {
        let loads = Held<Product>()
        let toggles = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.suspend() },
                toggleFavorite: { _ in
                    try await toggles.suspend()
                }
            )
        )
        var reload: Task<Void, any Error>?
        if isAskedBeforeTheTap { reload = await started { try await viewModel.reload() } }
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        if !isAskedBeforeTheTap { reload = await started { try await viewModel.reload() } }

        try toggles.resume(returning: .favoriteBoots)
        try await toggle.value
        try loads.resume(returning: .boots)
        try await reload?.value

        #expect(viewModel.isFavorite && viewModel.phase == .loaded)
    }

    // Rule: screen/later-reload-changes-status (36)
    @Test func `a reload asked after the tap settled is believed`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, toggleFavorite: { _ in .favoriteBoots })
        )

        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.isFavorite)
        try await viewModel.reload()

        #expect(!viewModel.isFavorite)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test func `when the answer is lost, a reload that saw it applied is believed`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .favoriteBoots },
                toggleFavorite: { _ in
                    try await held.suspend()
                }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        try await viewModel.reload()
        try held.fail()
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(viewModel.isFavorite)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test func `a reload that comes after the loss is believed as well`() async throws {
        let loads = Held<Product>()
        let toggles = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await loads.suspend() },
                toggleFavorite: { _ in
                    try await toggles.suspend()
                }
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
