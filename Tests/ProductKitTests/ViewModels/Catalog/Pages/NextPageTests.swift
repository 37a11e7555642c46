import ProductKit
import Testing

/// Next pages: cursors, the end of the catalog, concurrent calls and failures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NextPageTests {
    // Rule: catalog/next-page-follows-cursor (17)
    @Test func `the next page is requested with the previous page's cursor and appended`()
        async throws
    {
        let server = PageServer([
            "things:first": .of("boots", next: "2", total: 3), "things:2": .of("hat", next: "3"),
        ])
        let viewModel = CatalogViewModel(server.actions)
        try await viewModel.search("things")

        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["boots", "hat"] && viewModel.hasNextPage && viewModel.total == 3)
        #expect(!viewModel.isLoadingNextPage)
        let page = await started { try await viewModel.loadNextPage() }
        #expect(viewModel.isLoadingNextPage && viewModel.phase == .loaded)
        try server.held.release(returning: .of("pan", total: 4))
        try await page.value

        #expect(server.requests == ["things:first", "things:2", "things:3"])
        #expect(viewModel.ids == ["boots", "hat", "pan"] && !viewModel.hasNextPage)
        #expect(viewModel.total == 4 && viewModel.phase == .loaded && !viewModel.isLoadingNextPage)
    }

    // Rule: catalog/nothing-after-the-end (18)
    @Test func `at the end, and before the first page, nothing is requested`() async throws {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions)

        try await viewModel.loadNextPage()
        #expect(server.requests.isEmpty && viewModel.phase == .idle)
        let search = await started { try await viewModel.search("") }
        try await viewModel.loadNextPage()
        #expect(server.requests == [":first"])
        try server.held.release(returning: .of("boots"))
        try await search.value
        server.pages = [":first": .of("extra")]
        try await viewModel.loadNextPage()

        #expect(server.requests == [":first"] && viewModel.ids == ["boots"])
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/concurrent-calls-share-a-page (19)
    @Test(arguments: [2, 5])
    func `concurrent calls send one request, and all of them succeed`(count: Int) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let pages = await started(times: count) { try await viewModel.loadNextPage() }

        server.pages[":2"] = .of("cap")
        try server.held.release(returning: .of("hat", next: "3"))
        for page in pages { try await page.value }

        #expect(server.requests == [":first", ":2"] && viewModel.ids == ["boots", "hat"])
        #expect(viewModel.hasNextPage)
    }

    // Rule: catalog/next-caller-retries-page (20); catalog/failed-page-keeps-rows (21)
    @Test(arguments: [1, 4])
    func `when the request fails, all callers get its error and a later one retries`(
        count: Int
    ) async throws {
        let server = PageServer([":first": .of("boots", next: "2", total: 2)])
        let viewModel = try await server.openCatalog()
        let calls = await started(times: count) { try await viewModel.loadNextPage() }

        try server.held.release(throwing: Offline())
        for call in calls { await #expect(throws: Offline()) { try await call.value } }
        #expect(server.requests == [":first", ":2"] && viewModel.lastError?.kind == .nextPage)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
        #expect(viewModel.ids == ["boots"] && viewModel.phase == .loaded && viewModel.hasNextPage)
        #expect(!viewModel.isLoadingNextPage)

        server.pages[":2"] = .of("hat")
        try await viewModel.loadNextPage()
        #expect(server.requests == [":first", ":2", ":2"] && viewModel.ids == ["boots", "hat"])
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/next-caller-retries-page (20)
    @Test func `when the first call is cancelled, the next waiting caller sends its own request`()
        async throws
    {
        let gate = ActionGate<Page<Product>>()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard cursor != nil else { return .of("boots", next: "2") }
                return try await gate.hold()
            })
        )
        try await viewModel.search("")
        let first = await started { try await viewModel.loadNextPage() }
        let second = await started { try await viewModel.loadNextPage() }

        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await gate.waitForCalls(2)
        try gate.release(returning: .of("hat"))
        try await second.value

        #expect(viewModel.ids == ["boots", "hat"] && viewModel.lastError == nil)
    }

    // Rule: catalog/failed-page-keeps-rows (21)
    @Test func `a loaded page does not clear the failure of a search`() async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("pan")])
        let viewModel = try await server.openCatalog()
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        server.failure = nil

        try await viewModel.loadNextPage()

        #expect(viewModel.ids == ["boots", "pan"])
        #expect(viewModel.lastError?.kind == .search && viewModel.phase == .failed)
    }

    // Rule: catalog/failure-outlasts-next-page (60)
    @Test(
        arguments: [ViewModelFailure.Kind.search, .refresh],
        [nil, .search, .nextPage] as [ViewModelFailure.Kind?]
    )
    func `a page that fails and is loaded again does not end the failure of a search or refresh`(
        kind: ViewModelFailure.Kind,
        dismissed: ViewModelFailure.Kind?
    ) async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("pan")])
        let viewModel = try await server.openCatalog()
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.perform(kind) }
        if dismissed == .search { viewModel.lastError = nil }
        await #expect(throws: Offline()) { try await viewModel.loadNextPage() }
        #expect(viewModel.lastError?.kind == .nextPage)
        if dismissed == .nextPage { viewModel.lastError = nil }
        server.failure = nil

        try await viewModel.loadNextPage()

        #expect(viewModel.ids == ["boots", "pan"] && viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == (dismissed == nil ? kind : nil))
        #expect(viewModel.isShowingPreviousResults == (kind == .search))
    }

    // Rule: catalog/failure-outlasts-next-page (60); catalog/failed-search-is-discarded (55)
    @Test func `a loaded page does not show the failure of a search that was discarded`()
        async throws
    {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("pan")])
        let viewModel = try await server.openCatalog()
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        await #expect(throws: Offline()) { try await viewModel.loadNextPage() }
        try await viewModel.search("")
        #expect(viewModel.lastError?.kind == .nextPage && viewModel.phase == .loaded)
        server.failure = nil

        try await viewModel.loadNextPage()

        #expect(viewModel.ids == ["boots", "pan"] && viewModel.lastError == nil)
    }
}
