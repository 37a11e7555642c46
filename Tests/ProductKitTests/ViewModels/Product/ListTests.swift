import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ListTests {
    // Rule: screen/lists-are-independent (39)
    @Test func `the list's identity is passed through`() async throws {
        var lists: [ProductList.ID] = []
        let viewModel = ProductViewModel(.only(addToList: { lists.append($0) }))

        try await viewModel.addProductToList(withID: "wishlist")
        try await viewModel.addProductToList(withID: "groceries")

        #expect(lists == ["wishlist", "groceries"])
    }

    // Rule: screen/lists-are-independent (39)
    @Test func `different lists go side by side`() async throws {
        let held = Held<Void>()
        var lists: [ProductList.ID] = []
        let viewModel = ProductViewModel(
            .only(addToList: { list in
                lists.append(list)
                if list == "wishlist" {
                    try await held.suspend()
                }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try await viewModel.addProductToList(withID: "groceries")

        #expect(lists == ["wishlist", "groceries"] && held.count == 1)
        try held.resume()
        try await first.value
    }

    // Rule: screen/concurrent-additions-share-a-call (40)
    @Test(arguments: 2...5)
    func `one list at once is one call, and everybody succeeds`(count: Int) async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
            })
        )
        var additions: [Task<Void, any Error>] = []
        for _ in 1...count {
            additions.append(
                await started { try await viewModel.addProductToList(withID: "wishlist") }
            )
        }

        try held.resume()
        for addition in additions { try await addition.value }

        #expect(calls == 1 && viewModel.lastError == nil)
    }

    // Rule: screen/next-addition-retries (41)
    @Test func `when the first fails, the one behind makes its own call`() async throws {
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

        try held.fail()
        await #expect(throws: Offline()) { try await first.value }
        try await second.value
        try await third.value

        #expect(calls == 2 && viewModel.lastError == nil)
    }

    // Rule: screen/next-addition-retries (41)
    @Test func `when the first is cancelled, the one behind makes its own call`() async throws {
        let (hold, letGo) = AsyncStream.makeStream(of: Void.self)
        defer { letGo.finish() }
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { for await _ in hold {} }
                try Task.checkCancellation()
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }
        #expect(calls == 1)

        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await second.value

        #expect(calls == 2 && viewModel.lastError == nil)
    }

    // Rule: screen/addition-can-be-repeated (42)
    @Test func `adding again after success is a new call`() async throws {
        var calls = 0
        let viewModel = ProductViewModel(.only(addToList: { _ in calls += 1 }))

        try await viewModel.addProductToList(withID: "wishlist")
        try await viewModel.addProductToList(withID: "wishlist")

        #expect(calls == 2)
    }

    // Rule: screen/failed-addition-keeps-phase (43)
    @Test func `a failure is thrown and stored, and leaves the phase`() async throws {
        let full = ListError.notFound("wishlist")
        let viewModel = ProductViewModel(.only(reload: { .boots }, addToList: { _ in throw full }))

        await #expect(throws: full) { try await viewModel.addProductToList(withID: "wishlist") }
        #expect(viewModel.phase == .idle)
        try await viewModel.reload()
        await #expect(throws: full) { try await viewModel.addProductToList(withID: "wishlist") }

        #expect(viewModel.phase == .loaded && viewModel.product == .boots)
        #expect(viewModel.lastError?.kind == .addToList)
        #expect(viewModel.lastError?.underlying as? ListError == full)
    }

    // Rule: screen/failed-addition-keeps-phase (43)
    @Test func `each who fails is told, and the next success clears the failure`() async throws {
        let held = Held<Void>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.suspend() }
                if calls == 2 { throw Offline() }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.fail(ListError.notFound("wishlist"))
        await #expect(throws: ListError.notFound("wishlist")) { try await first.value }
        await #expect(throws: Offline()) { try await second.value }
        #expect(viewModel.lastError?.underlying as? Offline == Offline())

        try await viewModel.addProductToList(withID: "wishlist")
        #expect(viewModel.lastError == nil && calls == 3)
    }
}
