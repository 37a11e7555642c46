import Foundation
import ProductKit
import Testing

private let boots = Product(id: "walking-boots", name: "Walking Boots")
private let sandals = Product(id: "sandals", name: "Sandals")

/// The code of “The catalog screen”.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CatalogSamples {
    @MainActor @Test func `the next page continues after the previous one`() async throws {
        var requests: [String] = []
        let list = CatalogViewModel(
            localUser: LocalUser(currency: "EUR"),
            actions: .only(
                loadPage: { query, cursor in
                    requests.append("\(query.text) from \(cursor?.rawValue ?? "the start")")
                    return cursor == nil ? Page([boots], next: "2") : Page([sandals])
                }
            )
        )

        try await list.search("shoes")
        try await list.loadNextPage()

        #expect(list.rows.map(\.title) == ["Walking Boots", "Sandals"])
        #expect(requests == ["shoes from the start", "shoes from 2"])
    }

    @MainActor @Test func `a tap on a product's screen shows in its row`() async throws {
        let service = ProductService(
            loader: ProductLoader(
                load: { _ in boots },
                search: { _, _ in Page([boots]) },
                setFavorite: { id, isFavorite in
                    Product(id: id, name: "Walking Boots", isFavorite: isFavorite)
                }
            ),
            listManager: ListManager(addProduct: { _, _ in }),
            localUser: LocalUser(currency: "EUR")
        )

        let list = service.catalogViewModel()
        try await list.search("boots")
        let screen = service.viewModel(for: list.rows[0].product)
        try await screen.toggleProductFavoriteStatus()

        #expect(list.rows[0].isFavorite)
    }
}

/// The code for large catalogs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LargeCatalogSamples {
    @Test func `pages`() async throws {
        var shown: [Product] = []
        func show(_ products: [Product]) { shown += products }
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Walking Boots") },
            search: { query, cursor in
                Page([Product(id: "\(cursor?.rawValue ?? "1")", name: query.text)], next: "2")
            }
        )

        for try await page in loader.pages(matching: "boots") {
            show(page.items)
        }

        #expect(shown.map(\.id) == ["1", "2"])
    }
}
