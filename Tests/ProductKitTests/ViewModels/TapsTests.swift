import ProductKit
import Testing

/// Several taps on their way at once.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct TapsTests {
    // Rule 29
    @Test func `at most one toggle is in flight, and taps are sent in order`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                return try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(wishes == [true])

        try held.answer(.favoriteBoots)
        try await first.value
        #expect(wishes == [true, false])
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(wishes == [true, false])

        try held.answer(.boots)
        try await second.value
        #expect(wishes == [true, false, true] && viewModel.isFavorite)
        try held.answer(.favoriteBoots)
        try await third.value
        #expect(viewModel.isFavorite)
    }

    // Rule 30
    @Test(arguments: 1...12)
    func `rapid taps show their parity and need at most two calls`(count: Int) async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var server = Product.boots
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                calls += 1
                try await withCheckedThrowingContinuation { held.append($0) }
                server.isFavorite = wanted
                return server
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for number in 1...count {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
            #expect(viewModel.isFavorite == (number % 2 == 1))
        }

        try held.answer(())
        try await toggles[0].value
        #expect(viewModel.isFavorite == (count % 2 == 1))
        if count % 2 == 0 { try held.answer(()) }
        for toggle in toggles { try await toggle.value }

        #expect(calls == (count % 2 == 1 ? 1 : 2) && held.isEmpty)
        #expect(viewModel.isFavorite == (count % 2 == 1))
        #expect(server.isFavorite == viewModel.isFavorite)
        #expect(viewModel.lastError == nil)
    }

    // Rule 31
    @Test func `a failed tap with its opposite behind it needs no further call`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.fail()

        await #expect(throws: Offline()) { try await first.value }
        #expect(held.isEmpty)
        try await second.value
        #expect(!viewModel.isFavorite)
    }

    // Rule 32
    @Test func `a failed tap is tried again by a later one with the same wish`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                return try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        #expect(viewModel.isFavorite)
        try await second.value
        #expect(wishes == [true, true] && viewModel.isFavorite)
        try held.answer(.favoriteBoots)
        try await third.value

        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule 32
    @Test func `success of the repeated tap clears the error`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        #expect(viewModel.lastError?.kind == .toggleFavorite)

        let again = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.lastError?.kind == .toggleFavorite)
        try held.answer(.favoriteBoots)
        try await again.value

        #expect(viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule 33
    @Test(arguments: [true, false], 1...9)
    func `each tap leads to at most one call, whatever the server says`(
        answer: Bool,
        count: Int
    ) async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                if calls == 1 { try await withCheckedThrowingContinuation { held.append($0) } }
                return .boots.with { $0.isFavorite = answer }
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for _ in 1...count {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
        }

        try held.answer(())
        for toggle in toggles { try await toggle.value }

        #expect(calls <= count)
        #expect(viewModel.isFavorite == answer)
    }

    // Rule 33
    @Test func `a row of taps that all fail sends each of them at most once`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                if wishes.count == 1 {
                    try await withCheckedThrowingContinuation { held.append($0) }
                }
                throw Offline()
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for _ in 1...5 {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
        }

        try held.answer(())
        for toggle in toggles { _ = await toggle.result }

        #expect(wishes == [true, true, true])
        #expect(!viewModel.isFavorite && viewModel.lastError?.kind == .toggleFavorite)
    }

    // Rule 26
    @Test func `a refusing server settles an opposite tap behind`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.answer(.boots)
        try await first.value
        #expect(held.isEmpty)
        try await second.value

        #expect(!viewModel.isFavorite)
    }

    // Rule 33
    @Test func `a tap that has been settled in the line asks nothing for a later one`() async throws
    {
        var held: [CheckedContinuation<Product, any Error>] = []
        var left: [Int] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        var toggles: [Task<Void, any Error>] = []
        for number in 1...5 {
            let toggle = await started {
                try await viewModel.toggleProductFavoriteStatus()
                left.append(number)
                // The answer to the first one has settled the others, which are still in line.
                if number == 2 { try await viewModel.toggleProductFavoriteStatus() }
            }
            toggles.append(toggle)
        }

        try held.answer(.favoriteBoots)
        try await toggles[0].value
        try await toggles[2].value
        try #require(left == [1, 2, 3, 4])
        try await toggles[4].value
        #expect(!viewModel.isFavorite)
        try held.answer(.boots)
        try await toggles[1].value

        #expect(!viewModel.isFavorite && held.isEmpty)
    }
}
