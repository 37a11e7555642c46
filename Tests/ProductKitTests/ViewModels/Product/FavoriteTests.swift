import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct FavoriteTests {
    // Rule: screen/edit-shows-at-once (25)
    @Test func `a tap shows at once`() async throws {
        let held = Held<Product>()
        var shownToTheAction: Bool?
        weak var shown: ProductViewModel?
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                shownToTheAction = shown?.isFavorite
                return try await held.suspend()
            })
        )
        shown = viewModel

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        #expect(shownToTheAction == true)
        #expect(viewModel.isFavorite && viewModel.product.isFavorite)
        #expect(viewModel.phase == .idle && !viewModel.isLoading)
        try held.resume(returning: .favoriteBoots)
        try await toggle.value
        #expect(viewModel.isFavorite && viewModel.phase == .idle)
    }

    // Rule: screen/edit-shows-at-once (25)
    @Test func `a tap behind another one shows at once too`() async throws {
        let held = Held<Void>()
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                if wishes.count == 1 {
                    try await held.suspend()
                }
                return .boots.with { $0.isFavorite = wanted }
            })
        )

        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(!viewModel.isFavorite && wishes == [true])

        try held.resume()
        try await first.value
        #expect(!viewModel.isFavorite)
        try await second.value
        #expect(!viewModel.isFavorite && wishes == [true, false])
    }

    // Rule: screen/server-status-is-final (26)
    @Test func `the server's answer is final, even against the tap`() async throws {
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
    @Test func `the answer to a tap also brings the content`() async throws {
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { .boots(named: "Hiking Boots", isFavorite: $0) })
        )

        try await viewModel.toggleProductFavoriteStatus()

        #expect(viewModel.title == "Hiking Boots" && viewModel.phase == .idle)
    }

    // Rule: screen/toggle-updates-content (27)
    @Test func `content of a reload asked later stays`() async throws {
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
        try held.resume(returning: .boots(named: "Old", isFavorite: true))
        try await toggle.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
    }

    // Rule: screen/later-reload-wins (12); screen/toggle-updates-content (27)
    @Test func `content of a reload asked before the tap does not come back`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.suspend() },
                toggleFavorite: { .boots(named: "New", isFavorite: $0) }
            )
        )
        let reload = await started { try await viewModel.reload() }

        try await viewModel.toggleProductFavoriteStatus()
        try held.resume(returning: .boots(named: "Old"))
        try await reload.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
        #expect(viewModel.phase == .loaded)
    }

    // Rule: screen/rollback-keeps-newer-content (28)
    @Test func `a failure rolls back, is thrown and stored, and leaves the phase`() async throws {
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
    @Test func `a failure rolls back to what a reload brought meanwhile`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { .boots },
                toggleFavorite: { _ in
                    try await held.suspend()
                }
            ),
            product: .favoriteBoots
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(!viewModel.isFavorite)

        try await viewModel.reload()
        try held.fail()
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(!viewModel.isFavorite)
    }
}
