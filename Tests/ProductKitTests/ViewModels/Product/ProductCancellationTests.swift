import ProductKit
import Testing

/// Cancelled reloads, toggles and additions to lists.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductCancellationTests {
    // Rule: screen/cancellation-is-not-a-failure (44)
    @Test(arguments: ProductViewModel.kinds, [true, false])
    func `a cancelled task throws a cancellation error, whatever its action throws`(
        kind: ViewModelFailure.Kind,
        hasFailedBefore: Bool
    ) async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        var isOffline = hasFailedBefore
        let viewModel = ProductViewModel(
            .only(
                reload: { if isOffline { throw Offline() } else { try await held.hold() } },
                toggleFavorite: { _ in try await held.hold() },
                addToList: { _ in _ = try await held.hold() }
            )
        )
        if hasFailedBefore { try? await viewModel.reload() }
        let phase = viewModel.phase
        #expect(phase == (hasFailedBefore ? .failed : .idle))
        viewModel.lastError = nil
        isOffline = false
        let task = await started { try await viewModel.perform(kind) }

        task.cancel()
        try held.release(throwing: Offline())

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(viewModel.lastError == nil && viewModel.phase == phase)
        #expect(viewModel.product == .boots)
    }

    // Rule: cancellation/stray-cancellation-is-a-failure (5)
    @Test(arguments: ProductViewModel.kinds)
    func `a cancellation error of an action is a failure if the task is not cancelled`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let viewModel = ProductViewModel(
            .only(
                reload: { throw CancellationError() },
                toggleFavorite: { _ in throw CancellationError() },
                addToList: { _ in throw CancellationError() }
            )
        )

        let error = await #expect(throws: NetworkError.self) { try await viewModel.perform(kind) }

        #expect(error?.underlying is CancellationError && viewModel.lastError?.kind == kind)
        let text = try #require(viewModel.lastError?.errorDescription)
        #expect(text.hasPrefix("The request was cancelled"))
        #expect(viewModel.phase == (kind == .reload ? .failed : .idle))
        #expect(viewModel.product == .boots)
    }

    // Rule: screen/cancelled-task-calls-nothing (45)
    @Test func `a task that is already cancelled calls no action`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ProductViewModel(.only(otherwise: { Issue.record($0) }))
        let screen = Watcher { (viewModel.product, viewModel.phase) }
        let task = await started {
            try await held.hold()
            for kind in ProductViewModel.kinds {
                await #expect(throws: CancellationError.self) { try await viewModel.perform(kind) }
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
        let product = HeldProduct()
        let viewModel = product.screen
        let reload = await started { try await viewModel.reload() }
        reload.cancel()
        try product.loads.release(returning: .boots(named: "New"))
        try await reload.value
        #expect(viewModel.title == "New" && viewModel.phase == .loaded)

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        toggle.cancel()
        try product.toggles.release(returning: .boots(named: "Newer", isFavorite: true))
        try await toggle.value

        #expect(viewModel.product == .boots(named: "Newer", isFavorite: true))
    }

    // Rule: screen/response-after-cancellation-counts (46)
    @Test func `an addition that succeeds after a cancellation counts for all callers`()
        async throws
    {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions())
        let additions = await started(times: 2) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        additions[0].cancel()
        try server.held.release()
        for addition in additions { try await addition.value }

        #expect(server.additions.count == 1)
    }
}
