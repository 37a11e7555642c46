import ProductKit
import Testing

/// Taps and additions that are cancelled in flight or while they wait for their turn.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct CancelledWaitingTests {
    // Rule: screen/cancel-rolls-back (47)
    @Test func `a cancelled tap in flight rolls back`() async throws {
        let (hold, letGo) = AsyncStream.makeStream(of: Void.self)
        defer { letGo.finish() }
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                for await _ in hold {}
                throw Offline()
            })
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.isFavorite)

        toggle.cancel()

        await #expect(throws: CancellationError.self) { try await toggle.value }
        #expect(!viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `a cancelled tap in line leaves at once`() async throws {
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
        #expect(!viewModel.isFavorite)

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }

        #expect(wishes == [true] && viewModel.isFavorite && viewModel.lastError == nil)
        try held.resume()
        try await first.value
        #expect(wishes == [true] && viewModel.isFavorite)
    }

    // Rule: screen/status-is-always-consistent (38); screen/cancel-rolls-back (47)
    @Test func `a cancelled tap that was carried out is undone by its opposite behind it`()
        async throws
    {
        let (hold, letGo) = AsyncStream.makeStream(of: Void.self)
        defer { letGo.finish() }
        var server = Product.boots
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                server.isFavorite = wanted
                if wanted {
                    for await _ in hold {}
                    throw Offline()
                }
                return server
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        first.cancel()

        await #expect(throws: CancellationError.self) { try await first.value }
        try await second.value
        #expect(!viewModel.isFavorite && !server.isFavorite)
    }

    // Rule: screen/status-is-always-consistent (38); screen/reset-drops-responses (48)
    @Test func `a tap cancelled by signing out leaves no doubt to the next user`() async throws {
        let held = Held<Product>()
        var wishes: [Bool] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                guard wishes.count < 3 else { return .boots }
                return try await held.suspend()
            }),
            store: store
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }

        store.reset()
        try held.fail()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }
        try held.fail()

        await #expect(throws: Offline()) { try await second.value }
        try await third.value
        #expect(wishes == [true, true])
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `a cancelled addition in line leaves at once`() async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let third = await started { try await viewModel.addProductToList(withID: "wishlist") }

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }

        #expect(calls == 1 && viewModel.lastError == nil)
        try held.resume()
        try await first.value
        try await third.value
        #expect(calls == 1 && viewModel.lastError == nil)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `the one behind a cancelled tap still gets its turn`() async throws {
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
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }
        let fourth = await started { try await viewModel.toggleProductFavoriteStatus() }

        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        try held.resume()
        try await first.value
        try await second.value
        try await fourth.value

        #expect(wishes == [true, false] && !viewModel.isFavorite)
    }

    // Rule: screen/cancel-rolls-back (47)
    @Test func `one cancelled as its turn comes passes it on`() async throws {
        let held = Held<Void>()
        var second: Task<Void, any Error>?
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                guard calls == 1 else { return }
                try await held.suspend()
                second?.cancel()
                throw Offline()
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        second = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let third = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.resume()

        await #expect(throws: Offline()) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second?.value }
        try await third.value
        #expect(calls == 2)
        try await viewModel.addProductToList(withID: "wishlist")
        #expect(calls == 3 && viewModel.lastError == nil)
    }
}
