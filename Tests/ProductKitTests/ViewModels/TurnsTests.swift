import ProductKit
import Testing

/// Waiting in line for a turn, as seen through the view model.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct TurnsTests {
    // Rule 41
    @Test func `whoever waits is served first come first served`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var order: [Int] = []
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                if order.isEmpty, held.isEmpty {
                    try await withCheckedThrowingContinuation { held.append($0) }
                }
                throw Offline()
            })
        )
        var additions: [Task<Void, any Error>] = []
        for number in 1...4 {
            let addition = await started {
                defer { order.append(number) }
                try await viewModel.addProductToList(withID: "wishlist")
            }
            additions.append(addition)
        }

        try held.answer(())
        for addition in additions { _ = await addition.result }

        #expect(order == [1, 2, 3, 4])
    }

    // Rule 47
    @Test func `leaving the line does not disturb the others`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        var additions: [Task<Void, any Error>] = []
        for _ in 1...4 {
            additions.append(
                await started { try await viewModel.addProductToList(withID: "shoes") }
            )
        }

        additions[1].cancel()
        await #expect(throws: CancellationError.self) { try await additions[1].value }
        try held.fail()
        await #expect(throws: Offline()) { try await additions[0].value }
        #expect(calls == 2)
        additions[3].cancel()
        await #expect(throws: CancellationError.self) { try await additions[3].value }
        try held.answer(())
        try await additions[2].value

        #expect(calls == 2 && viewModel.lastError == nil)
    }

    // Rules 41 and 45
    @Test func `who is cancelled between being called and coming passes the turn on`() async throws
    {
        var held: [CheckedContinuation<Void, any Error>] = []
        var calls = 0
        var second: Task<Void, any Error>?
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started {
            // The end of this one calls the second, who cannot come before we have finished here.
            try? await viewModel.addProductToList(withID: "wishlist")
            second?.cancel()
        }
        second = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let third = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.fail()
        try await first.value
        await #expect(throws: CancellationError.self) { try await second?.value }
        try #require(calls == 2)
        try held.answer(())
        try await third.value

        #expect(calls == 2)
    }

    // Rule 45
    @Test func `a tap cancelled between being called and coming is not sent`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var second: Task<Void, any Error>?
        var wishes: [Bool] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                return try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started {
            try await viewModel.toggleProductFavoriteStatus()
            second?.cancel()
        }
        second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.answer(.favoriteBoots)
        try await first.value
        await #expect(throws: CancellationError.self) { try await second?.value }

        #expect(wishes == [true] && viewModel.isFavorite)
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }
        try #require(wishes == [true, false])
        try held.answer(.boots)
        try await third.value
        #expect(!viewModel.isFavorite)
    }

    // Rule 29
    @Test func `nobody overtakes the one who has been called`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var inFlight = 0
        var highest = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                inFlight += 1
                highest = max(highest, inFlight)
                defer { inFlight -= 1 }
                return try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started {
            try await viewModel.toggleProductFavoriteStatus()
            try await viewModel.toggleProductFavoriteStatus()
        }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }

        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        try await second.value
        #expect(highest == 1)

        let third = await started {
            try await viewModel.toggleProductFavoriteStatus()
            try await viewModel.toggleProductFavoriteStatus()
        }
        let fourth = await started { try await viewModel.toggleProductFavoriteStatus() }
        try held.answer(.favoriteBoots)
        try await fourth.value
        try await third.value
        #expect(highest == 1 && viewModel.isFavorite && held.isEmpty)
    }
}
