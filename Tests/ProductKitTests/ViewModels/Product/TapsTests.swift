import ProductKit
import Testing

/// Several taps on their way at once.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct TapsTests {
    // Rule: screen/one-toggle-in-flight (29)
    @Test func `at most one toggle is in flight, and taps are sent in order`() async throws {
        let held = Held<Void>()
        var wishes: [Bool] = []
        var third: Task<Void, any Error>?
        weak var tapped: ProductViewModel?
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                if wishes.count == 1 {
                    try await held.suspend()
                }
                if wishes.count == 2 {
                    third = await started { try await tapped?.toggleProductFavoriteStatus() }
                    #expect(wishes == [true, false])
                }
                return .boots.with { $0.isFavorite = wanted }
            })
        )
        tapped = viewModel
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(wishes == [true])

        try held.resume()
        for toggle in [first, second] { try await toggle.value }
        try await third?.value

        #expect(wishes == [true, false, true])
        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/quick-taps-send-the-last (30)
    @Test(arguments: 1...12)
    func `rapid taps show their parity and need at most two calls`(count: Int) async throws {
        let held = Held<Void>()
        var server = Product.boots
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                calls += 1
                if calls == 1 { try await held.suspend() }
                server.isFavorite = wanted
                return server
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for number in 1...count {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
            #expect(viewModel.isFavorite == (number % 2 == 1))
        }

        try held.resume()
        for toggle in toggles { try await toggle.value }

        #expect(calls == (count % 2 == 1 ? 1 : 2))
        #expect(viewModel.isFavorite == (count % 2 == 1))
        #expect(server.isFavorite == viewModel.isFavorite)
        #expect(viewModel.lastError == nil)
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test func `a failed tap with its opposite behind it needs no further call`() async throws {
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

        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        try await second.value

        #expect(wishes == [true] && !viewModel.isFavorite)
    }

    // Rule: screen/opposite-edit-after-failure (31); screen/status-is-always-consistent (38)
    // Where it may have been carried out, nobody can be content.
    @Test(
        arguments: [
            (NetworkError(.timedOut), 2), (NetworkError(.connectionLost), 2),
            (NetworkError(NetworkResponse(statusCode: 502)), 2),
            (NetworkError(.tooLarge), 2), (NetworkError(.unreadable), 2),
            (NetworkError(.unreachable), 1), (NetworkError(NetworkResponse(statusCode: 403)), 1),
        ]
    )
    func `a tap whose answer was lost is undone by its opposite behind it`(
        error: NetworkError,
        calls: Int
    ) async throws {
        let held = Held<Void>()
        var wishes: [Bool] = []
        var server = Product.boots
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                if calls == 2 { server.isFavorite = wanted }
                if wishes.count == 1 {
                    try await held.suspend()
                }
                return server
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.fail(error)
        await #expect(throws: NetworkError.self) { try await first.value }
        try await second.value

        #expect(wishes.count == calls)
        #expect(!viewModel.isFavorite && !server.isFavorite)
    }

    // Rule: screen/same-edit-retries-after-failure (32)
    @Test func `a failed tap is tried again by a later one with the same wish`() async throws {
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

        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        #expect(viewModel.isFavorite)
        try await second.value
        try await third.value

        #expect(wishes == [true, true])
        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/same-edit-retries-after-failure (32)
    @Test func `success of the repeated tap clears the error`() async throws {
        let held = Held<Product>()
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await held.suspend()
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        #expect(viewModel.lastError?.kind == .toggleFavorite)

        let again = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.lastError?.kind == .toggleFavorite)
        try held.resume(returning: .favoriteBoots)
        try await again.value

        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule: screen/one-call-per-tap (33)
    @Test(arguments: [true, false], 1...9)
    func `each tap leads to at most one call, whatever the server says`(
        answer: Bool,
        count: Int
    ) async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
                return .boots.with { $0.isFavorite = answer }
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for _ in 1...count {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
        }

        try held.resume()
        for toggle in toggles { try await toggle.value }

        #expect(calls <= count)
        #expect(viewModel.isFavorite == answer)
    }

    // Rule: screen/one-call-per-tap (33)
    @Test func `every tap of a row that fails is sent at most once`() async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
                throw Offline()
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for _ in 1...5 {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
        }

        try held.resume()
        for toggle in toggles { _ = await toggle.result }

        #expect(calls == 3)
        #expect(!viewModel.isFavorite && viewModel.lastError?.kind == .toggleFavorite)
    }

    // Rule: screen/server-status-is-final (26)
    @Test func `a refusing server settles an opposite tap behind`() async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
                return .boots
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.resume()
        try await first.value
        try await second.value

        #expect(calls == 1 && !viewModel.isFavorite)
    }

    // Rule: screen/one-toggle-in-flight (29); screen/quick-taps-send-the-last (30)
    @Test func `a tap made between two of a line takes its place behind them`() async throws {
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
        let first = await started {
            try await viewModel.toggleProductFavoriteStatus()
            try await viewModel.toggleProductFavoriteStatus()
        }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.resume()
        for toggle in [first, second, third] { try await toggle.value }

        #expect(wishes == [true, false])
        #expect(!viewModel.isFavorite)
    }
}
