import ProductKit
import Testing

/// The favorite status during and after a toggle.
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

    // Rule: screen/edit-shows-at-once (25)
    @Test func `a waiting toggle is shown immediately`() async throws {
        let held = ActionGate<Void>()
        var sent: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                sent.append(isFavorite)
                if sent.count == 1 { try await held.hold() }
                return .boots.with { $0.isFavorite = isFavorite }
            })
        )

        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(!viewModel.isFavorite && sent == [true])

        try held.release()
        try await first.value
        #expect(!viewModel.isFavorite)
        try await second.value
        #expect(!viewModel.isFavorite && sent == [true, false])
    }

    // Rule: screen/server-status-is-final (26)
    @Test func `the status in the response is final, even if it is not the requested one`()
        async throws
    {
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                return .boots
            })
        )

        try await viewModel.toggleProductFavoriteStatus()

        #expect(!viewModel.isFavorite && calls == 1)
        #expect(viewModel.lastError == nil)
    }

    // Rule: screen/toggle-updates-content (27)
    @Test func `the response to a toggle updates the content`() async throws {
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { .boots(named: "Hiking Boots", isFavorite: $0) })
        )

        try await viewModel.toggleProductFavoriteStatus()

        #expect(viewModel.title == "Hiking Boots" && viewModel.phase == .idle)
    }

    // Rule: screen/toggle-updates-content (27)
    @Test func `the response to a toggle keeps the content of a later reload`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .boots(named: "New") },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        try await viewModel.reload()
        try held.release(returning: .boots(named: "Old", isFavorite: true))
        try await toggle.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
    }

    // Rule: screen/later-reload-wins (12); screen/toggle-updates-content (27)
    @Test func `an earlier reload does not replace the content of a toggle`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.hold() },
                toggleFavorite: { .boots(named: "New", isFavorite: $0) }
            )
        )
        let reload = await started { try await viewModel.reload() }

        try await viewModel.toggleProductFavoriteStatus()
        try held.release(returning: .boots(named: "Old"))
        try await reload.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
        #expect(viewModel.phase == .loaded)
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

        #expect(!viewModel.isFavorite)
        #expect(viewModel.phase == .loaded)
        #expect(viewModel.lastError?.kind == .toggleFavorite)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
    }

    // Rule: screen/rollback-keeps-newer-content (28)
    @Test func `a failed toggle is rolled back to the status of a later reload`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .boots },
                toggleFavorite: { _ in try await held.hold() }
            ),
            product: .favoriteBoots
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(!viewModel.isFavorite)

        try await viewModel.reload()
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(!viewModel.isFavorite)
    }
}
