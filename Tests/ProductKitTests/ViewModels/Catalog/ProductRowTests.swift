import Foundation
import ProductKit
import Testing

/// Rows that show the same values as the screens of their products.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductRowTests {
    let store = ProductStore()

    @Test func `a row shows title, image and price, in the currency of its user`() async throws {
        let images = try ["a", "b"].map {
            try #require(URL(string: "https://shop.example.com/\($0).jpg"))
        }
        let boots = Product.favoriteBoots.with { $0.images = images }
        let viewModel = CatalogViewModel(.only(loadPage: { _, _ in Page([boots]) }))
        try await viewModel.search("")
        let row = try #require(viewModel.rows.first)
        let price = Watcher { row.priceText }
        let title = Watcher { row.title }

        #expect(row.id == "walking-boots" && row.title == "Walking Boots" && row.product == boots)
        #expect(row.price == Price(minorUnits: 12_900, currency: "EUR"))
        #expect(row.priceText == "€129.00" && row.image == images[0])
        #expect(row.isFavorite && !row.isDeleted)

        viewModel.localUser.currency = "USD"
        #expect(viewModel.localUser.currency == "USD" && row.priceText == "$139.00")
        #expect(price.changes == 1 && title.changes == 0)
        viewModel.localUser.currency = "JPY"
        #expect(row.price == nil && row.priceText == nil)
    }

    @Test func `rows are equal when they show the same product of the same store`() async throws {
        let actions = CatalogViewModel.Actions.only(loadPage: { _, _ in .of("boots", "hat") })
        let catalogs = [
            CatalogViewModel(actions, store: store),
            CatalogViewModel(actions, store: store),
            CatalogViewModel(actions),
        ]
        for catalog in catalogs { try await catalog.search("") }

        #expect(catalogs[0].rows == catalogs[1].rows && catalogs[0].rows != catalogs[2].rows)
        #expect(Set(catalogs.flatMap(\.rows)).count == 4)
        #expect(Set(catalogs.flatMap(\.rows).map(\.hashValue)).count == 4)
    }

    // Rule: catalog/favorite-updates-row (46)
    @Test func `a favorite status toggled on another screen is shown in its row`() async throws {
        let products = (1...100).map { Product(id: "\($0)", name: "Product \($0)") }
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in Page(products, next: "2") }),
            store: store
        )
        try await viewModel.search("")
        let statuses = viewModel.rows.map { row in Watcher { row.isFavorite } }
        let titles = viewModel.rows.map { row in Watcher { (row.title, row.priceText) } }
        let catalog = Watcher {
            (viewModel.rows, viewModel.query, viewModel.total, viewModel.hasNextPage)
        }
        let screen = ProductViewModel(
            .only(toggleFavorite: { _ in products[41].with { $0.isFavorite = true } }),
            product: viewModel.rows[41].product,
            store: store
        )

        try await screen.toggleProductFavoriteStatus()

        #expect(viewModel.rows.filter(\.isFavorite).map(\.id) == ["42"])
        #expect(statuses.map(\.changes).reduce(0, +) == 1 && statuses[41].changes == 1)
        #expect(titles.allSatisfy { $0.changes == 0 } && catalog.changes == 0)
    }

    // Rule: catalog/page-updates-product-screens (47)
    @Test(arguments: [true, false])
    func `a page updates the screens of its products`(isSearch: Bool) async throws {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                guard isSearch || cursor != nil else { return .of("hat", next: "2") }
                return Page([.boots(named: "New", isFavorite: true)])
            }),
            store: store
        )
        let screen = ProductViewModel(.only(), store: store)

        try await viewModel.search("")
        if !isSearch { try await viewModel.loadNextPage() }

        #expect(screen.product == .boots(named: "New", isFavorite: true) && screen.phase == .idle)
    }

    // Rule: catalog/page-updates-product-screens (47)
    @Test func `a screen created from a row shows its product and updates it`() async throws {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in Page([.boots]) }),
            store: store
        )
        try await viewModel.search("")

        let screen = ProductViewModel(
            .only(reload: { .boots(named: "New") }),
            product: viewModel.rows[0].product,
            store: store
        )
        #expect(screen.product == .boots)
        try await screen.reload()

        #expect(viewModel.rows[0].title == "New")
    }

    // Rule: catalog/earlier-page-keeps-edits (48)
    @Test func `a page requested before a change cannot undo it`() async throws {
        let held = HeldPages()
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: store
        )
        let screen = ProductViewModel(
            .only(
                reload: { .boots(named: "New") },
                toggleFavorite: { _ in .boots(named: "Newer", isFavorite: true) }
            ),
            store: store
        )
        for isToggled in [false, true] {
            let page = await started { try await viewModel.search("\(isToggled)") }
            if isToggled {
                try await screen.toggleProductFavoriteStatus()
            } else {
                try await screen.reload()
            }
            try held.release(returning: Page([.boots(named: "Old")]))
            try await page.value

            #expect(viewModel.rows[0].title == (isToggled ? "Newer" : "New"))
            #expect(viewModel.rows[0].isFavorite == isToggled && screen.isFavorite == isToggled)
        }
    }

    // Rule: catalog/edits-outlive-their-screen (49)
    @Test func `a page cannot undo the value that a closed screen was opened with`() async throws {
        let held = HeldPages()
        let service = ProductService(
            loader: ProductLoader(load: { _ in .boots(named: "New") }),
            listManager: ListManager(addProduct: { _, _ in }),
            localUser: .shopper
        )
        let catalog = CatalogViewModel(
            .only(loadPage: { _, _ in try await held.hold() }),
            store: service.store
        )
        let page = await started { try await catalog.search("") }
        _ = try await service.viewModel(forProductWithID: "walking-boots")

        try held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        #expect(catalog.rows.map(\.title) == ["New"])
    }

    // Rule: catalog/earlier-page-keeps-edits (48)
    @Test func `a page requested after a change is applied`() async throws {
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, _ in Page([.boots(named: "Newest")]) }),
            store: store
        )
        let screen = ProductViewModel(
            .only(toggleFavorite: { _ in .boots(named: "New", isFavorite: true) }),
            store: store
        )
        try await screen.toggleProductFavoriteStatus()

        try await viewModel.search("")

        #expect(screen.product == .boots(named: "Newest"))
    }

    // Rule: catalog/earlier-page-keeps-edits (48)
    @Test func `the page requested later wins, in whichever order two pages arrive`() async throws {
        let held = HeldPages()
        let actions = CatalogViewModel.Actions.only(loadPage: { _, _ in try await held.hold() })
        let catalogs = [
            CatalogViewModel(actions, store: store),
            CatalogViewModel(actions, store: store),
        ]
        let older = await started { try await catalogs[0].search("") }
        let newer = await started { try await catalogs[1].search("") }

        try held.release(returning: Page([.boots(named: "New", isFavorite: true)]), at: 1)
        try await newer.value
        try held.release(returning: Page([.boots(named: "Old")]))
        try await older.value

        #expect(catalogs[0].rows.map(\.product) == [.boots(named: "New", isFavorite: true)])
        #expect(catalogs[0].rows == catalogs[1].rows)
    }
}
