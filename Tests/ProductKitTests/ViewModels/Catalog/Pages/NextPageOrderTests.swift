import ProductKit
import Testing

/// Next pages that are requested before, during and after searches.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NextPageOrderTests {
    // Rule: catalog/page-of-old-query-dropped (22)
    @Test(arguments: [true, false])
    func `a late page of a previous query is dropped`(succeeds: Bool) async throws {
        let server = PageServer([
            ":first": .of("boots", next: "2", total: 2),
            "hats:first": .of("hat", next: "2", total: 2),
        ])
        let viewModel = try await server.openCatalog()
        let page = await started { try await viewModel.loadNextPage() }
        try await viewModel.search("hats")
        #expect(!viewModel.isLoadingNextPage)

        try server.held.release(returningOrFailing: succeeds ? .of("pan", total: 9) : nil)

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(viewModel.ids == ["hat"] && viewModel.total == 2 && viewModel.hasNextPage)
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)
    }

    // Rule: catalog/page-of-old-query-dropped (22)
    @Test func `a late page of a previous query does not end the load of the current one`()
        async throws
    {
        let server = PageServer([
            ":first": .of("boots", next: "2"), "hats:first": .of("hat", next: "2"),
        ])
        let viewModel = try await server.openCatalog()
        let late = await started { try await viewModel.loadNextPage() }
        try await viewModel.search("hats")
        let page = await started { try await viewModel.loadNextPage() }
        #expect(server.held.count == 2)

        try server.held.release(returning: .of("pan"))
        await #expect(throws: CancellationError.self) { try await late.promptValue }
        #expect(viewModel.isLoadingNextPage)
        try server.held.release(returning: .of("cap"))
        try await page.value

        #expect(viewModel.ids == ["hat", "cap"] && !viewModel.isLoadingNextPage)
    }

    // Rule: catalog/page-during-debounce-is-appended (23)
    @Test(arguments: [true, false])
    func `a page is appended to the rows shown while a text is debounced or requested`(
        isDebouncing: Bool
    ) async throws {
        let sleeping = ActionGate<Void>()
        let server = PageServer()
        var actions = server.actions
        actions.sleep = { _ in try await sleeping.hold() }
        let viewModel = CatalogViewModel(actions)
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        let search = await started { try await viewModel.search("hats") }
        if !isDebouncing {
            try sleeping.release()
            await server.held.waitForCalls(2)
        }

        try server.held.release(returning: .of("pan"))
        try await page.value
        #expect(viewModel.ids == ["boots", "pan"] && viewModel.phase == .loading)

        if isDebouncing {
            try sleeping.release()
            await server.held.waitForCalls(2)
        }
        try server.held.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/page-waits-for-search (24)
    @Test(arguments: [true, false])
    func `a page that waits for a search is loaded only if the search fails`(
        succeeds: Bool
    ) async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("pan")])
        let viewModel = try await server.openCatalog()
        let search = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }
        #expect(server.requests == [":first", "hats:first"] && !viewModel.isLoadingNextPage)

        try server.held.release(returningOrFailing: succeeds ? .of("hat", next: "2") : nil)
        _ = await search.result

        if succeeds {
            await #expect(throws: CancellationError.self) { try await page.value }
            #expect(viewModel.ids == ["hat"] && viewModel.lastError == nil)
        } else {
            try await page.value
            #expect(viewModel.ids == ["boots", "pan"] && viewModel.lastError?.kind == .search)
        }
        #expect(server.requests == [":first", "hats:first"] + (succeeds ? [] : [":2"]))
    }

    // Rule: catalog/page-waits-for-search (24)
    @Test func `a page waits for the newest search, not for the superseded one`() async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("pan")])
        let viewModel = try await server.openCatalog()
        let first = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }
        let second = await started { try await viewModel.search("caps") }

        try server.held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try await page.value
        #expect(server.requests == [":first", "hats:first", "caps:first", ":2"])
        #expect(viewModel.ids == ["boots", "pan"])

        try server.held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(viewModel.ids == ["boots", "pan"])
    }

    // Rule: catalog/return-to-shown-text (14); catalog/page-waits-for-search (24)
    @Test func `a search for the text shown lets a waiting page continue immediately`() async throws
    {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("pan")])
        let viewModel = try await server.openCatalog()
        let search = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }

        try await viewModel.search("")
        try #require(viewModel.phase == .loaded)
        try await page.promptValue
        #expect(viewModel.ids == ["boots", "pan"])

        try server.held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
    }

    // Rule: catalog/concurrent-calls-share-a-page (19); catalog/page-waits-for-search (24)
    @Test(arguments: [true, false])
    func `a page in flight before a failed search is not requested again during or after it`(
        waitsForSearch: Bool
    ) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        let first = await started { try await viewModel.loadNextPage() }
        let search = await started { try await viewModel.search("hats") }
        let early = await started { if waitsForSearch { try await viewModel.loadNextPage() } }
        try server.held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await search.value }
        server.pages = [":2": .of("cap"), ":3": .of("cap")]
        let late = await started { if !waitsForSearch { try await viewModel.loadNextPage() } }

        try server.held.release(returning: .of("pan", next: "3"))
        for call in [first, early, late] { try await call.value }

        #expect(server.requests == [":first", ":2", "hats:first"])
        #expect(viewModel.ids == ["boots", "pan"])
    }

    // Rule: catalog/concurrent-calls-share-a-page (19)
    @Test func `a call that waits for a page returns before the next page is requested`()
        async throws
    {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        var requestsAtReturn: [String] = []
        let twice = await started {
            try await viewModel.loadNextPage()
            try await viewModel.loadNextPage()
        }
        let once = await started {
            try await viewModel.loadNextPage()
            requestsAtReturn = server.requests
        }

        try server.held.release(returning: .of("pan", next: "3"))
        await server.held.waitForCalls(2)
        #expect(requestsAtReturn == [":first", ":2"])
        try server.held.release(returning: .of("mug"))

        for call in [twice, once] { try await call.value }
        #expect(viewModel.ids == ["boots", "pan", "mug"])
    }

    // Rule: catalog/next-caller-retries-page (20)
    @Test func `a call that waits for a page throws its error before the page is requested again`()
        async throws
    {
        let server = PageServer([":first": .of("boots", next: "2")])
        let viewModel = try await server.openCatalog()
        var (failure, requests): (ViewModelFailure?, [String]) = (nil, [])
        let repeated = await started {
            await #expect(throws: Offline()) { try await viewModel.loadNextPage() }
            try await viewModel.loadNextPage()
        }
        let once = await started {
            do {
                try await viewModel.loadNextPage()
            } catch is Offline {
                (failure, requests) = (viewModel.lastError, server.requests)
            }
        }

        try server.held.release(throwing: Offline())
        await server.held.waitForCalls(2)
        #expect(failure?.kind == .nextPage && failure?.underlying is Offline)
        #expect(requests == [":first", ":2"])
        try server.held.release(returning: .of("pan"))

        for call in [repeated, once] { try await call.value }
        #expect(viewModel.ids == ["boots", "pan"] && viewModel.lastError == nil)
    }
}
