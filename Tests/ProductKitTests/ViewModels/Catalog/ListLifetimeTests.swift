import ProductKit
import Testing

/// A list that is closed and asks nothing is let go, and so are its products.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ListLifetimeTests {
    let store = ProductStore()

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `nothing is kept alive by the store`() async throws {
        weak var closed: CatalogViewModel?
        do {
            let viewModel = CatalogViewModel(
                .only(loadPage: { query, cursor in
                    if query == "hats" { throw Offline() }
                    return cursor == nil ? Page([.boots(named: "Known")], next: "2") : .of("hat")
                }),
                store: store
            )
            closed = viewModel
            try await viewModel.search("")
            try await viewModel.loadNextPage()
            try await viewModel.refresh()
            try? await viewModel.search("hats")
            #expect(closed?.lastError != nil)
        }

        #expect(closed == nil)
        let screen = ProductViewModel(.only(), product: .boots(named: "Brought"), store: store)
        #expect(screen.title == "Brought")
    }

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `products that a refresh leaves out are let go`() async throws {
        var page = Page([Product.boots(named: "Known")])
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in page }), store: store)
        try await viewModel.search("")
        page = .of("hat")
        try await viewModel.refresh()

        let screen = ProductViewModel(.only(), product: .boots(named: "Brought"), store: store)

        #expect(screen.title == "Brought")
    }

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `a row that is kept keeps its product, and not its list`() async throws {
        weak var closed: CatalogViewModel?
        var kept: ProductRow?
        do {
            let viewModel = CatalogViewModel(
                .only(loadPage: { _, _ in Page([.boots]) }),
                store: store
            )
            closed = viewModel
            try await viewModel.search("")
            kept = viewModel.rows.first
        }
        let screen = ProductViewModel(
            .only(toggleFavorite: { _ in .favoriteBoots }),
            store: store
        )

        try await screen.toggleProductFavoriteStatus()

        #expect(closed == nil && kept?.isFavorite == true)
    }

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `cancelled and signed out, a list is let go`() async throws {
        let held = HeldPages()
        weak var closed: CatalogViewModel?
        do {
            let viewModel = CatalogViewModel(
                .only(loadPage: { query, _ in
                    if query == "" { return .of("boots", next: "2") }
                    return try await held.suspend()
                }),
                store: store
            )
            closed = viewModel
            try await viewModel.search("")
            let search = await started { try await viewModel.search("hats") }
            let page = await started { try await viewModel.loadNextPage() }
            let refresh = await started { try await viewModel.refresh() }
            page.cancel()
            await #expect(throws: CancellationError.self) { try await page.value }
            store.reset()
            await #expect(throws: CancellationError.self) { try await refresh.value }
            try held.resume(returning: .of("hat"))
            await #expect(throws: CancellationError.self) { try await search.value }
        }

        #expect(closed == nil)
    }
}
