import ProductKit
import Testing

/// Next pages that are requested before, during and after searches.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NextPageOrderTests {
    // Rule: catalog/page-of-old-query-dropped (22)
    @Test(arguments: [true, false])
    func `a late page of a previous query is dropped`(succeeds: Bool) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                guard cursor != nil else {
                    return .of(query == "" ? "boots" : "hat", next: "2", total: 2)
                }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        try await viewModel.search("hats")
        #expect(!viewModel.isLoadingNextPage)

        if succeeds {
            try held.release(returning: .of("pan", total: 9))
        } else {
            try held.release(throwing: Offline())
        }

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(viewModel.ids == ["hat"] && viewModel.total == 2 && viewModel.hasNextPage)
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)
    }

    // Rule: catalog/page-of-old-query-dropped (22)
    @Test func `a late page of a previous query does not end the load of the current one`()
        async throws
    {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                guard cursor != nil else { return .of(query == "" ? "boots" : "hat", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let late = await started { try await viewModel.loadNextPage() }
        try await viewModel.search("hats")
        let page = await started { try await viewModel.loadNextPage() }
        #expect(held.count == 2)

        try held.release(returning: .of("pan"))
        await #expect(throws: CancellationError.self) { try await late.promptValue }
        #expect(viewModel.isLoadingNextPage)
        try held.release(returning: .of("cap"))
        try await page.value

        #expect(viewModel.ids == ["hat", "cap"] && !viewModel.isLoadingNextPage)
    }

    // Rule: catalog/page-during-debounce-is-appended (23)
    @Test(arguments: [true, false])
    func `a page is appended to the rows shown while a text is debounced or requested`(
        isDebouncing: Bool
    ) async throws {
        let sleeping = ActionGate<Void>()
        let held = HeldPages()
        let searching = HeldPages()
        let viewModel = CatalogViewModel(
            .only(
                loadPage: { query, cursor in
                    if query == "hats" {
                        return try await searching.hold()
                    }
                    guard cursor != nil else { return .of("boots", next: "2") }
                    return try await held.hold()
                },
                sleep: { _ in try await sleeping.hold() }
            )
        )
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        let search = await started { try await viewModel.search("hats") }
        if !isDebouncing {
            try sleeping.release()
            await searching.waitForCalls(1)
        }

        try held.release(returning: .of("pan"))
        try await page.value
        #expect(viewModel.ids == ["boots", "pan"] && viewModel.isSearching)

        if isDebouncing {
            try sleeping.release()
            await searching.waitForCalls(1)
        }
        try searching.release(returning: .of("hat"))
        try await search.value
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/page-waits-for-search (24)
    @Test func `a page that waits for a search is cancelled when other rows are shown`()
        async throws
    {
        let held = HeldPages()
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard query != "", cursor == nil else { return .of("boots", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }
        #expect(requests == [":first", "hats:first"] && !viewModel.isLoadingNextPage)

        try held.release(returning: .of("hat", next: "2"))
        try await search.value

        await #expect(throws: CancellationError.self) { try await page.value }
        #expect(requests == [":first", "hats:first"] && viewModel.ids == ["hat"])
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/page-waits-for-search (24)
    @Test func `a page that waits for a search is loaded if the search fails`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                guard query == "" else { return try await held.hold() }
                return cursor == nil ? .of("boots", next: "2") : .of("pan")
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }

        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await search.value }
        try await page.value

        #expect(viewModel.ids == ["boots", "pan"] && viewModel.lastError?.kind == .search)
    }

    // Rule: catalog/page-waits-for-search (24)
    @Test func `a page waits for the newest search, not for the superseded one`() async throws {
        let held = HeldPages()
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard query == "" else { return try await held.hold() }
                return cursor == nil ? .of("boots", next: "2") : .of("pan")
            })
        )
        try await viewModel.search("")
        let first = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }
        let second = await started { try await viewModel.search("caps") }

        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try await page.value
        #expect(requests == [":first", "hats:first", "caps:first", ":2"])
        #expect(viewModel.ids == ["boots", "pan"])

        try held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(viewModel.ids == ["boots", "pan"])
    }

    // Rule: catalog/return-to-shown-text (14); catalog/page-waits-for-search (24)
    @Test func `a search for the text shown lets a waiting page continue immediately`() async throws
    {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                guard query == "" else { return try await held.hold() }
                return cursor == nil ? .of("boots", next: "2") : .of("pan")
            })
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let page = await started { try await viewModel.loadNextPage() }

        try await viewModel.search("")
        try #require(!viewModel.isSearching)
        try await page.promptValue
        #expect(viewModel.ids == ["boots", "pan"])

        try held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
    }

    // Rule: catalog/concurrent-calls-share-a-page (19); catalog/page-waits-for-search (24)
    @Test func `a page in flight before a failed search is not requested again after it`()
        async throws
    {
        let held = HeldPages()
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                if query != "" { throw Offline() }
                guard cursor != nil else { return .of("boots", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let first = await started { try await viewModel.loadNextPage() }
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        let second = await started { try await viewModel.loadNextPage() }
        #expect(requests == [":first", ":2", "hats:first"])

        try held.release(returning: .of("pan", next: "3"))
        try await first.value
        try await second.value

        #expect(requests.count == 3 && viewModel.ids == ["boots", "pan"])
    }

    // Rule: catalog/concurrent-calls-share-a-page (19); catalog/next-caller-retries-page (20)
    // Rule: catalog/page-waits-for-search (24)
    @Test func `a page that waited for a search also waits for the page in flight`() async throws {
        let held = HeldPages()
        let searching = HeldPages()
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                if query != "" {
                    return try await searching.hold()
                }
                guard cursor != nil else { return .of("boots", next: "2") }
                guard requests.count == 2 else { return .of("cap") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        let first = await started { try await viewModel.loadNextPage() }
        let search = await started { try await viewModel.search("hats") }
        let second = await started { try await viewModel.loadNextPage() }

        try searching.release(throwing: Offline())
        await #expect(throws: Offline()) { try await search.value }
        try held.release(returning: .of("pan", next: "3"))
        try await first.value
        try await second.value

        #expect(requests == [":first", ":2", "hats:first"] && viewModel.ids == ["boots", "pan"])
    }
}
