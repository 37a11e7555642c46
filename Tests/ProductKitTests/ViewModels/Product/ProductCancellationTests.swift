import ProductKit
import Testing

/// Cancelled reloads, toggles and additions to lists.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductCancellationTests {
    // Rule: screen/cancellation-is-not-a-failure (44)
    @Test(arguments: [
        ViewModelFailure.Kind.reload: ProductViewModel.Phase.failed,
        .toggleFavorite: .loaded,
        .addToList: .idle,
    ])
    func `a cancelled task throws a cancellation error, whatever its action throws`(
        kind: ViewModelFailure.Kind,
        phase: ProductViewModel.Phase
    ) async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        var isReady = phase == .idle
        let viewModel = ProductViewModel(
            .only(
                reload: {
                    if isReady {
                        return try await held.hold()
                    }
                    if phase == .failed { throw Offline() }
                    return .boots
                },
                toggleFavorite: { _ in try await held.hold() },
                addToList: { _ in
                    _ = try await held.hold()
                }
            )
        )
        if !isReady { try? await viewModel.reload() }
        viewModel.lastError = nil
        isReady = true
        let task = await started {
            switch kind {
            case .reload: try await viewModel.reload()
            case .toggleFavorite: try await viewModel.toggleProductFavoriteStatus()
            default: try await viewModel.addProductToList(withID: "wishlist")
            }
        }

        task.cancel()
        try held.release(throwing: Offline())

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(viewModel.lastError == nil && viewModel.phase == phase)
        #expect(viewModel.product == .boots)
    }

    // Rule: cancellation/stray-cancellation-is-a-failure (5)
    @Test func `a cancellation error of an action is a failure if the task is not cancelled`()
        async throws
    {
        let viewModel = ProductViewModel(
            .only(
                reload: { throw CancellationError() },
                toggleFavorite: { _ in throw CancellationError() },
                addToList: { _ in throw CancellationError() }
            )
        )

        let calls: [(ViewModelFailure.Kind, @MainActor () async throws -> Void)] = [
            (.reload, { try await viewModel.reload() }),
            (.toggleFavorite, { try await viewModel.toggleProductFavoriteStatus() }),
            (.addToList, { try await viewModel.addProductToList(withID: "wishlist") }),
        ]
        for (kind, call) in calls {
            let error = await #expect(throws: NetworkError.self) { try await call() }
            #expect(error?.underlying is CancellationError)
            #expect(viewModel.lastError?.kind == kind)
            let text = try #require(viewModel.lastError?.errorDescription)
            #expect(text.hasPrefix("The request was cancelled"))
        }

        #expect(viewModel.phase == .failed && viewModel.product == .boots)
    }

    // Rule: screen/cancelled-task-calls-nothing (45)
    @Test func `a task that is already cancelled calls no action`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ProductViewModel(.only(otherwise: { Issue.record($0) }))
        let screen = Watcher { (viewModel.product, viewModel.phase) }
        let task = await started {
            try await held.hold()
            await #expect(throws: CancellationError.self) { try await viewModel.reload() }
            await #expect(throws: CancellationError.self) {
                try await viewModel.toggleProductFavoriteStatus()
            }
            await #expect(throws: CancellationError.self) {
                try await viewModel.addProductToList(withID: "wishlist")
            }
        }

        task.cancel()
        try held.release()
        try await task.value

        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
        #expect(viewModel.product == .boots && screen.changes == 0)
    }

    // Rule: screen/response-after-cancellation-counts (46)
    @Test func `a response that arrives after a cancellation is applied`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(
                reload: { try await held.hold() },
                toggleFavorite: { _ in try await held.hold() }
            )
        )
        let reload = await started { try await viewModel.reload() }
        reload.cancel()
        try held.release(returning: .boots(named: "New"))
        try await reload.value
        #expect(viewModel.title == "New" && viewModel.phase == .loaded)

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        toggle.cancel()
        try held.release(returning: .boots(named: "Newer", isFavorite: true))
        try await toggle.value

        #expect(viewModel.product == .boots(named: "Newer", isFavorite: true))
    }

    // Rule: screen/response-after-cancellation-counts (46)
    @Test func `an addition that succeeds after a cancellation counts for all callers`()
        async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                if calls == 1 { try await held.hold() }
            })
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        first.cancel()
        try held.release()
        try await first.value
        try await second.value

        #expect(calls == 1)
    }
}
