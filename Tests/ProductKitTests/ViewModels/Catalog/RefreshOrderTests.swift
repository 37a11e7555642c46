import ProductKit
import Testing

/// Refreshes that overlap with other refreshes, next pages and searches.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct RefreshOrderTests {
    // Rule: catalog/concurrent-refreshes-share-one (35)
    @Test(arguments: [true, false])
    func `concurrent refreshes share one execution`(isEmpty: Bool) async throws {
        let server = PageServer([":first": .of("boots")])
        let viewModel = CatalogViewModel(server.actions)
        if !isEmpty { try await viewModel.search("") }
        (server.pages, server.requests) = ([:], [])
        let refreshes = await started(times: 2) { try await viewModel.refresh() }

        server.pages = [":first": .of("boots")]
        try server.held.release(returning: .of("hat"))
        for refresh in refreshes { try await refresh.value }
        #expect(server.requests.count == 1 && viewModel.ids == ["hat"])
        #expect(viewModel.phase == .loaded)

        try await viewModel.refresh()
        #expect(server.requests.count == 2 && viewModel.ids == ["boots"])
    }

    // Rule: catalog/concurrent-refreshes-share-one (35)
    @Test func `when the first refresh fails, the next waiting one sends its own requests`()
        async throws
    {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = [:]
        let refreshes = await started(times: 2) { try await viewModel.refresh() }

        server.pages = [":first": .of("boots")]
        try server.held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await refreshes[0].value }
        try await refreshes[1].value

        #expect(server.requests.count == 3 && viewModel.phase == .loaded)
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/page-waits-for-refresh (36)
    @Test(arguments: ["old", nil] as [PageCursor?])
    func `a next page waits for the refresh, even at the end, and continues from its rows`(
        next: PageCursor?
    ) async throws {
        let server = PageServer([":first": .of("boots", next: next)])
        let viewModel = try await server.openCatalog()
        server.pages = [":new": .of("hat")]
        let refresh = await started { try await viewModel.refresh() }
        let pages = await started(times: 2) { try await viewModel.loadNextPage() }
        #expect(server.requests == [":first", ":first"] && !viewModel.isLoadingNextPage)

        try server.held.release(returning: .of("boots", "cap", next: "new"))
        for task in [refresh] + pages { try await task.value }

        #expect(server.requests == [":first", ":first", ":new"])
        #expect(viewModel.ids == ["boots", "cap", "hat"])
    }

    // Rule: catalog/refresh-starts-immediately (57); catalog/refresh-reloads-shown-pages (31)
    @Test func `a page that arrives during a refresh is appended and reloaded`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = [:]
        let page = await started { try await viewModel.loadNextPage() }
        let refresh = await started { try await viewModel.refresh() }
        try #require(viewModel.phase == .loading && viewModel.isLoadingNextPage)
        try #require(server.held.count == 2)

        try server.held.release(returning: .of("hat", next: "3"))
        try await page.value
        #expect(viewModel.ids == ["boots", "hat"] && viewModel.phase == .loading)
        server.pages = [":b": .of("new hat")]
        try server.held.release(returning: .of("new boots", next: "b"))
        try await refresh.value

        #expect(server.requests == [":first", ":2", ":first", ":b"])
        #expect(viewModel.ids == ["new boots", "new hat"] && !viewModel.isLoadingNextPage)
    }

    // Rule: catalog/refresh-starts-immediately (57)
    @Test(arguments: [true, false])
    func `a page that arrives after a refresh is loaded again from the new rows`(
        succeeds: Bool
    ) async throws {
        let server = PageServer([":first": .of("boots", next: "old")])
        let viewModel = try await server.openCatalog()
        server.pages = [":first": .of("boots", next: "new"), ":new": .of("cap")]
        let page = await started { try await viewModel.loadNextPage() }
        let refresh = await started { try await viewModel.refresh() }
        try #require(server.requests == [":first", ":old", ":first"])
        try await refresh.value
        #expect(viewModel.phase == .loaded && !viewModel.isLoadingNextPage)

        try server.held.release(returningOrFailing: succeeds ? .of("hat") : nil)
        try await page.value

        #expect(server.requests == [":first", ":old", ":first", ":new"])
        #expect(viewModel.ids == ["boots", "cap"] && viewModel.lastError == nil)
    }

    // Rule: catalog/concurrent-calls-share-a-page (19); catalog/refresh-starts-immediately (57)
    @Test func `calls that wait for a page that hangs continue after a refresh`() async throws {
        let server = PageServer([":first": .of("boots", next: "old")])
        let viewModel = try await server.openCatalog()
        server.pages = [":first": .of("boots", next: "new"), ":new": .of("cap", next: "3")]
        let calls = await started(times: 2) { try await viewModel.loadNextPage() }

        let refresh = await started { try await viewModel.refresh() }
        let isRefreshed = await eventually { viewModel.ids == ["boots", "cap"] }
        #expect(isRefreshed && server.held.count == 1)
        try server.held.release(returning: .of("hat"))
        for call in calls + [refresh] { try await call.value }

        #expect(server.requests == [":first", ":old", ":first", ":new"])
        #expect(viewModel.ids == ["boots", "cap"])
    }

    // Rule: catalog/refresh-starts-immediately (57); catalog/cancellation-is-not-a-failure (41)
    @Test func `a cancelled page that arrives after a refresh is not loaded again`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let page = await started { try await viewModel.loadNextPage() }
        try await viewModel.refresh()

        page.cancel()
        try server.held.release(returning: .of("hat"))

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(server.requests.count == 3 && viewModel.ids == ["boots"])
    }

    // Rule: catalog/next-caller-retries-page (20); catalog/page-waits-for-refresh (36)
    @Test func `a page that waits for a refresh does not share an earlier failure`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = [":new": .of("cap")]
        let failed = await started { try await viewModel.loadNextPage() }
        let refresh = await started { try await viewModel.refresh() }
        let waiting = await started { try await viewModel.loadNextPage() }

        try server.held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await failed.value }
        try server.held.release(returning: .of("boots", next: "new"))
        try await refresh.value
        try await waiting.value

        #expect(viewModel.ids == ["boots", "cap"] && viewModel.lastError == nil)
    }

    // Rule: catalog/search-supersedes-refresh (37)
    @Test(arguments: [true, false])
    func `a search supersedes a refresh`(succeeds: Bool) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = ["hats:first": .of("hat")]
        let refresh = await started { try await viewModel.refresh() }
        try await viewModel.search("hats")
        #expect(viewModel.ids == ["hat"] && viewModel.phase == .loaded)

        try server.held.release(returningOrFailing: succeeds ? .of("pan", next: "2") : nil)

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["hat"] && viewModel.lastError == nil && !viewModel.hasNextPage)
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/search-supersedes-refresh (37)
    @Test func `a superseded refresh requests no further page`() async throws {
        let server = PageServer(pageCount: 2)
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.pages[":first"] = nil
        let refresh = await started { try await viewModel.refresh() }
        let search = await started { try await viewModel.search("hats") }
        #expect(viewModel.phase == .loading && viewModel.isShowingPreviousResults)

        try server.held.release(returning: .of("1", next: "2"))
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(server.requests == [":first", ":2", ":first", "hats:first"])
        try server.held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/search-waits-for-its-refresh (56)
    @Test(arguments: [true, false])
    func `a screen that appears again does not supersede its refresh`(isRetry: Bool) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = [:]
        if isRetry {
            server.failure = Offline()
            await #expect(throws: Offline()) { try await viewModel.refresh() }
            server.failure = nil
        }
        let refresh = await started { try await viewModel.refresh() }

        let search = await started { try await viewModel.search("") }
        try await search.promptValue
        try #require(viewModel.phase == .loading && server.held.count == 1)
        try server.held.release(returning: .of("hat"))
        try await refresh.value

        #expect(viewModel.ids == ["hat"] && viewModel.phase == .loaded)
    }

    // Rule: catalog/return-to-shown-text (14); catalog/refresh-repeats-failed-search (38)
    @Test func `a text that is too short supersedes a refresh that repeats another search`()
        async throws
    {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        viewModel.minimumLength = 2
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        server.failure = nil
        let refresh = await started { try await viewModel.refresh() }

        try await viewModel.search("h")
        try server.held.release(returning: .of("hat"))

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "")
    }

    // Rule: catalog/concurrent-refreshes-share-one (35); catalog/refresh-repeats-failed-search (38)
    @Test(arguments: [true, false])
    func `a refresh waits for a search and repeats it if it fails`(succeeds: Bool) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let search = await started { try await viewModel.search("hats") }
        let refresh = await started { try await viewModel.refresh() }

        server.pages["hats:first"] = .of("hat")
        try server.held.release(returningOrFailing: succeeds ? .of("hat") : nil)
        _ = await search.result
        try await refresh.value

        #expect(server.requests == [":first", "hats:first"] + (succeeds ? [] : ["hats:first"]))
        #expect(viewModel.ids == ["hat"] && viewModel.lastError == nil)
    }
}
