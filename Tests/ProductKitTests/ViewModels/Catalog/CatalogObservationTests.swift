import ProductKit
import Testing

/// The observers that searches, refreshes and next pages notify.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogObservationTests {
    // Rule: catalog/equal-refresh-notifies-no-observer (52)
    @Test func `a refresh that changes nothing notifies no observer`() async throws {
        let rejected = RejectedElement(index: 2, member: "name", reason: "It is missing.")
        let products = [Product.boots(named: "New"), .boots]
        let page = Page(products, next: "2", total: 3, rejected: [rejected])
        let viewModel = try await PageServer([":first": page]).openCatalog()
        let row = try #require(viewModel.rows.first)
        let values = [
            Watcher { row.product }, Watcher { row.title }, Watcher { row.price },
            Watcher { row.isFavorite }, Watcher { row.isDeleted },
        ]
        let catalog = [
            Watcher { viewModel.rows }, Watcher { viewModel.query }, Watcher { viewModel.total },
            Watcher { viewModel.hasNextPage }, Watcher { viewModel.rejected },
            Watcher { viewModel.isLoadingNextPage },
        ]
        let error = Watcher { viewModel.lastError?.kind }

        try await viewModel.refresh()

        #expect(values.allSatisfy { $0.changes == 0 } && catalog.allSatisfy { $0.changes == 0 })
        #expect(error.changes == 0)
    }

    // Rule: catalog/equal-refresh-notifies-no-observer (52)
    @Test func `an observer from before the first page sees that rows match an earlier search`()
        async throws
    {
        let (viewModel, pages) = heldCatalog()
        let search = await started { try await viewModel.search("") }
        let watcher = Watcher { viewModel.isShowingPreviousResults }
        try pages.release(returning: Page([.boots]))
        try await search.value
        let changes = watcher.changes

        let next = await started { try await viewModel.search("boots") }
        #expect(viewModel.isShowingPreviousResults && watcher.changes > changes)
        pages.open(returning: Page([.boots]))
        try await next.value
    }

    // Rule: catalog/equal-refresh-notifies-no-observer (52)
    @Test func `an observer from before the first page sees that the text is too short`()
        async throws
    {
        let (viewModel, pages) = heldCatalog()
        viewModel.minimumLength = 3
        let refresh = await started { try await viewModel.refresh() }
        try? await viewModel.search("bo")
        let watcher = Watcher { viewModel.isShowingPreviousResults }
        #expect(!viewModel.isShowingPreviousResults)

        try pages.release(returning: Page([.boots]))
        try await refresh.value

        #expect(viewModel.isShowingPreviousResults && watcher.changes > 0)
    }

    // Rule: catalog/equal-refresh-notifies-no-observer (52)
    @Test func `a search with an equal response notifies only observers of the query`() async throws
    {
        let page = Page([Product.boots], next: "2", total: 2)
        let viewModel = try await PageServer([":first": page, "boots:first": page]).openCatalog()
        let catalog = Watcher { (viewModel.rows, viewModel.total, viewModel.hasNextPage) }
        let query = Watcher { viewModel.query }

        try await viewModel.search("boots")

        #expect(catalog.changes == 0 && query.changes == 1)
    }

    // Rule: catalog/page-notifies-rows-once (53)
    @Test func `an appended page notifies observers of all rows once, and those of one row never`()
        async throws
    {
        let server = PageServer([
            ":first": Page([.boots], next: "2", total: 9), ":2": .of(next: "3"),
            ":3": Page([Product(id: "hat", name: "Hat"), .boots], next: "4", total: 9),
        ])
        let viewModel = try await server.openCatalog()
        let row = try #require(viewModel.rows.first)
        let rows = Watcher { viewModel.rows }
        let value = Watcher { (row.product, row.isDeleted) }
        let rest = Watcher {
            (viewModel.query, viewModel.total, viewModel.hasNextPage, viewModel.rejected)
        }
        let phase = Watcher { (viewModel.phase, viewModel.lastError?.kind) }

        try await viewModel.loadNextPage()

        #expect(viewModel.ids == ["walking-boots", "hat"] && rows.changes == 1)
        #expect(value.changes == 0 && rest.changes == 0 && phase.changes == 0)
    }

    // Rule: catalog/page-notifies-rows-once (53)
    @Test func `pages without new products do not notify observers of the rows`() async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("boots")])
        let viewModel = try await server.openCatalog()
        let rows = Watcher { viewModel.rows }

        try await viewModel.loadNextPage()

        #expect(rows.changes == 0 && !viewModel.hasNextPage)
    }

    @Test func `loading and failing do not notify observers of the rows`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.failure = Offline()
        let rows = Watcher { (viewModel.rows, viewModel.rows.map(\.product), viewModel.query) }

        for kind in CatalogViewModel.kinds { try? await viewModel.perform(kind) }

        #expect(rows.changes == 0 && viewModel.phase == .failed)
    }

    /// A catalog whose pages wait until the test releases them.
    private func heldCatalog() -> (CatalogViewModel, pages: ActionGate<Page<Product>>) {
        let pages = ActionGate<Page<Product>>()
        let actions = CatalogViewModel.Actions.only(loadPage: { _, _ in try await pages.hold() })
        return (CatalogViewModel(localUser: .shopper, actions: actions), pages)
    }
}
