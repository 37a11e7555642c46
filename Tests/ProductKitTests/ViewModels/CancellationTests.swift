import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
    // Rule 44
    @Test(
        arguments: [ProductViewModel.Failure.Kind.reload, .toggleFavorite, .addToList],
        [true, false]
    )
    func `a cancelled task gets the cancellation, and nothing is stored`(
        kind: ProductViewModel.Failure.Kind,
        isGone: Bool
    ) async throws {
        let (answers, _) = AsyncStream.makeStream(of: Product.self)
        let error: any Error = isGone ? ProductError.notFound("walking-boots") : Offline()
        let viewModel = ProductViewModel(
            .only(
                reload: {
                    for await product in answers { return product }
                    throw error
                },
                toggleFavorite: { _ in
                    for await product in answers { return product }
                    throw error
                },
                addToList: { _ in
                    for await _ in answers {}
                    throw error
                }
            )
        )
        let call = await started {
            switch kind {
            case .reload: try await viewModel.reload()
            case .toggleFavorite: try await viewModel.toggleProductFavoriteStatus()
            case .addToList: try await viewModel.addProductToList(withID: "wishlist")
            }
        }

        call.cancel()

        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(viewModel.lastError == nil)
        #expect(viewModel.phase == .idle && !viewModel.isLoading)
        #expect(viewModel.product == .boots)
    }

    // Rule 44
    @Test func `the phase returns to what it was`() async throws {
        let (answers, _) = AsyncStream.makeStream(of: Product.self)
        var results: [Result<Product, Offline>] = [.success(.boots), .failure(Offline())]
        let viewModel = ProductViewModel(
            .only(reload: {
                if let result = results.popLast() { return try result.get() }
                for await product in answers { return product }
                throw Offline()
            })
        )

        for phase in [ProductViewModel.Phase.failed, .loaded] {
            _ = try? await viewModel.reload()
            #expect(viewModel.phase == phase)
            let left = results
            results = []
            let reload = await started { try await viewModel.reload() }
            #expect(viewModel.phase == .loading)
            reload.cancel()
            await #expect(throws: CancellationError.self) { try await reload.value }
            #expect(viewModel.phase == phase)
            #expect((viewModel.lastError == nil) == (phase == .loaded))
            results = left
        }
    }

    // Rule 44
    @Test func `cancellation that the action itself throws is kept nowhere either`() async {
        let viewModel = ProductViewModel(
            .only(
                reload: { throw CancellationError() },
                toggleFavorite: { _ in throw CancellationError() },
                addToList: { _ in throw CancellationError() }
            )
        )

        await #expect(throws: CancellationError.self) { try await viewModel.reload() }
        await #expect(throws: CancellationError.self) {
            try await viewModel.toggleProductFavoriteStatus()
        }
        await #expect(throws: CancellationError.self) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        #expect(viewModel.lastError == nil && viewModel.phase == .idle && !viewModel.isFavorite)
    }

    // Rule 44
    @Test func `a cancelled reload that is overtaken gets the cancellation`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        let viewModel = ProductViewModel(
            .only(reload: { try await withCheckedThrowingContinuation { held.append($0) } })
        )
        let older = await started { try await viewModel.reload() }
        let newer = await started { try await viewModel.reload() }
        try held.answer(.boots, at: 1)
        try await newer.value

        older.cancel()
        try held.fail()

        await #expect(throws: CancellationError.self) { try await older.value }
        #expect(viewModel.phase == .loaded)
    }

    // Rule 45
    @Test func `a task that is cancelled already calls no action`() async throws {
        var calls = 0
        let viewModel = ProductViewModel(
            .only(
                reload: {
                    calls += 1
                    return .boots
                },
                toggleFavorite: { _ in
                    calls += 1
                    return .favoriteBoots
                },
                addToList: { _ in calls += 1 }
            )
        )
        let operations: [@MainActor () async throws -> Void] = [
            { try await viewModel.reload() },
            { try await viewModel.toggleProductFavoriteStatus() },
            { try await viewModel.addProductToList(withID: "wishlist") },
        ]

        for operation in operations {
            let call = await started {
                withUnsafeCurrentTask { $0?.cancel() }
                try await operation()
            }
            await #expect(throws: CancellationError.self) { try await call.value }
        }

        #expect(calls == 0)
        #expect(viewModel.lastError == nil && viewModel.phase == .idle)
    }

    // Rule 45
    @Test func `a cancelled task is told so even of a deleted product`() async throws {
        let gone = ProductError.notFound("walking-boots")
        let viewModel = ProductViewModel(.only(reload: { throw gone }))
        await #expect(throws: gone) { try await viewModel.reload() }
        viewModel.lastError = nil

        let toggle = await started {
            withUnsafeCurrentTask { $0?.cancel() }
            try await viewModel.toggleProductFavoriteStatus()
        }

        await #expect(throws: CancellationError.self) { try await toggle.value }
        #expect(viewModel.lastError == nil)
    }

    // Rule 46
    @Test func `an answer that arrives in spite of cancellation is kept`() async throws {
        var loads: [CheckedContinuation<Product, any Error>] = []
        var toggles: [CheckedContinuation<Product, any Error>] = []
        let viewModel = ProductViewModel(
            .only(
                reload: { try await withCheckedThrowingContinuation { loads.append($0) } },
                toggleFavorite: { _ in
                    try await withCheckedThrowingContinuation { toggles.append($0) }
                }
            )
        )
        let reload = await started { try await viewModel.reload() }
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }

        reload.cancel()
        try loads.answer(.boots(named: "Truth"))
        try await reload.value
        #expect(viewModel.title == "Truth" && viewModel.phase == .loaded)

        toggle.cancel()
        #expect(viewModel.isFavorite)
        try toggles.answer(.boots(named: "Truth", isFavorite: true))
        try await toggle.value
        #expect(viewModel.isFavorite)
    }

    // Rule 47
    @Test func `a cancelled tap in flight rolls back`() async throws {
        let (answers, _) = AsyncStream.makeStream(of: Product.self)
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                for await product in answers { return product }
                throw Offline()
            })
        )
        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.isFavorite)

        toggle.cancel()

        await #expect(throws: CancellationError.self) { try await toggle.value }
        #expect(!viewModel.isFavorite)
    }

    // Rule 47
    @Test func `a cancelled tap in the line leaves at once`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var calls = 0
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                calls += 1
                return try await withCheckedThrowingContinuation { held.append($0) }
            })
        )
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        let second = await started { try await viewModel.toggleProductFavoriteStatus() }
        let third = await started { try await viewModel.toggleProductFavoriteStatus() }

        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        #expect(!viewModel.isFavorite && held.count == 1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(viewModel.isFavorite && held.count == 1)

        try held.answer(.favoriteBoots)
        try await first.value
        #expect(viewModel.isFavorite && calls == 1 && viewModel.lastError == nil)
    }
}
