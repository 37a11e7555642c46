import ProductKit
import Testing

/// Searches, refreshes and next pages in flight when the user signs out.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogSigningOutTests {
    typealias Kind = ViewModelFailure.Kind

    let store = ProductStore()

    // Rule: catalog/reset-drops-responses (45)
    @Test(arguments: [Kind.search, .refresh, .nextPage], [true, false])
    func `signing out drops the result of a request in flight`(
        kind: Kind,
        succeeds: Bool
    ) async throws {
        let held = HeldPages()
        var isHeld = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                guard isHeld else { return Page([.boots], next: "2") }
                return try await held.hold()
            }),
            store: store
        )
        try await viewModel.search("")
        isHeld = true
        let task = await started {
            switch kind {
            case .search: try await viewModel.search("hats")
            case .refresh: try await viewModel.refresh()
            default: try await viewModel.loadNextPage()
            }
        }

        store.reset()
        let previous = Product.boots(named: "Previous", isFavorite: true)
        let hat = Product(id: "hat", name: "Hat")
        if succeeds {
            try held.release(returning: Page([previous, hat]))
        } else {
            try held.release(throwing: Offline())
        }

        await #expect(throws: CancellationError.self) { try await task.promptValue }
        #expect(viewModel.rows.map(\.product) == [.boots] && viewModel.query == "")
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil && viewModel.hasNextPage)
        #expect(!viewModel.isLoadingNextPage)
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `signing out ends waiting callers, and no further request is sent`() async throws {
        let held = HeldPages()
        var calls = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, _ in
                calls += 1
                if query == "" { return .of("boots", next: "2") }
                return try await held.hold()
            }),
            store: store
        )
        try await viewModel.search("")
        let search = await started { try await viewModel.search("hats") }
        let waiting = [
            await started { try await viewModel.loadNextPage() },
            await started { try await viewModel.refresh() },
            await started { try await viewModel.loadNextPage() },
        ]

        store.reset()

        for task in waiting {
            await #expect(throws: CancellationError.self) { try await task.promptValue }
        }
        try held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(calls == 2 && viewModel.ids == ["boots"] && viewModel.lastError == nil)
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `after a sign-out a text that was being debounced is not requested`() async throws {
        let sleeping = ActionGate<Void>()
        let viewModel = CatalogViewModel(
            .only(
                sleep: { _ in try await sleeping.hold() },
                otherwise: { Issue.record($0) }
            ),
            store: store
        )
        let search = await started { try await viewModel.search("boots") }

        store.reset()
        try sleeping.release()

        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `after a sign-out a refresh requests none of its further pages`() async throws {
        let held = HeldPages()
        var calls = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                calls += 1
                guard calls == 3 else { return .of("\(calls)", next: "2\(calls)") }
                return try await held.hold()
            }),
            store: store
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        let refresh = await started { try await viewModel.refresh() }

        store.reset()
        try held.release(returning: .of("hat", next: "3"))

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(calls == 3 && viewModel.ids == ["1", "2"])
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `the next user's calls do not wait for the previous user's requests`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                if query == "" { return cursor == nil ? .of("current", next: "2") : .of("more") }
                return try await held.hold()
            }),
            store: store
        )
        let search = await started { try await viewModel.search("hats") }
        store.reset()

        try await viewModel.refresh()
        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["current", "more"] && !viewModel.isSearching)

        try held.release(returning: .of("previous"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.ids == ["current", "more"])
    }

    // Rule: catalog/concurrent-refreshes-share-one (35); catalog/reset-drops-responses (45)
    @Test func `after a sign-out during a search, concurrent refreshes share one request`()
        async throws
    {
        let held = HeldPages()
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return try await held.hold()
            }),
            store: store
        )
        let search = await started { try await viewModel.search("hats") }
        store.reset()
        let first = await started { try await viewModel.refresh() }
        let second = await started { try await viewModel.refresh() }
        #expect(requests == ["hats:first", ":first"])

        try held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
        try held.release(returning: .of("boots"))
        try await first.value
        try await second.value

        #expect(requests == ["hats:first", ":first"] && viewModel.ids == ["boots"])
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/reset-drops-responses (45)
    @Test func `after a sign-out no next page is loaded, and the same search sends a request`()
        async throws
    {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                return .of(requests.count == 1 ? "previous" : "current", next: "2")
            }),
            store: store
        )
        try await viewModel.search("")
        store.reset()

        await #expect(throws: CancellationError.self) { try await viewModel.loadNextPage() }
        #expect(requests == [":first"] && viewModel.ids == ["previous"])
        try await viewModel.search("")

        #expect(requests == [":first", ":first"] && viewModel.ids == ["current"])
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `after a sign-out a new page replaces the previous user's values`() async throws {
        var page = Page([Product.boots(named: "Previous", isFavorite: true)])
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in page }), store: store)
        try await viewModel.search("")
        store.reset()
        page = Page([.boots])

        try await viewModel.refresh()
        let screen = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)

        #expect(viewModel.rows.map(\.product) == [.boots] && screen.product == .boots)
    }
}
