import ProductKit
import Testing

/// Reloads and toggles that are cancelled, or whose user signs out.
///
/// The cited rules are those of the favorite status, applied to the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipCancellationTests {
    // Rule: screen/cancelled-task-calls-nothing (45); screen/cancel-rolls-back (47)
    @Test func `a cancelled toggle is rolled back, and no failure is stored`() async throws {
        let gate = ActionGate<Void>()
        var calls = 0
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in
                calls += 1
                try await gate.hold()
            })
        )
        let first = await started { try await viewModel.toggle("summer") }
        let second = await started { try await viewModel.toggle("summer") }
        #expect(viewModel.holding.isEmpty)

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(viewModel.holding == ["Summer"])
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }

        #expect(viewModel.holding.isEmpty && viewModel.lastError == nil && calls == 1)
    }

    // Rule: screen/cancelled-task-calls-nothing (45)
    @Test func `a cancelled task calls no action`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(.only(otherwise: { Issue.record($0) }))
        let task = await started {
            try await held.hold()
            for kind in ListMembershipViewModel.kinds {
                await #expect(throws: CancellationError.self) { try await viewModel.perform(kind) }
            }
        }

        task.cancel()
        try held.release()
        try await task.value

        #expect(viewModel.phase == .idle && viewModel.lastError == nil && viewModel.holding.isEmpty)
    }

    // Rule: screen/cancellation-is-not-a-failure (44)
    @Test func `a cancelled reload leaves the screen unchanged`() async throws {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(.only(loadLists: { try await held.hold() }))
        let reload = await started { try await viewModel.reload() }

        reload.cancel()
        try held.release(throwing: Offline())
        await #expect(throws: CancellationError.self) { try await reload.value }

        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
        #expect(viewModel.rows.count == 2)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `signing out empties the screen and drops requests in flight`() async throws {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let toggles = ActionGate<Void>(ignoresCancellation: true)
        let store = ProductStore()
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await held.hold() },
                addToList: { _ in try await toggles.hold() }
            ),
            store: store
        )
        let reload = await started { try await viewModel.reload() }
        let toggle = await started { try await viewModel.toggle("summer") }
        let queued = await started { try await viewModel.toggle("summer") }
        let watcher = Watcher { viewModel.rows }

        store.reset()
        #expect(viewModel.rows.isEmpty && viewModel.source == .network && watcher.changes == 1)
        await #expect(throws: CancellationError.self) { try await queued.value }
        try held.release(returning: Page([.summer]))
        try toggles.release()
        for task in [reload, toggle] {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(viewModel.rows.isEmpty && viewModel.phase == .idle)
        await #expect(throws: ListError.notFound("summer")) { try await viewModel.toggle("summer") }
        #expect(viewModel.lastError?.kind == .toggleMembership("summer"))

        let next = await started { try await viewModel.reload() }
        try held.release(returning: Page([.wishlist(holdingBoots: true)]))
        try await next.value
        #expect(viewModel.holding == ["Wishlist"] && viewModel.rows.count == 1)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `after a sign-out a reload shows the next user's lists only`() async throws {
        let store = ProductStore()
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { Page([.wishlist(holdingBoots: true)]) }),
            store: store
        )
        store.reset()

        try await viewModel.reload()

        #expect(viewModel.rows.map(\.id) == ["wishlist"] && viewModel.holding == ["Wishlist"])
    }

    // Rule: cancellation/stray-cancellation-is-a-failure (5)
    @Test(arguments: ListMembershipViewModel.kinds)
    func `a CancellationError of an action is a failure if the task is not cancelled`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { throw CancellationError() },
                addToList: { _ in throw CancellationError() },
                createList: { _ in throw CancellationError() }
            )
        )

        await #expect(throws: NetworkError.self) { try await viewModel.perform(kind) }

        #expect(viewModel.lastError?.kind == kind && viewModel.holding.isEmpty)
        #expect(viewModel.phase == (kind == .reload ? .failed : .idle))
    }

    // Rule: screen/response-after-cancellation-counts (46)
    @Test func `a list that was not found is removed although the task was cancelled`() async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(.only(addToList: { _ in try await held.hold() }))
        let toggle = await started { try await viewModel.toggle("summer") }

        toggle.cancel()
        try held.release(throwing: ListError.notFound("summer"))

        await #expect(throws: CancellationError.self) { try await toggle.value }
        #expect(viewModel.rows.map(\.name) == ["Wishlist"] && viewModel.lastError == nil)
    }
}
