import ProductKit
import Testing

/// Pages in flight while their products are edited or deleted, or their screens are closed.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductRowOrderTests {
    enum Change: CaseIterable, Sendable { case toggled, reloaded, deleted, pageLoaded }

    let store = ProductStore()

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test(arguments: Change.allCases)
    func `a page cannot undo a change whose screen was closed`(change: Change) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: store
        )
        let page = await started { try await viewModel.search("") }
        do {
            let new = Product.boots(named: "New", isFavorite: true)
            let catalog = CatalogViewModel(.only(loadPage: { _, _ in Page([new]) }), store: store)
            let actions = ProductViewModel.Actions.only(
                reload: {
                    if change == .deleted { throw ProductError.notFound("walking-boots") }
                    return new
                },
                toggleFavorite: { _ in new }
            )
            // A page can also change a product that no product screen shows.
            let screen = change == .pageLoaded ? nil : ProductViewModel(actions, store: store)
            switch change {
            case .toggled: try await screen?.toggleProductFavoriteStatus()
            case .reloaded: try await screen?.reload()
            case .deleted: try? await screen?.reload()
            case .pageLoaded: try await catalog.search("")
            }
        }

        try held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        let row = try #require(viewModel.rows.first)
        #expect(row.isDeleted == (change == .deleted))
        if change != .deleted { #expect(row.title == "New" && row.isFavorite) }
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `a refresh in flight cannot undo an edit whose screen was closed`() async throws {
        let held = HeldPages()
        var requestCount = 0
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                requestCount += 1
                if requestCount <= 2 { return .of("\(requestCount)", next: "\(requestCount + 1)") }
                return try await held.hold()
            }),
            store: store
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        let refresh = await started { try await viewModel.refresh() }
        await held.waitForCalls(1)
        do {
            let screen = ProductViewModel(
                .only(toggleFavorite: { _ in .favoriteBoots }),
                store: store
            )
            try await screen.toggleProductFavoriteStatus()
        }

        try held.release(returning: Page([.boots], next: "2"))
        await held.waitForCalls(1)
        try held.release(returning: .of("hat"))
        try await refresh.value

        #expect(viewModel.ids == ["walking-boots", "hat"] && viewModel.rows[0].isFavorite)
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `a page cannot undo a toggle that was pending during a reload`() async throws {
        let toggles = ActionGate<Product>()
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: store
        )
        var page: Task<Void, any Error>?
        do {
            let screen = ProductViewModel(
                .only(
                    reload: { .boots },
                    toggleFavorite: { _ in try await toggles.hold() }
                ),
                store: store
            )
            let toggle = await started { try await screen.toggleProductFavoriteStatus() }
            try await screen.reload()
            page = await started { try await viewModel.search("") }
            try toggles.release(returning: .favoriteBoots)
            try await toggle.value
        }

        try held.release(returning: Page([.boots]))
        try await page?.value

        #expect(viewModel.rows.map(\.isFavorite) == [true])
    }

    // Rule: catalog/edits-outlive-their-screen (49); catalog/store-releases-unshown-products (54)
    @Test(arguments: [true, false])
    func `products kept for a page in flight are released when it ends`(succeeds: Bool) async throws
    {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: store
        )
        let page = await started { try await viewModel.search("") }
        do {
            let screen = ProductViewModel(
                .only(reload: { .boots(named: "Loaded") }),
                store: store
            )
            try await screen.reload()
        }
        let duringLoad = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)
        #expect(duringLoad.title == "Loaded")
        do {
            let hatScreen = ProductViewModel(
                .only(reload: { Product(id: "hat", name: "Loaded") }),
                product: Product(id: "hat", name: "Hat"),
                store: store
            )
            try await hatScreen.reload()
        }

        if succeeds {
            try held.release(returning: .of())
        } else {
            try held.release(throwing: Offline())
        }
        try? await page.value

        let initial = Product(id: "hat", name: "Initial")
        let afterLoad = ProductViewModel(.only(), product: initial, store: store)
        #expect(afterLoad.title == "Initial")
    }

    // Rule: catalog/reset-drops-responses (45); catalog/edits-outlive-their-screen (49)
    @Test func `products kept for a page in flight are not shown to the next user`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: store
        )
        let page = await started { try await viewModel.search("") }
        do {
            let previous = ProductViewModel(
                .only(reload: { .boots(named: "Previous") }),
                store: store
            )
            try await previous.reload()
        }
        store.reset()

        let current = ProductViewModel(.only(), product: .boots(named: "Current"), store: store)

        #expect(current.title == "Current")
        try held.release(returning: .of())
        await #expect(throws: CancellationError.self) { try await page.value }
    }

    // Rule: catalog/page-keeps-pending-edit (50)
    @Test(arguments: [true, false])
    func `a pending edit stays visible in its row when a page arrives`(succeeds: Bool) async throws
    {
        let held = ActionGate<Product>()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in Page([.boots(named: "New")]) }),
            store: store
        )
        try await viewModel.search("")
        let row = try #require(viewModel.rows.first)
        let screen = ProductViewModel(
            .only(toggleFavorite: { _ in try await held.hold() }),
            product: row.product,
            store: store
        )
        let status = Watcher { row.isFavorite }
        let toggle = await started { try await screen.toggleProductFavoriteStatus() }
        #expect(row.isFavorite)

        try await viewModel.refresh()
        #expect(row.isFavorite && status.changes == 1)
        if succeeds {
            try held.release(returning: .boots(named: "New", isFavorite: true))
            try await toggle.value
        } else {
            try held.release(throwing: Offline())
            await #expect(throws: Offline()) { try await toggle.value }
        }

        #expect(row.isFavorite == succeeds && status.changes == (succeeds ? 1 : 2))
    }

    // Rule: catalog/deleted-row-stays (51)
    @Test(arguments: [true, false])
    func `a deleted product stays as a row until the catalog is loaded again`(
        isRestored: Bool
    ) async throws {
        let notFound = ProductError.notFound("walking-boots")
        let hat = Product(id: "hat", name: "Hat")
        var page = Page([.boots, hat])
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in page }), store: store)
        try await viewModel.search("")
        let row = try #require(viewModel.rows.first)
        let screen = ProductViewModel(
            .only(reload: { throw notFound }),
            product: row.product,
            store: store
        )

        await #expect(throws: notFound) { try await screen.reload() }
        #expect(viewModel.ids == ["walking-boots", "hat"] && row.isDeleted)
        #expect(row.title == "Walking Boots" && !viewModel.rows[1].isDeleted)

        if !isRestored { page = Page([hat]) }
        try await viewModel.refresh()
        #expect(viewModel.ids == (isRestored ? ["walking-boots", "hat"] : ["hat"]))
        #expect(row.isDeleted == !isRestored && (screen.phase == .deleted) == !isRestored)
    }

    // Rule: catalog/earlier-page-keeps-edits (48); catalog/deleted-row-stays (51)
    @Test func `a page requested before a deletion was found does not undo it`() async throws {
        let held = HeldPages()
        let notFound = ProductError.notFound("walking-boots")
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: store
        )
        let screen = ProductViewModel(.only(reload: { throw notFound }), store: store)
        let page = await started { try await viewModel.search("") }
        await #expect(throws: notFound) { try await screen.reload() }

        try held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        #expect(viewModel.rows.map(\.isDeleted) == [true] && screen.phase == .deleted)
        #expect(screen.title == "Walking Boots")
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `a next page cannot undo an edit whose screen was closed`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                if cursor == nil { return .of("hat", next: "2") }
                return try await held.hold()
            }),
            store: store
        )
        try await viewModel.search("")
        let page = await started { try await viewModel.loadNextPage() }
        do {
            let screen = ProductViewModel(
                .only(toggleFavorite: { _ in .boots(named: "New", isFavorite: true) }),
                store: store
            )
            try await screen.toggleProductFavoriteStatus()
        }

        try held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        #expect(viewModel.rows.map(\.title) == ["hat", "New"] && viewModel.rows[1].isFavorite)
    }
}
