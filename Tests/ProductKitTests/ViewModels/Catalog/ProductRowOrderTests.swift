import ProductKit
import Testing

/// Pages in flight while their products are edited or deleted, or their screens are closed.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductRowOrderTests {
    enum Change: CaseIterable, Sendable { case toggled, reloaded, deleted, pageLoaded, opened }

    let store = ProductStore()

    // Rule: catalog/edits-outlive-their-screen (49); catalog/earlier-page-keeps-edits (48)
    // Rule: catalog/deleted-row-stays (51)
    @Test(arguments: Change.allCases)
    func `a page cannot undo a change whose screen was closed`(change: Change) async throws {
        let new = Product.boots(named: "New", isFavorite: true)
        let service = ProductService(
            loader: ProductLoader(
                load: { id in
                    if change == .deleted { throw ProductError.notFound(id) }
                    return new
                },
                search: { _, _ in Page([new]) },
                setFavorite: { _, _ in new }
            ),
            listManager: .only(),
            localUser: .shopper
        )
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions, store: service.store)
        let page = await started { try await viewModel.search("") }
        // Each of these screens is closed at once.
        switch change {
        case .toggled: try await service.viewModel(for: .boots).toggleProductFavoriteStatus()
        case .reloaded: try await service.viewModel(for: .boots).reload()
        case .deleted: try? await service.viewModel(for: .boots).reload()
        case .pageLoaded: try await service.catalogViewModel().search("")
        case .opened: _ = try await service.viewModel(forProductWithID: "walking-boots")
        }

        try server.held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        let row = try #require(viewModel.rows.first)
        #expect(row.isDeleted == (change == .deleted))
        if change != .deleted { #expect(row.title == "New" && row.isFavorite) }
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `a next page cannot undo an edit whose screen was closed`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog(in: store)
        let page = await started { try await viewModel.loadNextPage() }
        do {
            let screen = ProductViewModel(
                .only(toggleFavorite: { _ in .boots(named: "New", isFavorite: true) }),
                store: store
            )
            try await screen.toggleProductFavoriteStatus()
        }

        try server.held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        #expect(viewModel.rows.map(\.title) == ["boots", "New"] && viewModel.rows[1].isFavorite)
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `a page cannot undo a toggle that was pending during a reload`() async throws {
        let toggles = ActionGate<Product>()
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions, store: store)
        var page: Task<Void, any Error>?
        do {
            let screen = ProductViewModel(
                .only(reload: { .boots }, toggleFavorite: { _ in try await toggles.hold() }),
                store: store
            )
            let toggle = await started { try await screen.toggleProductFavoriteStatus() }
            try await screen.reload()
            page = await started { try await viewModel.search("") }
            try toggles.release(returning: .favoriteBoots)
            try await toggle.value
        }

        try server.held.release(returning: Page([.boots]))
        try await page?.value

        #expect(viewModel.rows.map(\.isFavorite) == [true])
    }

    // Rule: catalog/edits-outlive-their-screen (49); catalog/store-releases-unshown-products (54)
    @Test(arguments: [true, false])
    func `products kept for a page in flight are released when it ends`(succeeds: Bool) async throws
    {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions, store: store)
        let page = await started { try await viewModel.search("") }
        try await reloadOnClosedScreen(.boots(named: "Loaded"))
        let duringLoad = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)
        #expect(duringLoad.title == "Loaded")
        try await reloadOnClosedScreen(Product(id: "hat", name: "Loaded"))

        try server.held.release(returningOrFailing: succeeds ? .of() : nil)
        try? await page.value

        let initial = Product(id: "hat", name: "Initial")
        #expect(ProductViewModel(.only(), product: initial, store: store).title == "Initial")
    }

    // Rule: catalog/reset-drops-responses (45); catalog/edits-outlive-their-screen (49)
    @Test func `products kept for a page in flight are not shown to the next user`() async throws {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions, store: store)
        let page = await started { try await viewModel.search("") }
        try await reloadOnClosedScreen(.boots(named: "Previous"))
        store.reset()

        let current = ProductViewModel(.only(), product: .boots(named: "Current"), store: store)

        #expect(current.title == "Current")
        try server.held.release(returning: .of())
        await #expect(throws: CancellationError.self) { try await page.value }
    }

    // Rule: catalog/page-keeps-pending-edit (50)
    @Test(arguments: [true, false])
    func `a pending edit stays visible in its row when a page arrives`(succeeds: Bool) async throws
    {
        let server = PageServer([":first": Page([.boots(named: "New")])])
        let viewModel = try await server.openCatalog(in: store)
        let row = try #require(viewModel.rows.first)
        let product = HeldProduct(in: store)
        let status = Watcher { row.isFavorite }
        let toggle = await started { try await product.screen.toggleProductFavoriteStatus() }
        #expect(row.isFavorite)

        try await viewModel.refresh()
        #expect(row.isFavorite && status.changes == 1)
        try product.toggles.release(returningOrFailing: succeeds ? .favoriteBoots : nil)
        _ = await toggle.result

        #expect(row.isFavorite == succeeds && status.changes == (succeeds ? 1 : 2))
    }

    // Rule: catalog/deleted-row-stays (51)
    @Test(arguments: [true, false])
    func `a deleted product stays as a row until the catalog is loaded again`(
        isRestored: Bool
    ) async throws {
        let notFound = ProductError.notFound("walking-boots")
        let hat = Product(id: "hat", name: "Hat")
        let server = PageServer([":first": Page([.boots, hat])])
        let viewModel = try await server.openCatalog(in: store)
        let row = try #require(viewModel.rows.first)
        let screen = ProductViewModel(.only(reload: { throw notFound }), store: store)

        await #expect(throws: notFound) { try await screen.reload() }
        #expect(viewModel.ids == ["walking-boots", "hat"] && row.isDeleted)
        #expect(row.title == "Walking Boots" && !viewModel.rows[1].isDeleted)

        if !isRestored { server.pages[":first"] = Page([hat]) }
        try await viewModel.refresh()
        #expect(viewModel.ids == (isRestored ? ["walking-boots", "hat"] : ["hat"]))
        #expect(row.isDeleted == !isRestored && (screen.phase == .deleted) == !isRestored)
    }

    private func reloadOnClosedScreen(_ product: Product) async throws {
        let screen = ProductViewModel(.only(reload: { product }), product: product, store: store)
        try await screen.reload()
    }
}
