import ProductKit
import Testing

/// Searches that start while another one is being debounced or requested, or after it.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SupersededSearchTests {
    // Rule: catalog/debounce-keeps-last-text (7)
    @Test func `only the last text typed is requested`() async throws {
        let debounces = Held<Void>()
        var requested: [String] = []
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { query, cursor in
                    requested.append(query.at(cursor))
                    return .of("boots")
                },
                sleep: { _ in try await debounces.suspend() }
            )
        )
        var searches: [Task<Void, any Error>] = []
        for text in ["b", "bo", "boo"] {
            searches.append(await started { try await viewModel.search(text) })
        }

        for _ in searches { try debounces.resume() }

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
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in try await held.suspend() }))
        var searches: [Task<Void, any Error>] = []
        for text in texts {
            searches.append(await started { try await viewModel.search(text) })
        }

        for index in order {
            let text = texts.remove(at: index)
            #expect(viewModel.ids == (texts.contains("pans") || text == "pans" ? [] : ["pans"]))
            try held.resume(returning: .of(Product.ID(text)), at: index)
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
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in try await held.suspend() }))
        let first = await started { try await viewModel.search("boots") }
        let second = await started { try await viewModel.search("hats") }

        if isAfterNewest {
            try held.resume(returning: .of("hat"), at: 1)
            try await second.value
        }
        try held.fail()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(viewModel.lastError == nil && viewModel.isSearching == !isAfterNewest)
        if !isAfterNewest {
            try held.resume(returning: .of("hat"))
            try await second.value
        }

        #expect(viewModel.ids == ["hat"] && viewModel.phase == .loaded)
    }

    // Rule: catalog/superseded-failure-is-ignored (9)
    @Test func `a superseded response is dropped after the newest search has failed`() async throws
    {
        let held = HeldPages()
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in try await held.suspend() }))
        let first = await started { try await viewModel.search("boots") }
        let second = await started { try await viewModel.search("hats") }

        try held.fail(at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try held.resume(returning: .of("boots"))

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
                return try await held.suspend()
            })
        )
        try await viewModel.search("")
        #expect(!viewModel.isShowingPreviousResults)
        let rows = viewModel.rows

        let search = await started { try await viewModel.search("hats") }
        #expect(viewModel.rows == rows && viewModel.query == "" && viewModel.total == 2)
        #expect(viewModel.isShowingPreviousResults && viewModel.hasNextPage)

        try held.resume(returning: .of("hat"))
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

    // Rule: catalog/search-after-failure-retries (13)
    @Test func `the query shown is requested again after another one has failed`() async throws {
        var requested: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requested.append(query.at(cursor))
                if query == "hats" { throw Offline() }
                return .of("boots")
            })
        )
        try await viewModel.search("")
        await #expect(throws: Offline()) { try await viewModel.search("hats") }

        try await viewModel.search("")

        #expect(requested == [":first", "hats:first", ":first"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
        #expect(!viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/return-to-shown-text (14)
    @Test(arguments: [true, false])
    func `searching for the query shown cancels the search in flight`(succeeds: Bool) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                guard query != "" else { return .of("boots") }
                return try await held.suspend()
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }

        try await viewModel.search("")
        #expect(!viewModel.isSearching && viewModel.phase == .loaded)
        #expect(!viewModel.isShowingPreviousResults)
        if succeeds { try held.resume(returning: .of("hat")) } else { try held.fail() }

        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "" && viewModel.lastError == nil)
        #expect(viewModel.phase == .loaded)
    }
}
