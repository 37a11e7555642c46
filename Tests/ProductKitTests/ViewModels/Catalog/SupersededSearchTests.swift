import ProductKit
import Testing

/// Searches that start while another one is being debounced or requested, or after it.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SupersededSearchTests {
    // Rule: catalog/debounce-keeps-last-text (7)
    @Test func `only the last text typed is requested`() async throws {
        let debounces = ActionGate<Void>()
        let server = PageServer(["boo:first": .of("boots")])
        var actions = server.actions
        actions.sleep = { _ in try await debounces.hold() }
        let viewModel = CatalogViewModel(actions)
        var searches: [Task<Void, any Error>] = []
        for text in ["b", "bo", "boo"] {
            searches.append(await started { try await viewModel.search(text) })
        }

        for _ in searches { try debounces.release() }

        await #expect(throws: CancellationError.self) { try await searches[0].value }
        await #expect(throws: CancellationError.self) { try await searches[1].value }
        try await searches[2].value
        #expect(server.requests == ["boo:first"] && viewModel.query == "boo")
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
    @Test(arguments: [true, false], [true, false])
    func `the result of a superseded search is dropped`(
        newestSucceeds: Bool,
        isAfterNewest: Bool
    ) async throws {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions)
        let first = await started { try await viewModel.search("boots") }
        let newest = await started { try await viewModel.search("hats") }
        let newestPage: Page<Product>? = newestSucceeds ? .of("hat") : nil

        if isAfterNewest {
            try server.held.release(returningOrFailing: newestPage, at: 1)
            _ = await newest.result
        }
        try server.held.release(returningOrFailing: newestSucceeds ? nil : .of("boots"))
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect((viewModel.phase == .loading) == !isAfterNewest)
        if !isAfterNewest {
            #expect(viewModel.lastError == nil)
            try server.held.release(returningOrFailing: newestPage)
            _ = await newest.result
        }

        #expect(viewModel.ids == (newestSucceeds ? ["hat"] : []))
        #expect(viewModel.phase == (newestSucceeds ? .loaded : .failed))
        #expect(viewModel.lastError?.kind == (newestSucceeds ? nil : .search))
    }

    // Rule: catalog/rows-stay-during-search (10)
    @Test func `rows and query stay during a search and are marked as previous results`()
        async throws
    {
        let server = PageServer([":first": .of("boots", next: "2", total: 2)])
        let viewModel = try await server.openCatalog()
        #expect(!viewModel.isShowingPreviousResults)

        let search = await started { try await viewModel.search("hats") }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "" && viewModel.total == 2)
        #expect(viewModel.isShowingPreviousResults && viewModel.hasNextPage)

        try server.held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"] && viewModel.query == "hats")
        #expect(!viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/same-search-requests-nothing (12)
    @Test(arguments: ["", "boots"])
    func `searching for the query that is shown sends no request`(text: String) async throws {
        let server = PageServer(["\(text):first": .of("boots", next: "2"), "\(text):2": .of("hat")])
        var pauses = 0
        var actions = server.actions
        actions.sleep = { _ in pauses += 1 }
        let viewModel = CatalogViewModel(actions)
        try await viewModel.search(text)
        try await viewModel.loadNextPage()
        let screen = Watcher { (viewModel.rows, viewModel.phase, viewModel.query) }

        try await viewModel.search(text)

        #expect(viewModel.ids == ["boots", "hat"] && screen.changes == 0)
        #expect(server.requests.count == 2 && pauses == (text.isEmpty ? 0 : 1))
    }

    // Rule: catalog/search-after-failure-retries (13)
    @Test(arguments: ["", "boots"])
    func `the same search sends a request after a failure`(text: String) async throws {
        let server = PageServer([":first": .of("everything"), "boots:first": .of("boots")])
        let viewModel = CatalogViewModel(server.actions)
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search(text) }
        server.failure = nil

        try await viewModel.search(text)

        #expect(viewModel.ids == [text.isEmpty ? "everything" : "boots"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/failed-search-is-discarded (55)
    // Rule: catalog/failed-refresh-keeps-rows (33)
    @Test(arguments: [ViewModelFailure.Kind.search, .refresh])
    func `returning to the query shown keeps the pages, and discards only a failed search`(
        kind: ViewModelFailure.Kind
    ) async throws {
        let server = PageServer(pageCount: 2)
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.perform(kind) }
        server.failure = nil

        try await viewModel.search("")

        #expect(server.requests.count == 3 && viewModel.ids == ["1", "2"])
        #expect(viewModel.phase == (kind == .search ? .loaded : .failed))
        #expect(viewModel.lastError?.kind == (kind == .search ? nil : .refresh))
        #expect(!viewModel.isShowingPreviousResults)
    }

    // Rule: catalog/search-waits-for-its-refresh (56)
    @Test(arguments: ["", "hats"], [true, false])
    func `a search waits for the refresh that repeats it`(
        text: String,
        succeeds: Bool
    ) async throws {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions)
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search(text) }
        server.failure = nil
        let refresh = await started { try await viewModel.refresh() }

        let search = await started { try await viewModel.search(text) }
        try #require(viewModel.phase == .loading && server.held.count == 1)
        server.pages["\(text):first"] = .of("boots")
        try server.held.release(returningOrFailing: succeeds ? .of("boots") : nil)
        _ = await refresh.result

        try await search.value
        #expect(server.requests.count == (succeeds ? 2 : 3) && viewModel.ids == ["boots"])
        #expect(viewModel.query.text == text && viewModel.lastError == nil)
    }

    // Rule: catalog/last-text-wins (8); catalog/search-waits-for-its-refresh (56)
    @Test func `a newer search supersedes a search that waits for a refresh`() async throws {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions)
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        server.failure = nil
        let refresh = await started { try await viewModel.refresh() }
        let search = await started { try await viewModel.search("hats") }

        let newest = await started { try await viewModel.search("caps") }

        try server.held.release(returning: .of("cap"), at: 1)
        try await newest.value
        try server.held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(server.requests == ["hats:first", "hats:first", "caps:first"])
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["cap"])
    }

    // Rule: catalog/return-to-shown-text (14)
    @Test(arguments: [true, false])
    func `searching for the query shown cancels the search in flight`(succeeds: Bool) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let search = await started { try await viewModel.search("hats") }

        try await viewModel.search("")
        #expect(viewModel.phase == .loaded)
        #expect(!viewModel.isShowingPreviousResults)
        try server.held.release(returningOrFailing: succeeds ? .of("hat") : nil)

        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.ids == ["boots"] && viewModel.query == "" && viewModel.lastError == nil)
        #expect(viewModel.phase == .loaded)
    }
}
