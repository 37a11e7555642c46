import ProductKit
import Testing

/// Pages that are on their way while their products change, vanish or are closed.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct RowOrderTests {
    enum Change: CaseIterable, Sendable { case toggled, reloaded, deleted, pageRead }

    let store = ProductStore()

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test(arguments: Change.allCases)
    func `a page cannot undo a change whose screen is gone`(change: Change) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                try await held.suspend()
            }),
            store: store
        )
        let page = await started { try await viewModel.search("") }
        do {
            let new = Product.boots(named: "New", isFavorite: true)
            let list = CatalogViewModel(.only(loadPage: { _, _ in Page([new]) }), store: store)
            let actions = ProductViewModel.Actions.only(
                reload: {
                    if change == .deleted { throw ProductError.notFound("walking-boots") }
                    return new
                },
                toggleFavorite: { _ in new }
            )
            // A page that is read tells of a product that no screen shows.
            let screen = change == .pageRead ? nil : ProductViewModel(actions, store: store)
            switch change {
            case .toggled: try await screen?.toggleProductFavoriteStatus()
            case .reloaded: try await screen?.reload()
            case .deleted: try? await screen?.reload()
            case .pageRead: try await list.search("")
            }
        }

        try held.resume(returning: Page([.boots(named: "Old")]))
        try await page.value

        let row = try #require(viewModel.rows.first)
        #expect(row.isDeleted == (change == .deleted))
        if change != .deleted { #expect(row.title == "New" && row.isFavorite) }
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `nor can the last page of a refresh, nor one that follows an empty one`()
        async throws
    {
        let held = HeldPages()
        var asked = 0
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                asked += 1
                if asked <= 2 { return .of("\(asked)", next: "\(asked + 1)") }
                return try await held.suspend { call.yield() }
            }),
            store: store
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        let refresh = await started { try await viewModel.refresh() }
        for await _ in calls { break }
        do {
            let screen = ProductViewModel(
                .only(toggleFavorite: { _ in .favoriteBoots }),
                store: store
            )
            try await screen.toggleProductFavoriteStatus()
        }

        try held.resume(returning: Page([.boots], next: "2"))
        for await _ in calls { break }
        try held.resume(returning: .of("hat"))
        try await refresh.value

        #expect(viewModel.ids == ["walking-boots", "hat"] && viewModel.rows[0].isFavorite)
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `nor can it undo a tap whose content a reload had told already`() async throws {
        let taps = Held<Product>()
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                try await held.suspend()
            }),
            store: store
        )
        var page: Task<Void, any Error>?
        do {
            let screen = ProductViewModel(
                .only(
                    reload: { .boots },
                    toggleFavorite: { _ in
                        try await taps.suspend()
                    }
                ),
                store: store
            )
            let tap = await started { try await screen.toggleProductFavoriteStatus() }
            try await screen.reload()
            page = await started { try await viewModel.search("") }
            try taps.resume(returning: .favoriteBoots)
            try await tap.value
        }

        try held.resume(returning: Page([.boots]))
        try await page?.value

        #expect(viewModel.rows.map(\.isFavorite) == [true])
    }

    // Rule: catalog/edits-outlive-their-screen (49); catalog/store-releases-unshown-products (54)
    @Test(arguments: [true, false])
    func `what was kept for a page is let go when it is there`(succeeds: Bool) async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                try await held.suspend()
            }),
            store: store
        )
        let page = await started { try await viewModel.search("") }
        do {
            let screen = ProductViewModel(
                .only(reload: { .boots(named: "Known") }),
                store: store
            )
            try await screen.reload()
        }
        let during = ProductViewModel(.only(), product: .boots(named: "Brought"), store: store)
        #expect(during.title == "Known")
        do {
            let hats = ProductViewModel(
                .only(reload: { Product(id: "hat", name: "Known") }),
                product: Product(id: "hat", name: "Hat"),
                store: store
            )
            try await hats.reload()
        }

        if succeeds { try held.resume(returning: .of()) } else { try held.fail() }
        try? await page.value

        let brought = Product(id: "hat", name: "Brought")
        let after = ProductViewModel(.only(), product: brought, store: store)
        #expect(after.title == "Brought")
    }

    // Rule: catalog/reset-drops-responses (45); catalog/edits-outlive-their-screen (49)
    @Test func `what was kept for a page does not win when the next user signs in`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                try await held.suspend()
            }),
            store: store
        )
        let page = await started { try await viewModel.search("") }
        do {
            let theirs = ProductViewModel(
                .only(reload: { .boots(named: "Theirs") }),
                store: store
            )
            try await theirs.reload()
        }
        store.reset()

        let mine = ProductViewModel(.only(), product: .boots(named: "Mine"), store: store)

        #expect(mine.title == "Mine")
        try held.resume(returning: .of())
        await #expect(throws: CancellationError.self) { try await page.value }
    }

    // Rule: catalog/page-keeps-pending-edit (50)
    @Test(arguments: [true, false])
    func `a tap in flight stays on the row when a page arrives`(succeeds: Bool) async throws {
        let held = Held<Product>()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in Page([.boots(named: "New")]) }),
            store: store
        )
        try await viewModel.search("")
        let row = try #require(viewModel.rows.first)
        let screen = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await held.suspend()
            }),
            product: row.product,
            store: store
        )
        let star = Watcher { row.isFavorite }
        let tap = await started { try await screen.toggleProductFavoriteStatus() }
        #expect(row.isFavorite)

        try await viewModel.refresh()
        #expect(row.isFavorite && star.changes == 1)
        if succeeds {
            try held.resume(returning: .boots(named: "New", isFavorite: true))
            try await tap.value
        } else {
            try held.fail()
            await #expect(throws: Offline()) { try await tap.value }
        }

        #expect(row.isFavorite == succeeds && star.changes == (succeeds ? 1 : 2))
    }

    // Rule: catalog/deleted-row-stays (51)
    @Test(arguments: [true, false])
    func `a product found deleted stays as a row until the list is read again`(
        isBack: Bool
    ) async throws {
        let gone = ProductError.notFound("walking-boots")
        let hat = Product(id: "hat", name: "Hat")
        var page = Page([.boots, hat])
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in page }), store: store)
        try await viewModel.search("")
        let row = try #require(viewModel.rows.first)
        let screen = ProductViewModel(
            .only(reload: { throw gone }),
            product: row.product,
            store: store
        )

        await #expect(throws: gone) { try await screen.reload() }
        #expect(viewModel.ids == ["walking-boots", "hat"] && row.isDeleted)
        #expect(row.title == "Walking Boots" && !viewModel.rows[1].isDeleted)

        if !isBack { page = Page([hat]) }
        try await viewModel.refresh()
        #expect(viewModel.ids == (isBack ? ["walking-boots", "hat"] : ["hat"]))
        #expect(row.isDeleted == !isBack && (screen.phase == .deleted) == !isBack)
    }

    // Rule: catalog/earlier-page-keeps-edits (48); catalog/deleted-row-stays (51)
    @Test func `a page asked for before the deletion was known does not undo it`() async throws {
        let held = HeldPages()
        let gone = ProductError.notFound("walking-boots")
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in
                try await held.suspend()
            }),
            store: store
        )
        let screen = ProductViewModel(.only(reload: { throw gone }), store: store)
        let page = await started { try await viewModel.search("") }
        await #expect(throws: gone) { try await screen.reload() }

        try held.resume(returning: Page([.boots(named: "Old")]))
        try await page.value

        #expect(viewModel.rows.map(\.isDeleted) == [true] && screen.phase == .deleted)
        #expect(screen.title == "Walking Boots")
    }
}
