import ProductKit
import Testing

/// Searches, refreshes and next pages whose tasks are cancelled.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogCancellationTests {
    typealias Kind = ViewModelFailure.Kind

    // Rule: catalog/cancellation-is-not-a-failure (41)
    @Test(arguments: [Kind.search, .refresh, .nextPage], [true, false])
    func `a cancelled task throws CancellationError, whatever its action throws`(
        kind: Kind,
        hasFailedBefore: Bool
    ) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                if isHeld { return try await held.hold() }
                if query == "pans" { throw Offline() }
                return .of("boots", next: "2", total: 2)
            })
        )
        try await viewModel.search("")
        if hasFailedBefore { try? await viewModel.search("pans") }
        isHeld = true
        let phase: LoadingPhase = hasFailedBefore ? .failed : .loaded
        let rows = Watcher { (viewModel.rows, viewModel.query, viewModel.total) }
        let error = Watcher { viewModel.lastError?.kind }
        let task = await started {
            switch kind {
            case .search: try await viewModel.search("hats")
            case .refresh: try await viewModel.refresh()
            default: try await viewModel.loadNextPage()
            }
        }

        task.cancel()
        try held.release(throwing: Offline())

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(viewModel.phase == phase && rows.changes == 0 && error.changes == 0)
        #expect(viewModel.ids == ["boots"] && !viewModel.isLoadingNextPage)
        #expect(!viewModel.isSearching && !viewModel.isRefreshing)
        #expect(viewModel.isShowingPreviousResults == hasFailedBefore)
    }

    // Rule: catalog/cancellation-is-not-a-failure (41)
    @Test func `a search cancelled during its debounce interval requests nothing`() async throws {
        let sleeping = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(
                sleep: { _ in try await sleeping.hold() },
                otherwise: { Issue.record($0) }
            )
        )
        for succeeds in [true, false] {
            let search = await started { try await viewModel.search("boots") }
            search.cancel()
            if succeeds {
                try sleeping.release()
            } else {
                try sleeping.release(throwing: Offline())
            }
            await #expect(throws: CancellationError.self) { try await search.value }
        }

        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
    }

    // Rule: cancellation/stray-cancellation-is-a-failure (5)
    @Test func `a CancellationError of an action is a failure if the task is not cancelled`()
        async throws
    {
        var isFirst = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                if isFirst { return .of("boots", next: "2") }
                throw CancellationError()
            })
        )
        try await viewModel.search("")
        isFirst = false

        let calls: [(ViewModelFailure.Kind, @MainActor () async throws -> Void)] = [
            (.nextPage, { try await viewModel.loadNextPage() }),
            (.refresh, { try await viewModel.refresh() }),
            (.search, { try await viewModel.search("hats") }),
        ]
        for (kind, call) in calls {
            await #expect(throws: NetworkError.self) { try await call() }
            #expect(viewModel.lastError?.kind == kind)
        }

        #expect(viewModel.phase == .failed && viewModel.ids == ["boots"])
    }

    // Rule: catalog/cancelled-task-requests-nothing (42)
    @Test func `a cancelled task requests nothing and supersedes no search`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let pages = HeldPages(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                if query == "" { return .of("boots", next: "2") }
                return try await pages.hold()
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let screen = Watcher { (viewModel.rows, viewModel.phase, viewModel.lastError) }
        let empty = CatalogViewModel(.only(otherwise: { Issue.record($0) }))
        let task = await started {
            try await held.hold()
            await #expect(throws: CancellationError.self) { try await empty.loadNextPage() }
            await #expect(throws: CancellationError.self) { try await viewModel.search("") }
            await #expect(throws: CancellationError.self) { try await viewModel.search("pans") }
            await #expect(throws: CancellationError.self) { try await viewModel.refresh() }
            await #expect(throws: CancellationError.self) { try await viewModel.loadNextPage() }
        }

        task.cancel()
        try held.release()
        try await task.value
        #expect(pages.count == 1 && screen.changes == 0 && viewModel.isSearching)

        try pages.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/response-after-cancellation-counts (43)
    @Test(arguments: [Kind.search, .refresh, .nextPage])
    func `a response that arrives after cancellation is shown`(kind: Kind) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                guard isHeld else { return .of("boots", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        isHeld = true
        let task = await started {
            switch kind {
            case .search: try await viewModel.search("hats")
            case .refresh: try await viewModel.refresh()
            default: try await viewModel.loadNextPage()
            }
        }

        task.cancel()
        try held.release(returning: .of("hat"))
        try await task.value

        #expect(viewModel.ids == (kind == .nextPage ? ["boots", "hat"] : ["hat"]))
        #expect(viewModel.phase == .loaded && viewModel.query == (kind == .search ? "hats" : ""))
    }

    // Rule: catalog/cancelled-task-requests-nothing (42)
    // Rule: catalog/response-after-cancellation-counts (43)
    @Test func `a refresh cancelled between two pages does not request the second`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard requests.count == 3 else {
                    return .of("\(requests.count)", next: "2\(requests.count)")
                }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        let refresh = await started { try await viewModel.refresh() }

        refresh.cancel()
        try held.release(returning: .of("hat", next: "3"))

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(requests.count == 3 && viewModel.ids == ["1", "2"] && viewModel.phase == .loaded)
    }

    // Rule: catalog/cancelled-waiter-throws-at-once (44)
    @Test func `a waiting caller that is cancelled throws immediately`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                if query == "" { return .of("boots", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let waiting = [
            await started { try await viewModel.loadNextPage() },
            await started { try await viewModel.refresh() },
        ]

        for task in waiting {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        #expect(viewModel.isSearching && viewModel.lastError == nil && held.count == 1)
        try held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }
}
