import ProductKit
import Testing

/// Searches, refreshes and next pages whose tasks are cancelled.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogCancellationTests {
    // Rule: catalog/cancellation-is-not-a-failure (41)
    @Test(arguments: CatalogViewModel.kinds, [true, false])
    func `a cancelled task throws CancellationError, whatever its action throws`(
        kind: ViewModelFailure.Kind,
        hasFailedBefore: Bool
    ) async throws {
        let server = PageServer([":first": .of("boots", next: "2", total: 2)])
        let viewModel = try await server.openCatalog()
        if hasFailedBefore {
            server.failure = Offline()
            await #expect(throws: Offline()) { try await viewModel.search("pans") }
        }
        (server.failure, server.pages) = (nil, [:])
        let rows = Watcher { (viewModel.rows, viewModel.query, viewModel.total) }
        let error = Watcher { viewModel.lastError?.kind }
        let task = await started { try await viewModel.perform(kind) }

        task.cancel()
        try server.held.release(throwing: Offline())

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(viewModel.phase == (hasFailedBefore ? .failed : .loaded))
        #expect(rows.changes == 0 && error.changes == 0)
        #expect(viewModel.ids == ["boots"] && !viewModel.isLoadingNextPage)
        #expect(viewModel.isShowingPreviousResults == hasFailedBefore)
    }

    // Rule: catalog/cancellation-is-not-a-failure (41)
    @Test(arguments: [true, false])
    func `a search cancelled during its debounce interval requests nothing`(
        succeeds: Bool
    ) async throws {
        let sleeping = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(sleep: { _ in try await sleeping.hold() }, otherwise: { Issue.record($0) })
        )
        let search = await started { try await viewModel.search("boots") }

        search.cancel()
        try sleeping.release(returningOrFailing: succeeds ? () : nil)

        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
    }

    // Rule: cancellation/stray-cancellation-is-a-failure (5)
    @Test(arguments: CatalogViewModel.kinds)
    func `a CancellationError of an action is a failure if the task is not cancelled`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.failure = CancellationError()

        await #expect(throws: NetworkError.self) { try await viewModel.perform(kind) }

        #expect(viewModel.lastError?.kind == kind && viewModel.ids == ["boots"])
        #expect(viewModel.phase == (kind == .nextPage ? .loaded : .failed))
    }

    // Rule: catalog/cancelled-task-requests-nothing (42)
    @Test func `a cancelled task requests nothing and supersedes no search`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let search = await started { try await viewModel.search("hats") }
        let screen = Watcher { (viewModel.rows, viewModel.phase, viewModel.lastError) }
        let empty = CatalogViewModel(.only(otherwise: { Issue.record($0) }))
        let task = await started {
            try await held.hold()
            await #expect(throws: CancellationError.self) { try await empty.loadNextPage() }
            await #expect(throws: CancellationError.self) { try await viewModel.search("") }
            for kind in CatalogViewModel.kinds {
                await #expect(throws: CancellationError.self) { try await viewModel.perform(kind) }
            }
        }

        task.cancel()
        try held.release()
        try await task.value
        #expect(server.held.count == 1 && screen.changes == 0 && viewModel.phase == .loading)

        try server.held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/response-after-cancellation-counts (43)
    @Test(arguments: CatalogViewModel.kinds)
    func `a response that arrives after cancellation is shown`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = [:]
        let task = await started { try await viewModel.perform(kind) }

        task.cancel()
        try server.held.release(returning: .of("hat"))
        try await task.value

        #expect(viewModel.ids == (kind == .nextPage ? ["boots", "hat"] : ["hat"]))
        #expect(viewModel.phase == .loaded && viewModel.query == (kind == .search ? "hats" : ""))
    }

    // Rule: catalog/cancelled-task-requests-nothing (42)
    // Rule: catalog/response-after-cancellation-counts (43)
    @Test func `a refresh cancelled between two pages does not request the second`() async throws {
        let server = PageServer(pageCount: 2)
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.pages = [:]
        let refresh = await started { try await viewModel.refresh() }

        refresh.cancel()
        try server.held.release(returning: .of("hat", next: "3"))

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(server.requests.count == 3 && viewModel.ids == ["1", "2"])
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/cancelled-waiter-throws-at-once (44)
    @Test func `a waiting caller that is cancelled throws immediately`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let search = await started { try await viewModel.search("hats") }
        for kind in [ViewModelFailure.Kind.nextPage, .refresh] {
            let waiting = await started { try await viewModel.perform(kind) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }

        #expect(viewModel.phase == .loading && viewModel.lastError == nil && server.held.count == 1)
        try server.held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }
}
