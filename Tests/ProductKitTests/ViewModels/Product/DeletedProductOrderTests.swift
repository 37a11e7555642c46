import ProductKit
import Testing

/// "Not found" among older and newer answers.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct DeletedProductOrderTests {
    let gone = ProductError.notFound("walking-boots")

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `an older success does not undo not found`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(reload: { try await held.suspend() })
        )
        let older = await started { try await viewModel.reload() }
        let newer = await started { try await viewModel.reload() }

        try held.fail(gone, at: 1)
        await #expect(throws: gone) { try await newer.value }
        try held.resume(returning: .boots(named: "Old"))
        await #expect(throws: gone) { try await older.value }

        #expect(viewModel.phase == .deleted && viewModel.title == "Walking Boots")
        #expect(viewModel.lastError?.underlying as? ProductError == gone)
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `not found again counts from its own asking`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(reload: { try await held.suspend() })
        )
        var reloads: [Task<Void, any Error>] = []
        for _ in 1...3 { reloads.append(await started { try await viewModel.reload() }) }

        try held.fail(gone)
        await #expect(throws: gone) { try await reloads[0].value }
        try held.fail(gone, at: 1)
        await #expect(throws: gone) { try await reloads[2].value }
        try held.resume(returning: .boots(named: "Old"))
        await #expect(throws: gone) { try await reloads[1].value }

        #expect(viewModel.phase == .deleted && viewModel.title == "Walking Boots")
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `an older toggle does not undo not found`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(
                reload: { throw gone },
                toggleFavorite: { _ in
                    try await held.suspend()
                }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        await #expect(throws: gone) { try await viewModel.reload() }
        try held.resume(returning: .favoriteBoots)
        await #expect(throws: gone) { try await toggle.value }

        #expect(viewModel.phase == .deleted)
    }

    // Rule: screen/not-found-follows-request-order (23)
    @Test func `an older not found does not delete what a later answer brought`() async throws {
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
        let older = await started { try await viewModel.reload() }
        let newer = await started { try await viewModel.reload() }

        try loads.resume(returning: .boots(named: "New"), at: 1)
        try await newer.value
        try loads.fail(gone)
        try await older.value
        try toggles.fail(gone)
        await #expect(throws: gone) { try await toggle.value }

        #expect(viewModel.phase == .loaded && viewModel.title == "New")
        #expect(!viewModel.isFavorite)
    }
}
