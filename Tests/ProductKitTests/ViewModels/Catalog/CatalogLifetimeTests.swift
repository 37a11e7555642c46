import ProductKit
import Testing

/// The release of closed catalogs without requests in flight, and of their products.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogLifetimeTests {
    let store = ProductStore()

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `the store keeps neither a closed catalog nor its products alive`() async throws {
        weak var closed: CatalogViewModel?
        do {
            let server = PageServer([
                ":first": Page([.boots(named: "Loaded")], next: "2"), ":2": .of("hat"),
            ])
            let viewModel = try await server.openCatalog(nextPages: 1, in: store)
            closed = viewModel
            try await viewModel.refresh()
            server.failure = Offline()
            try? await viewModel.search("hats")
            #expect(closed?.lastError != nil)
        }

        #expect(closed == nil)
        let screen = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)
        #expect(screen.title == "Initial")
    }

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `the store releases products that a refresh no longer returns`() async throws {
        let server = PageServer([":first": Page([.boots(named: "Loaded")])])
        let viewModel = try await server.openCatalog(in: store)
        server.pages[":first"] = .of("hat")
        try await viewModel.refresh()

        let screen = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)

        #expect(screen.title == "Initial")
    }

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `a retained row keeps its product alive, but not its catalog`() async throws {
        weak var closed: CatalogViewModel?
        var retainedRow: ProductRow?
        do {
            let viewModel = try await PageServer([":first": Page([.boots])]).openCatalog(in: store)
            closed = viewModel
            retainedRow = viewModel.rows.first
        }
        let screen = ProductViewModel(
            .only(toggleFavorite: { _ in .favoriteBoots }),
            store: store
        )

        try await screen.toggleProductFavoriteStatus()

        #expect(closed == nil && retainedRow?.isFavorite == true)
    }

    // Rule: catalog/store-releases-unshown-products (54)
    @Test func `a catalog is released after cancellation and sign-out`() async throws {
        weak var closed: CatalogViewModel?
        do {
            let server = PageServer()
            let viewModel = try await server.openCatalog(in: store)
            closed = viewModel
            let search = await started { try await viewModel.search("hats") }
            let page = await started { try await viewModel.loadNextPage() }
            let refresh = await started { try await viewModel.refresh() }
            page.cancel()
            await #expect(throws: CancellationError.self) { try await page.value }
            store.reset()
            await #expect(throws: CancellationError.self) { try await refresh.promptValue }
            try server.held.release(returning: .of("hat"))
            await #expect(throws: CancellationError.self) { try await search.value }
        }

        #expect(closed == nil)
    }
}
