import ProductKit
import Testing

/// Refreshes that overlap with other refreshes, next pages and searches.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct RefreshOrderTests {
    // Rule: catalog/concurrent-refreshes-share-one (35)
    @Test(arguments: [true, false])
    func `concurrent refreshes share one execution`(isEmpty: Bool) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var calls = 0
        var isHeld = isEmpty
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                calls += 1
                guard isHeld else { return .of("boots") }
                return try await held.hold()
            })
        )
        if !isEmpty { try await viewModel.search("") }
        (calls, isHeld) = (0, true)
        let first = await started { try await viewModel.refresh() }
        let second = await started { try await viewModel.refresh() }

        isHeld = false
        try held.release(returning: .of("hat"))
        try await first.value
        try await second.value
        #expect(calls == 1 && viewModel.ids == ["hat"] && viewModel.phase == .loaded)

        try await viewModel.refresh()
        #expect(calls == 2 && viewModel.ids == ["boots"])
    }

    // Rule: catalog/concurrent-refreshes-share-one (35)
    @Test func `when the first refresh fails, the next waiting one sends its own requests`()
        async throws
    {
        let held = HeldPages(ignoresCancellation: true)
        var calls = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                calls += 1
                guard calls == 2 else { return .of("boots") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let first = await started { try await viewModel.refresh() }
        let second = await started { try await viewModel.refresh() }

        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await first.value }
        try await second.value

        #expect(calls == 3 && viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: catalog/page-waits-for-refresh (36)
    @Test func `a next page waits for the refresh and continues from its rows`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard cursor == nil else { return .of("hat") }
                guard isHeld else { return .of("boots", next: "old") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        isHeld = true
        let refresh = await started { try await viewModel.refresh() }
        let page = await started { try await viewModel.loadNextPage() }
        let secondPage = await started { try await viewModel.loadNextPage() }
        #expect(requests == [":first", ":first"] && !viewModel.isLoadingNextPage)

        try held.release(returning: .of("boots", "cap", next: "new"))
        try await refresh.value
        try await page.value
        try await secondPage.value

        #expect(requests == [":first", ":first", ":new"])
        #expect(viewModel.ids == ["boots", "cap", "hat"])
    }

    // Rule: catalog/page-waits-for-refresh (36)
    @Test func `a next page waits for the refresh even at the end of the catalog`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard cursor == nil else { return .of("hat") }
                guard isHeld else { return .of("boots") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        isHeld = true
        let refresh = await started { try await viewModel.refresh() }
        let page = await started { try await viewModel.loadNextPage() }

        try held.release(returning: .of("boots", next: "2"))
        try await refresh.value
        try await page.value

        #expect(viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/refresh-starts-immediately (57); catalog/refresh-reloads-shown-pages (31)
    @Test func `a page that arrives during a refresh is appended and reloaded`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard requests.count > 1 else { return .of("boots", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        let refresh = await started { try await viewModel.refresh() }
        try #require(viewModel.phase == .loading && viewModel.isLoadingNextPage && held.count == 2)

        try held.release(returning: .of("hat", next: "3"))
        try await page.value
        #expect(viewModel.ids == ["boots", "hat"] && viewModel.isRefreshing)
        try held.release(returning: .of("new boots", next: "b"))
        await held.waitForCalls(3)
        try held.release(returning: .of("new hat"))
        try await refresh.value

        #expect(requests == [":first", ":2", ":first", ":b"])
        #expect(viewModel.ids == ["new boots", "new hat"] && !viewModel.isLoadingNextPage)
    }

    // Rule: catalog/refresh-starts-immediately (57)
    @Test(arguments: [true, false])
    func `a page that arrives after a refresh is loaded again from the new rows`(
        succeeds: Bool
    ) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                switch cursor {
                case nil: return .of("boots", next: requests.count == 1 ? "old" : "new")
                case "old": return try await held.hold()
                default: return .of("cap")
                }
            })
        )
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        let refresh = await started { try await viewModel.refresh() }
        try #require(requests == [":first", ":old", ":first"])
        try await refresh.value
        #expect(viewModel.phase == .loaded && !viewModel.isLoadingNextPage)

        if succeeds {
            try held.release(returning: .of("hat"))
        } else {
            try held.release(throwing: Offline())
        }
        try await page.value

        #expect(requests == [":first", ":old", ":first", ":new"])
        #expect(viewModel.ids == ["boots", "cap"] && viewModel.lastError == nil)
    }

    // Rule: catalog/concurrent-calls-share-a-page (19); catalog/refresh-starts-immediately (57)
    @Test func `calls that wait for a page that hangs continue after a refresh`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                switch cursor {
                case nil: return .of("boots", next: requests.count == 1 ? "old" : "new")
                case "old": return try await held.hold()
                default: return .of("cap", next: "3")
                }
            })
        )
        try await viewModel.search("")
        let hung = await started { try await viewModel.loadNextPage() }
        let waiting = await started { try await viewModel.loadNextPage() }

        let refresh = await started { try await viewModel.refresh() }
        let isRefreshed = await eventually { viewModel.ids == ["boots", "cap"] }
        #expect(isRefreshed && held.count == 1)
        try held.release(returning: .of("hat"))
        for call in [hung, waiting, refresh] { try await call.value }

        #expect(requests == [":first", ":old", ":first", ":new"])
        #expect(viewModel.ids == ["boots", "cap"])
    }

    // Rule: catalog/refresh-starts-immediately (57); catalog/cancellation-is-not-a-failure (41)
    @Test func `a cancelled page that arrives after a refresh is not loaded again`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                requests += 1
                guard cursor == nil else { return try await held.hold() }
                return .of("boots", next: "2")
            })
        )
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        try await viewModel.refresh()

        page.cancel()
        try held.release(returning: .of("hat"))

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(requests == 3 && viewModel.ids == ["boots"])
    }

    // Rule: catalog/next-caller-retries-page (20); catalog/page-waits-for-refresh (36)
    @Test func `a page that waits for a refresh does not share an earlier failure`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        let refreshing = HeldPages(ignoresCancellation: true)
        var isFirst = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                switch cursor {
                case nil where isFirst: return .of("boots", next: "old")
                case nil: return try await refreshing.hold()
                case "old": return try await held.hold()
                default: return .of("cap")
                }
            })
        )
        try await viewModel.search("")
        let failed = await started { try await viewModel.loadNextPage() }
        isFirst = false
        let refresh = await started { try await viewModel.refresh() }
        let waiting = await started { try await viewModel.loadNextPage() }

        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await failed.value }
        try refreshing.release(returning: .of("boots", next: "new"))
        try await refresh.value
        try await waiting.value

        #expect(viewModel.ids == ["boots", "cap"] && viewModel.lastError == nil)
    }

    // Rule: catalog/search-supersedes-refresh (37)
    @Test(arguments: [true, false])
    func `a search supersedes a refresh`(succeeds: Bool) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                guard isHeld, query == "" else { return .of(query == "" ? "boots" : "hat") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        isHeld = true
        let refresh = await started { try await viewModel.refresh() }
        try await viewModel.search("hats")
        #expect(viewModel.ids == ["hat"] && !viewModel.isRefreshing && viewModel.phase == .loaded)

        if succeeds {
            try held.release(returning: .of("pan", next: "2"))
        } else {
            try held.release(throwing: Offline())
        }

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["hat"] && viewModel.lastError == nil && !viewModel.hasNextPage)
        #expect(viewModel.phase == .loaded)
    }

    // Rule: catalog/search-supersedes-refresh (37)
    @Test func `a superseded refresh requests no further page`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard isHeld, cursor == nil else { return .of("\(query.at(cursor))", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        isHeld = true
        let refresh = await started { try await viewModel.refresh() }
        let search = await started { try await viewModel.search("hats") }
        #expect(viewModel.isSearching && !viewModel.isRefreshing)

        try held.release(returning: .of("boots", next: "2"))
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(requests == [":first", ":2", ":first", "hats:first"])
        try held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/search-supersedes-refresh (37)
    @Test func `a screen that appears again does not supersede its refresh`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                guard isHeld else { return .of("boots") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        isHeld = true
        let refresh = await started { try await viewModel.refresh() }

        try await viewModel.search("")
        #expect(viewModel.isRefreshing && held.count == 1)
        try held.release(returning: .of("hat"))
        try await refresh.value

        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/return-to-shown-text (14); catalog/refresh-repeats-failed-search (38)
    @Test func `a text that is too short supersedes a refresh that repeats another search`()
        async throws
    {
        let held = HeldPages(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                guard query != "" else { return .of("boots") }
                return try await held.hold()
            })
        )
        viewModel.minimumLength = 2
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await search.value }
        let refresh = await started { try await viewModel.refresh() }

        try await viewModel.search("h")
        try held.release(returning: .of("hat"))

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "")
    }

    // Rule: catalog/concurrent-refreshes-share-one (35); catalog/refresh-repeats-failed-search (38)
    @Test(arguments: [true, false])
    func `a refresh waits for a search and repeats it if it fails`(succeeds: Bool) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard requests.count == 2 else { return .of(query == "" ? "boots" : "hat") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let refresh = await started { try await viewModel.refresh() }

        if succeeds {
            try held.release(returning: .of("hat"))
            try await search.value
        } else {
            try held.release(throwing: Offline())
            await #expect(throws: Offline()) { try await search.value }
        }
        try await refresh.value

        #expect(requests == [":first", "hats:first"] + (succeeds ? [] : ["hats:first"]))
        #expect(viewModel.ids == ["hat"] && viewModel.lastError == nil)
    }
}
