import ProductKit
import Testing

/// Next pages: cursors, the end of the catalog, concurrent calls and failures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct NextPageTests {
    // Rule: catalog/next-page-follows-cursor (17)
    @Test func `the next page is requested with the previous page's cursor and appended`()
        async throws
    {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return switch cursor {
                case nil: .of("boots", next: "2", total: 3)
                case "2": .of("hat", next: "3")
                default: .of("pan", total: 4)
                }
            })
        )
        try await viewModel.search("things")

        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["boots", "hat"] && viewModel.hasNextPage && viewModel.total == 3)
        try await viewModel.loadNextPage()

        #expect(requests == ["things:first", "things:2", "things:3"])
        #expect(viewModel.ids == ["boots", "hat", "pan"] && !viewModel.hasNextPage)
        #expect(viewModel.total == 4 && viewModel.phase == .loaded)
    }

    // Rule: catalog/next-page-follows-cursor (17)
    @Test func `isLoadingNextPage is true while a next page is in flight`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard cursor != nil else { return .of("boots", next: "2") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        #expect(!viewModel.isLoadingNextPage)

        let page = await started { try await viewModel.loadNextPage() }
        #expect(viewModel.isLoadingNextPage && viewModel.phase == .loaded)
        try held.release(returning: .of("hat"))
        try await page.value
        #expect(!viewModel.isLoadingNextPage)
    }

    // Rule: catalog/nothing-after-the-end (18)
    @Test func `at the end, and before the first page, nothing is requested`() async throws {
        var calls = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                calls += 1
                return .of("boots")
            })
        )

        try await viewModel.loadNextPage()
        #expect(calls == 0 && viewModel.phase == .idle)
        try await viewModel.search("")
        try await viewModel.loadNextPage()

        #expect(calls == 1 && viewModel.ids == ["boots"] && viewModel.lastError == nil)
    }

    // Rule: catalog/nothing-after-the-end (18)
    @Test func `before the first page nothing is requested, even during a search`() async throws {
        let held = HeldPages(ignoresCancellation: true)
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() })
        )
        let search = await started { try await viewModel.search("") }

        try await viewModel.loadNextPage()

        #expect(held.count == 1)
        try held.release(returning: .of("boots", next: "2"))
        try await search.value
        #expect(viewModel.ids == ["boots"])
    }

    // Rule: catalog/concurrent-calls-share-a-page (19)
    @Test(arguments: 2...5)
    func `concurrent calls send one request, and all of them succeed`(count: Int) async throws {
        let held = HeldPages(ignoresCancellation: true)
        var calls = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard cursor == "2" else { return .of("boots", next: "2") }
                calls += 1
                guard calls == 1 else { return .of("cap") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        var pages: [Task<Void, any Error>] = []
        for _ in 1...count {
            pages.append(await started { try await viewModel.loadNextPage() })
        }

        try held.release(returning: .of("hat", next: "3"))
        for page in pages { try await page.value }

        #expect(calls == 1 && viewModel.ids == ["boots", "hat"] && viewModel.hasNextPage)
    }

    // Rule: catalog/next-caller-retries-page (20)
    @Test func `when the request fails, all callers get its error and a later one retries`()
        async throws
    {
        let held = HeldPages(ignoresCancellation: true)
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard cursor != nil else { return .of("boots", next: "2") }
                guard requests.count == 2 else { return .of("hat") }
                return try await held.hold()
            })
        )
        try await viewModel.search("")
        var calls: [Task<Void, any Error>] = []
        for _ in 1...4 { calls.append(await started { try await viewModel.loadNextPage() }) }

        try held.release(throwing: Offline())
        for call in calls { await #expect(throws: Offline()) { try await call.value } }
        #expect(requests == [":first", ":2"] && viewModel.lastError?.kind == .nextPage)
        #expect(!viewModel.isLoadingNextPage)

        try await viewModel.loadNextPage()
        #expect(requests == [":first", ":2", ":2"] && viewModel.ids == ["boots", "hat"])
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/next-caller-retries-page (20)
    @Test func `when the first call is cancelled, the next waiting caller sends its own request`()
        async throws
    {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        var calls = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard cursor != nil else { return .of("boots", next: "2") }
                calls += 1
                // Suspends until the task is cancelled.
                if calls == 1 { for await _ in stream {} }
                try Task.checkCancellation()
                return .of("hat")
            })
        )
        try await viewModel.search("")
        let first = await started { try await viewModel.loadNextPage() }
        let second = await started { try await viewModel.loadNextPage() }

        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await second.value

        #expect(calls == 2 && viewModel.ids == ["boots", "hat"] && viewModel.lastError == nil)
    }

    // Rule: catalog/failed-page-keeps-rows (21)
    @Test func `a failed page leaves rows and phase unchanged and can be requested again`()
        async throws
    {
        var isOffline = true
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                guard cursor != nil else { return .of("boots", next: "2", total: 2) }
                requests.append(query.at(cursor))
                if isOffline { throw Offline() }
                return .of("hat")
            })
        )
        try await viewModel.search("")

        await #expect(throws: Offline()) { try await viewModel.loadNextPage() }
        #expect(viewModel.ids == ["boots"] && viewModel.phase == .loaded && viewModel.hasNextPage)
        #expect(viewModel.lastError?.kind == .nextPage && !viewModel.isLoadingNextPage)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())

        isOffline = false
        try await viewModel.loadNextPage()
        #expect(requests == [":2", ":2"] && viewModel.ids == ["boots", "hat"])
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/failed-page-keeps-rows (21)
    @Test func `a loaded page does not clear the failure of a search`() async throws {
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                if query == "hats" { throw Offline() }
                return cursor == nil ? .of("boots", next: "2") : .of("pan")
            })
        )
        try await viewModel.search("")
        await #expect(throws: Offline()) { try await viewModel.search("hats") }

        try await viewModel.loadNextPage()

        #expect(viewModel.ids == ["boots", "pan"])
        #expect(viewModel.lastError?.kind == .search && viewModel.phase == .failed)
    }
}
