import ProductKit
import Testing

/// Searches that start while another one is being debounced or requested, or after it.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SupersededSearchTests {
    // Rule: catalog/debounce-keeps-last-text (7)
    @Test func `only the last text typed is requested`() async throws {
        let debounces = ActionGate<Void>()
        var requested: [String] = []
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { query, cursor in
                    requested.append(query.at(cursor))
                    return .of("boots")
                },
                sleep: { _ in try await debounces.hold() }
            )
        )
        var searches: [Task<Void, any Error>] = []
        for text in ["b", "bo", "boo"] {
            searches.append(await started { try await viewModel.search(text) })
        }

        for _ in searches { try debounces.release() }

        await #expect(throws: CancellationError.self) { try await searches[0].value }
        await #expect(throws: CancellationError.self) { try await searches[1].value }
        try await searches[2].value
        #expect(requested == ["boo:first"] && viewModel.query == "boo")
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)
    }

    // Rule: catalog/last-text-wins (8)
    @Test(arguments: [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [2, 0, 0], [2, 1, 0]])
    func `the last query wins, in whichever order the responses arrive`(order: [Int]) async throws {
        let held = HeldPages()
        var texts = ["boots", "hats", "pans"]
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in try await held.hold() }))
        var searches: [Task<Void, any Error>] = []
        for text in texts {
            searches.append(await started { try await viewModel.search(text) })
        }

        for index in order {
            let text = texts.remove(at: index)
            #expect(viewModel.ids == (texts.contains("pans") || text == "pans" ? [] : ["pans"]))
            try held.release(returning: .of(Product.ID(text)), at: index)
            let search = searches.remove(at: index)
            if text == "pans" {
                try await search.value
            } else {
                await #expect(throws: CancellationError.self) { try await search.value }
            }
        }

        #expect(viewModel.ids == ["pans"] && viewModel.query == "pans")
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: catalog/superseded-failure-is-ignored (9)
    @Test(arguments: [true, false])
    func `the failure of a superseded search is not stored`(isAfterNewest: Bool) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in try await held.hold() }))
        let first = await started { try await viewModel.search("boots") }
        let second = await started { try await viewModel.search("hats") }

        if isAfterNewest {
            try held.release(returning: .of("hat"), at: 1)
            try await second.value
        }
        try held.release(throwing: Offline())
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(viewModel.lastError == nil && viewModel.isSearching == !isAfterNewest)
        if !isAfterNewest {
            try held.release(returning: .of("hat"))
            try await second.value
        }

        #expect(viewModel.ids == ["hat"] && viewModel.phase == .loaded)
    }

    // Rule: catalog/superseded-failure-is-ignored (9)
    @Test func `a superseded response is dropped after the newest search has failed`() async throws
    {
        let held = HeldPages()
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in try await held.hold() }))
        let first = await started { try await viewModel.search("boots") }
        let second = await started { try await viewModel.search("hats") }

        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try held.release(returning: .of("boots"))

        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(viewModel.rows.isEmpty && viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == .search)
    }

    // Rule: catalog/rows-stay-during-search (10)
    @Test func `rows and query stay during a search and are marked as previous results`()
        async throws
    {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                guard query != "" else { return .of("boots", next: "2", total: 2) }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        #expect(!viewModel.isShowingPreviousResults)
        let rows = viewModel.rows

        let search = await started { try await viewModel.search("hats") }
        #expect(viewModel.rows == rows && viewModel.query == "" && viewModel.total == 2)
        #expect(viewModel.isShowingPreviousResults && viewModel.hasNextPage)

        try held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"] && viewModel.query == "hats")
        #expect(!viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/same-search-requests-nothing (12)
    @Test(arguments: ["", "boots"])
    func `searching for the query that is shown sends no request`(text: String) async throws {
        var pages = [Page.of("boots", next: "2"), .of("hat")]
        var pauses = 0
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { _, _ in pages.isEmpty ? .of() : pages.removeFirst() },
                sleep: { _ in pauses += 1 }
            )
        )
        try await viewModel.search(text)
        try await viewModel.loadNextPage()
        let screen = Watcher { (viewModel.rows, viewModel.phase, viewModel.query) }

        try await viewModel.search(text)

        #expect(viewModel.ids == ["boots", "hat"] && screen.changes == 0)
        #expect(pauses == (text.isEmpty ? 0 : 1))
    }

    // Rule: catalog/search-after-failure-retries (13)
    @Test(arguments: ["", "boots"])
    func `the same search sends a request after a failure`(text: String) async throws {
        var isOffline = true
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                if isOffline { throw Offline() }
                return .of(query == "" ? "everything" : "boots")
            })
        )
        await #expect(throws: Offline()) { try await viewModel.search(text) }
        isOffline = false

        try await viewModel.search(text)

        #expect(viewModel.ids == [text.isEmpty ? "everything" : "boots"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/failed-search-is-discarded (55)
    @Test func `returning to the query shown discards a failed search and keeps the pages`()
        async throws
    {
        var requested: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requested.append(query.at(cursor))
                if query == "hats" { throw Offline() }
                return cursor == nil ? .of("boots", next: "2") : .of("pan")
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }

        try await viewModel.search("")

        #expect(requested == [":first", ":2", "hats:first"] && viewModel.ids == ["boots", "pan"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
        #expect(!viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/failed-refresh-keeps-rows (33)
    @Test func `a screen that appears again after a failed refresh keeps its pages`() async throws {
        var requested: [String] = []
        var isOffline = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                if isOffline { throw Offline() }
                requested.append(query.at(cursor))
                return cursor == nil ? .of("boots", next: "2") : .of("pan")
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        isOffline = true
        await #expect(throws: Offline()) { try await viewModel.refresh() }
        isOffline = false

        try await viewModel.search("")

        #expect(requested == [":first", ":2"] && viewModel.ids == ["boots", "pan"])
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .refresh)
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/search-waits-for-its-refresh (56)
    @Test func `a screen that appears again does not supersede the retry of a failed refresh`()
        async throws
    {
        let held = HeldPages()
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                guard isHeld else { return .of("boots") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        isHeld = true
        let failed = await started { try await viewModel.refresh() }
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await failed.value }
        let retry = await started { try await viewModel.refresh() }

        let search = await started { try await viewModel.search("") }
        try #require(viewModel.isRefreshing && held.count == 1)
        try held.release(returning: .of("hat"))

        try await search.value
        try await retry.value
        #expect(viewModel.ids == ["hat"] && viewModel.phase == .loaded)
    }

    // Rule: catalog/search-waits-for-its-refresh (56)
    @Test(arguments: ["", "hats"], [true, false])
    func `a search waits for the refresh that repeats it`(
        text: String,
        succeeds: Bool
    ) async throws {
        let held = HeldPages()
        var requests = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                requests += 1
                guard requests == 2 else {
                    if requests == 1 { throw Offline() }
                    return .of("boots")
                }
                return try await held.hold()
            })
        )
        await #expect(throws: Offline()) { try await viewModel.search(text) }
        let refresh = await started { try await viewModel.refresh() }

        let search = await started { try await viewModel.search(text) }
        try #require(viewModel.isRefreshing && held.count == 1)
        if succeeds {
            try held.release(returning: .of("boots"))
            try await refresh.value
        } else {
            try held.release(throwing: Offline())
            await #expect(throws: Offline()) { try await refresh.value }
        }

        try await search.value
        #expect(requests == (succeeds ? 2 : 3) && viewModel.ids == ["boots"])
        #expect(viewModel.query.text == text && viewModel.lastError == nil)
    }

    // Rule: catalog/last-text-wins (8); catalog/search-waits-for-its-refresh (56)
    @Test func `a newer search supersedes a search that waits for a refresh`() async throws {
        let held = HeldPages()
        var requested: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requested.append(query.at(cursor))
                if requested.count == 1 { throw Offline() }
                return try await held.hold()
            })
        )
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        let refresh = await started { try await viewModel.refresh() }
        let search = await started { try await viewModel.search("hats") }

        let newest = await started { try await viewModel.search("caps") }

        try held.release(returning: .of("cap"), at: 1)
        try await newest.value
        try held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(requested == ["hats:first", "hats:first", "caps:first"])
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["cap"])
    }

    // Rule: catalog/return-to-shown-text (14)
    @Test(arguments: [true, false])
    func `searching for the query shown cancels the search in flight`(succeeds: Bool) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                guard query != "" else { return .of("boots") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }

        try await viewModel.search("")
        #expect(!viewModel.isSearching && viewModel.phase == .loaded)
        #expect(!viewModel.isShowingPreviousResults)
        if succeeds {
            try held.release(returning: .of("hat"))
        } else {
            try held.release(throwing: Offline())
        }

        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "" && viewModel.lastError == nil)
        #expect(viewModel.phase == .loaded)
    }
}
