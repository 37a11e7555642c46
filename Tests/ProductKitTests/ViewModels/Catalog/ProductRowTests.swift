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
        let viewModel = try await PageServer([":first": Page([boots])]).openCatalog()
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
        let server = PageServer([":first": .of("boots", "hat")])
        let catalogs = [
            try await server.openCatalog(in: store), try await server.openCatalog(in: store),
            try await server.openCatalog(),
        ]

        #expect(catalogs[0].rows == catalogs[1].rows && catalogs[0].rows != catalogs[2].rows)
        #expect(Set(catalogs.flatMap(\.rows)).count == 4)
        #expect(Set(catalogs.flatMap(\.rows).map(\.hashValue)).count == 4)
    }

    // Rule: catalog/favorite-updates-row (46)
    @Test func `a favorite status toggled on another screen is shown in its row`() async throws {
        let products = (1...100).map { Product(id: "\($0)", name: "Product \($0)") }
        let server = PageServer([":first": Page(products, next: "2")])
        let viewModel = try await server.openCatalog(in: store)
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
    @Test(arguments: [0, 1])
    func `a page updates the screens of its products`(nextPages: Int) async throws {
        let new = Page([Product.boots(named: "New", isFavorite: true)])
        let server = PageServer(
            nextPages == 0 ? [":first": new] : [":first": .of("hat", next: "2"), ":2": new]
        )
        let screen = ProductViewModel(.only(), store: store)

        _ = try await server.openCatalog(nextPages: nextPages, in: store)

        #expect(screen.product == new.items[0] && screen.phase == .idle)
    }

    // Rule: catalog/earlier-page-keeps-edits (48)
    @Test(arguments: [ViewModelFailure.Kind.reload, .toggleFavorite])
    func `a page requested before a change cannot undo it`(
        change: ViewModelFailure.Kind
    ) async throws {
        let server = PageServer([:])
        let viewModel = CatalogViewModel(server.actions, store: store)
        let new = Product.boots(named: "New", isFavorite: true)
        let screen = ProductViewModel(
            .only(reload: { new }, toggleFavorite: { _ in new }),
            store: store
        )
        let page = await started { try await viewModel.search("") }

        try await screen.perform(change)
        try server.held.release(returning: Page([.boots(named: "Old")]))
        try await page.value

        #expect(viewModel.rows.map(\.product) == [new] && screen.product == new)
    }
}
