import ProductKit
import Testing

/// Refreshes that a search supersedes: callers that wait for them must not wait forever.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SupersededRefreshTests {
    // Rule: catalog/page-waits-for-search (24); catalog/concurrent-refreshes-share-one (35)
    // Rule: catalog/search-supersedes-refresh (37)
    @Test func `callers that wait for a superseded refresh end when the search ends`() async throws
    {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = ["hats:first": .of("hat")]
        let refresh = await started { try await viewModel.refresh() }
        let page = await started { try await viewModel.loadNextPage() }
        let secondRefresh = await started { try await viewModel.refresh() }

        try await viewModel.search("hats")

        await #expect(throws: CancellationError.self) { try await page.value }
        try await secondRefresh.value
        try server.held.release(returning: .of("late"))
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["hat"])
    }

    // Rule: catalog/search-supersedes-refresh (37); catalog/refresh-repeats-failed-search (38)
    @Test(arguments: [true, false])
    func `a superseded refresh blocks no later call after the search has failed`(
        endsLast: Bool
    ) async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.pages = [:]
        let refresh = await started { try await viewModel.refresh() }
        let search = await started { try await viewModel.search("hats") }
        try server.held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await search.value }
        if !endsLast { try server.held.release(returning: .of("late")) }
        server.pages = [":2": .of("pan"), "hats:first": .of("hat")]

        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["boots", "pan"])
        try await viewModel.refresh()

        if endsLast { try server.held.release(throwing: Offline()) }
        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(viewModel.ids == ["hat"] && viewModel.query == "hats")
    }

    // Rule: catalog/last-text-wins (8); catalog/next-caller-retries-page (20)
    // Rule: catalog/page-waits-for-search (24); catalog/concurrent-refreshes-share-one (35)
    // Rule: catalog/search-supersedes-refresh (37); catalog/cancellation-is-not-a-failure (41)
    // Rule: catalog/reset-drops-responses (45)
    @Test(arguments: [false, true])
    func `in hundreds of random orders every call ends`(resets: Bool) async throws {
        for seed in 1...UInt64(300) {
            try await checkRandomOrder(seed: seed, resets: resets)
        }
    }

    private func checkRandomOrder(seed: UInt64, resets: Bool) async throws {
        var generator = SeededGenerator(seed: seed)
        let held = HeldPages(ignoresCancellation: true)
        var isOpen = false
        let store = ProductStore()
        var loads = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                if cursor == nil { loads += 1 }
                let parts = cursor?.rawValue.split(separator: ".").compactMap { Int($0) }
                let (load, number) = (parts?.first ?? loads, parts?.last ?? 1)
                let next: PageCursor? = number < 3 ? "\(load).\(number + 1)" : nil
                let page = Page.of("\(query.text) \(load).\(number)", next: next)
                guard !isOpen else { return page }
                let response = try await held.hold()
                return response.items.isEmpty ? page : response
            }),
            store: store
        )
        var callers: [Task<Void, any Error>] = []
        for _ in 0..<Int.random(in: 3...8, using: &generator) {
            switch Int.random(in: 0..<(resets ? 9 : 8), using: &generator) {
            case 0: callers.append(await started { try await viewModel.search("a") })
            case 1: callers.append(await started { try await viewModel.search("b") })
            case 2: callers.append(await started { try await viewModel.refresh() })
            case 3: callers.append(await started { try await viewModel.loadNextPage() })
            case 4: callers.randomElement(using: &generator)?.cancel()
            case 8: store.reset()
            default:
                guard let index = (0..<held.count).randomElement(using: &generator) else { break }
                if Bool.random(using: &generator) {
                    try held.release(throwing: Offline(), at: index)
                } else {
                    try held.release(returning: Page([]), at: index)
                }
            }
            // The main actor is a queue: a call that was released or cancelled continues first.
            await Task {}.value
            // The rows are the pages of one load of the query, in order and without a gap.
            let load = viewModel.ids.first?.rawValue.dropLast() ?? ""
            #expect(load.hasPrefix(viewModel.query.text))
            let pages = viewModel.ids.indices.map { Product.ID("\(load)\($0 + 1)") }
            #expect(viewModel.ids == pages)
        }
        isOpen = true
        while held.count > 0 { try held.release(returning: Page([]), at: 0) }
        for caller in callers { _ = await caller.result }
        _ = try? await viewModel.loadNextPage()
        try await viewModel.refresh()
        #expect(viewModel.phase == .loaded, "seed \(seed)")
    }
}
