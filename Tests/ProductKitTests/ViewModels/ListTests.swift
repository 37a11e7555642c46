import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ListTests {
    // Rule 39
    @Test func `the list is named to the action, and different lists go side by side`() async throws
    {
        var lists: [ProductList.ID] = []
        var held: [CheckedContinuation<Void, any Error>] = []
        let viewModel = ProductViewModel(
            .only(addToList: { list in
                lists.append(list)
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )

        let wishlist = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let outdoors = await started { try await viewModel.addProductToList(withID: "outdoors") }
        #expect(lists == ["wishlist", "outdoors"])

        try held.answer((), at: 1)
        try await outdoors.value
        try held.answer(())
        try await wishlist.value
        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
    }

    // Rule 39
    @Test func `an addition does not wait for a tap`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var lists: [ProductList.ID] = []
        let viewModel = ProductViewModel(
            .only(
                toggleFavorite: { _ in
                    try await withCheckedThrowingContinuation { held.append($0) }
                },
                addToList: { lists.append($0) }
            )
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        let add = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try #require(lists == ["wishlist"])
        try await add.value
        try held.answer(.favoriteBoots)
        try await toggle.value
    }

    // Rule 40
    @Test func `the same list at the same time is one call`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await withCheckedThrowingContinuation { held.append($0) } }
            })
        )
        var additions: [Task<Void, any Error>] = []
        for _ in 1...3 {
            additions.append(
                await started { try await viewModel.addProductToList(withID: "shoes") }
            )
        }
        #expect(calls == 1)

        try held.answer(())
        for addition in additions { try await addition.value }

        #expect(calls == 1)
    }

    // Rule 41
    @Test func `when the first fails, the one behind makes its own call`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        let viewModel = ProductViewModel(
            .only(addToList: { _ in try await withCheckedThrowingContinuation { held.append($0) } })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        #expect(viewModel.lastError?.kind == .addToList)
        try held.answer(())
        try await second.value

        #expect(viewModel.lastError == nil)
    }

    // Rule 41
    @Test func `when the first is cancelled, the one behind makes its own call`() async throws {
        let (answers, _) = AsyncStream.makeStream(of: Void.self)
        var held: [CheckedContinuation<Void, any Error>] = []
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 {
                    for await _ in answers {}
                    throw Offline()
                }
                try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(calls == 2 && viewModel.lastError == nil)
        try held.answer(())
        try await second.value
    }

    // Rule 42
    @Test func `adding again after success is a new call`() async throws {
        var calls = 0
        let viewModel = ProductViewModel(.only(addToList: { _ in calls += 1 }))

        try await viewModel.addProductToList(withID: "wishlist")
        try await viewModel.addProductToList(withID: "wishlist")

        #expect(calls == 2)
    }

    // Rule 43
    @Test func `a failure is thrown and stored, and leaves the phase`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { .boots }, addToList: { _ in throw Offline() })
        )
        try await viewModel.reload()

        await #expect(throws: Offline()) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        #expect(viewModel.phase == .loaded && viewModel.product == .boots)
        #expect(viewModel.lastError?.kind == .addToList)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
    }
}
