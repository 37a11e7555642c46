import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SigningOutTests {
    // Rule 48
    @Test(arguments: [true, false])
    func `an answer in flight is dropped`(isFailure: Bool) async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(reload: { try await withCheckedThrowingContinuation { held.append($0) } }),
            store: store
        )
        let reload = await started { try await viewModel.reload() }

        store.reset()
        if isFailure {
            try held.fail(ProductError.notFound("walking-boots"))
        } else {
            try held.answer(.boots(named: "Secret", isFavorite: true))
        }

        await #expect(throws: CancellationError.self) { try await reload.value }
        #expect(viewModel.product == .boots)
        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
    }

    // Rule 48
    @Test func `taps are taken back, and nobody in the line asks`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await withCheckedThrowingContinuation { held.append($0) }
            }),
            store: store
        )
        var toggles: [Task<Void, any Error>] = []
        for _ in 1...3 {
            toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
        }
        #expect(viewModel.isFavorite)

        store.reset()
        #expect(!viewModel.isFavorite)
        for waiting in toggles.dropFirst() {
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try held.answer(.favoriteBoots)
        await #expect(throws: CancellationError.self) { try await toggles[0].value }

        #expect(held.isEmpty && !viewModel.isFavorite && viewModel.lastError == nil)
    }

    // Rule 48
    @Test func `additions in flight and in the line are cancelled`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(addToList: { _ in try await withCheckedThrowingContinuation { held.append($0) } }
            ),
            store: store
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let failing = await started { try await viewModel.addProductToList(withID: "outdoors") }

        store.reset()
        await #expect(throws: CancellationError.self) { try await second.value }
        try held.answer(())
        await #expect(throws: CancellationError.self) { try await first.value }
        try held.fail()
        await #expect(throws: CancellationError.self) { try await failing.value }

        #expect(held.isEmpty && viewModel.lastError == nil)
    }

    // Rule 48
    @Test func `who was called when the user signed out does not ask for the next user`()
        async throws
    {
        var toggles: [CheckedContinuation<Product, any Error>] = []
        var additions: [CheckedContinuation<Void, any Error>] = []
        var calls: [String] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(
                toggleFavorite: { _ in
                    calls.append("toggle")
                    return try await withCheckedThrowingContinuation { toggles.append($0) }
                },
                addToList: { _ in
                    calls.append("add")
                    try await withCheckedThrowingContinuation { additions.append($0) }
                }
            ),
            store: store
        )
        // The end of an edit calls the next one; the user signs out before that one can come.
        let tap = await started {
            try await viewModel.toggleProductFavoriteStatus()
            store.reset()
        }
        let nextTap = await started { try await viewModel.toggleProductFavoriteStatus() }
        try toggles.answer(.favoriteBoots)
        try await tap.value
        await #expect(throws: CancellationError.self) { try await nextTap.value }

        let addition = await started {
            try? await viewModel.addProductToList(withID: "wishlist")
            store.reset()
        }
        let nextAddition = await started {
            try await viewModel.addProductToList(withID: "wishlist")
        }
        try additions.fail()
        try await addition.value
        try #require(calls == ["toggle", "add"])
        await #expect(throws: CancellationError.self) { try await nextAddition.value }

        #expect(viewModel.lastError?.kind == .addToList)
    }

    // Rule 48
    @Test func `the next user's edits do not wait for those of the one before`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var wishes: [Bool] = []
        let store = ProductStore()
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { wanted in
                wishes.append(wanted)
                return try await withCheckedThrowingContinuation { held.append($0) }
            }),
            store: store
        )
        let before = await started { try await viewModel.toggleProductFavoriteStatus() }
        store.reset()
        let after = await started { try await viewModel.toggleProductFavoriteStatus() }
        let last = await started { try await viewModel.toggleProductFavoriteStatus() }
        try #require(wishes == [true, true])

        // The end of the old turn must not call anybody in the new line.
        try held.answer(.favoriteBoots)
        await #expect(throws: CancellationError.self) { try await before.value }
        #expect(wishes == [true, true] && !viewModel.isFavorite)

        try held.answer(.favoriteBoots)
        try await after.value
        try #require(wishes == [true, true, false])
        try held.answer(.boots)
        try await last.value
        #expect(!viewModel.isFavorite)
    }

    // Rule 48
    @Test func `the next user's screen shows what it is given`() async throws {
        let store = ProductStore()
        let gone = ProductError.notFound("walking-boots")
        let old = ProductViewModel(.only(reload: { throw gone }), store: store)
        await #expect(throws: gone) { try await old.reload() }

        store.reset()
        #expect(old.phase != .deleted)
        let new = ProductViewModel(
            .only(reload: { throw gone }),
            product: .boots(named: "Theirs", isFavorite: true),
            store: store
        )

        #expect(new.title == "Theirs" && new.isFavorite && new.phase == .idle)
        #expect(old.title == "Theirs" && old.isFavorite)
        let third = ProductViewModel(.only(), store: store)
        #expect(third.title == "Theirs")
    }

    // Rules 20 and 48
    @Test func `what the next user learns wins over what later screens bring`() async throws {
        let store = ProductStore()
        let gone = ProductError.notFound("walking-boots")
        let screen = ProductViewModel(.only(reload: { throw gone }), store: store)
        store.reset()

        await #expect(throws: gone) { try await screen.reload() }
        let another = ProductViewModel(.only(), product: .favoriteBoots, store: store)

        #expect(another.phase == .deleted && !another.isFavorite)
    }
}
