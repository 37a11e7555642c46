import ProductKit
import Testing

/// Toggles and additions that are cancelled in flight, or while they wait for one in flight.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CancelledEditTests {
    // Rule: screen/cancel-rolls-back (47)
    @Test func `a toggle that is cancelled in flight is rolled back`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(toggleFavorite: { _ in try await held.hold() }))
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.isFavorite)

        toggle.cancel()

        await #expect(throws: CancellationError.self) { try await toggle.value }
        #expect(!viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `a waiting toggle that is cancelled throws immediately`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(!viewModel.isFavorite)

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }

        #expect(server.statuses == [true] && viewModel.isFavorite && viewModel.lastError == nil)
        try server.held.release()
        try await first.value
        #expect(server.statuses == [true] && viewModel.isFavorite)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `a cancelled waiting toggle is not shown while the one in flight ends`() async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var shown: [Bool] = []
        let store = ProductStore()
        let screen = ProductViewModel(.only(), store: store)
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await held.hold()
                shown.append(screen.isFavorite)
                return .favoriteBoots
            }),
            store: store
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        second.cancel()
        try held.release()
        try await first.value

        #expect(shown == [true] && screen.isFavorite)
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    // Rule: screen/status-is-always-consistent (38); screen/cancel-rolls-back (47)
    @Test func `a pending opposite toggle undoes a cancelled one that reached the server`()
        async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var server = Product.boots
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { isFavorite in
                server.isFavorite = isFavorite
                if isFavorite { try await held.hold() }
                return server
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        first.cancel()
        try held.release(throwing: Offline())

        await #expect(throws: CancellationError.self) { try await first.value }
        try await second.value
        #expect(!viewModel.isFavorite && !server.isFavorite)
    }

    // Rule: screen/status-is-always-consistent (38); screen/reset-drops-responses (48)
    @Test(arguments: [true, false])
    func `the next user does not inherit an unknown outcome`(isBeforeReset: Bool) async throws {
        let store = ProductStore()
        let product = HeldProduct(in: store)
        let (screen, toggles) = (product.screen, product.toggles)
        let first = await started { try await screen.toggleProductFavoriteStatus() }

        if isBeforeReset {
            try toggles.release(throwing: NetworkError(.connectionLost))
            await #expect(throws: NetworkError.self) { try await first.value }
            store.reset()
        } else {
            store.reset()
            try toggles.release(throwing: Offline())
            await #expect(throws: CancellationError.self) { try await first.value }
        }
        let second = await started { try await screen.toggleProductFavoriteStatus() }
        let third = await started { try await screen.toggleProductFavoriteStatus() }
        try toggles.release(throwing: NetworkError(.unreachable))

        await #expect(throws: NetworkError.self) { try await second.value }
        try await third.promptValue
        #expect(toggles.count == 0)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `a waiting addition that is cancelled throws immediately`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let additions = await started(times: 3) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        additions[1].cancel()
        await #expect(throws: CancellationError.self) { try await additions[1].promptValue }

        #expect(server.additions.count == 1 && viewModel.lastError == nil)
        try server.held.release()
        try await additions[0].value
        try await additions[2].value
        #expect(server.additions.count == 1 && viewModel.lastError == nil)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `toggles after a cancelled waiting one are still sent`() async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        var toggles = await started(times: 4) { try await viewModel.toggleProductFavoriteStatus() }

        let cancelled = toggles.remove(at: 2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try server.held.release()
        for toggle in toggles { try await toggle.value }

        #expect(server.statuses == [true, false] && !viewModel.isFavorite)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `an addition that is cancelled as it gets the lock passes the lock on`() async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var second: Task<Void, any Error>?
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                guard calls == 1 else { return }
                try await held.hold()
                second?.cancel()
                throw Offline()
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        second = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let third = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.release()

        await #expect(throws: Offline()) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second?.value }
        try await third.promptValue
        #expect(calls == 2)
        try await viewModel.addProductToList(withID: "wishlist")
        #expect(calls == 3 && viewModel.lastError == nil)
    }
}
