import ProductKit
import Testing

/// Searches, refreshes and next pages in flight when the user signs out.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogSigningOutTests {
    let store = ProductStore()

    // Rule: catalog/reset-drops-responses (45)
    @Test(arguments: CatalogViewModel.kinds, [true, false])
    func `signing out drops the result of a request in flight`(
        kind: ViewModelFailure.Kind,
        succeeds: Bool
    ) async throws {
        let server = PageServer([":first": Page([.boots], next: "2")])
        let viewModel = try await server.openCatalog(in: store)
        server.pages = [:]
        let task = await started { try await viewModel.perform(kind) }

        store.reset()
        let previous = Product.boots(named: "Previous", isFavorite: true)
        let page = Page([previous, Product(id: "hat", name: "Hat")])
        try server.held.release(returningOrFailing: succeeds ? page : nil)

        await #expect(throws: CancellationError.self) { try await task.promptValue }
        #expect(viewModel.rows.map(\.product) == [.boots] && viewModel.query == "")
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil && viewModel.hasNextPage)
        #expect(!viewModel.isLoadingNextPage)
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `signing out ends waiting callers, and no further request is sent`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog(in: store)
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
        try server.held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(server.requests.count == 2 && viewModel.ids == ["boots"])
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `a next page that could continue at the moment of the sign-out is not requested`()
        async throws
    {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("hat")])
        let viewModel = try await server.openCatalog(in: store)
        let search = await started { try await viewModel.search("hats") }
        let nextPage = await started { try await viewModel.loadNextPage() }

        try await viewModel.search("")
        store.reset()

        await #expect(throws: CancellationError.self) { try await nextPage.value }
        try server.held.release(returning: .of("hats"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(server.requests == [":first", "hats:first"] && viewModel.ids == ["boots"])
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `a text that is too short shows the rows after a failed search and a sign-out`()
        async throws
    {
        let server = PageServer([":first": .of("boots")])
        let viewModel = try await server.openCatalog(in: store)
        viewModel.minimumLength = 2
        server.failure = Offline()
        await #expect(throws: Offline()) { try await viewModel.search("hats") }
        store.reset()

        try await viewModel.search("h")

        #expect(viewModel.phase == .loaded && viewModel.ids == ["boots"])
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `after a sign-out a text that was being debounced is not requested`() async throws {
        let sleeping = ActionGate<Void>()
        let viewModel = CatalogViewModel(
            .only(sleep: { _ in try await sleeping.hold() }, otherwise: { Issue.record($0) }),
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
        let server = PageServer(pageCount: 2)
        let viewModel = try await server.openCatalog(nextPages: 1, in: store)
        server.pages = [:]
        let refresh = await started { try await viewModel.refresh() }

        store.reset()
        try server.held.release(returning: .of("hat", next: "3"))

        await #expect(throws: CancellationError.self) { try await refresh.value }
        #expect(server.requests.count == 3 && viewModel.ids == ["1", "2"])
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `the next user's calls do not wait for the previous user's requests`() async throws {
        let server = PageServer(pageCount: 2)
        let viewModel = CatalogViewModel(server.actions, store: store)
        let search = await started { try await viewModel.search("hats") }
        store.reset()

        try await viewModel.refresh()
        try await viewModel.loadNextPage()
        #expect(viewModel.ids == ["1", "2"] && viewModel.phase == .loaded)

        try server.held.release(returning: .of("previous"))
        await #expect(throws: CancellationError.self) { try await search.value }
        #expect(viewModel.ids == ["1", "2"])
    }

    // Rule: catalog/concurrent-refreshes-share-one (35); catalog/reset-drops-responses (45)
    @Test func `after a sign-out during a search, concurrent refreshes share one request`()
        async throws
    {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions, store: store)
        let search = await started { try await viewModel.search("hats") }
        store.reset()
        let refreshes = await started(times: 2) { try await viewModel.refresh() }
        #expect(server.requests == ["hats:first", ":first"])

        try server.held.release(returning: .of("hat"))
        await #expect(throws: CancellationError.self) { try await search.value }
        try server.held.release(returning: .of("boots"))
        for refresh in refreshes { try await refresh.value }

        #expect(server.requests == ["hats:first", ":first"] && viewModel.ids == ["boots"])
    }

    // Rule: catalog/same-search-requests-nothing (12); catalog/reset-drops-responses (45)
    @Test func `after a sign-out no next page is loaded, and the same search sends a request`()
        async throws
    {
        let server = PageServer()
        let viewModel = try await server.openCatalog(in: store)
        store.reset()

        await #expect(throws: CancellationError.self) { try await viewModel.loadNextPage() }
        #expect(server.requests == [":first"] && viewModel.ids == ["boots"])
        server.pages[":first"] = .of("current")
        try await viewModel.search("")

        #expect(server.requests == [":first", ":first"] && viewModel.ids == ["current"])
    }

    // Rule: catalog/reset-drops-responses (45)
    @Test func `after a sign-out a new page replaces the previous user's values`() async throws {
        let server = PageServer([":first": Page([.boots(named: "Previous", isFavorite: true)])])
        let viewModel = try await server.openCatalog(in: store)
        store.reset()
        server.pages[":first"] = Page([.boots])

        try await viewModel.refresh()
        let screen = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)

        #expect(viewModel.rows.map(\.product) == [.boots] && screen.product == .boots)
    }
}
