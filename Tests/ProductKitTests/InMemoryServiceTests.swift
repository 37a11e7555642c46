import Foundation
import ProductKit
import Synchronization
import Testing

/// A service whose shop is in memory, which tests of the example store compare with a server.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct InMemoryServiceTests {
    @Test func `the screens of a shop in memory work together`() async throws {
        let service = ProductService.inMemory()
        let catalog = service.catalogViewModel()
        let screen = service.viewModel(for: .sample)
        let membership = service.membershipViewModel(for: .sample)

        try await catalog.search("")
        try await screen.toggleProductFavoriteStatus()
        try await membership.reload()
        try await membership.toggleMembership(inListWithID: ProductList.sample.id)

        #expect(catalog.rows.map(\.id) == Product.samples.map(\.id))
        #expect(catalog.rows.first?.isFavorite == true)
        #expect(
            try await service.loader.favorites().items.map(\.id) == ["walking-boots", "enamel-mug"]
        )
        let list = try await service.listManager.list(withID: ProductList.sample.id)
        #expect(list.products == ["family-tent", "enamel-mug", "walking-boots"])
    }

    @Test func `a product without a favorite status has that of the shop`() async throws {
        let data = Data(#"[{"id": "1", "name": "Pan"}]"#.utf8)
        let products = try JSONDecoder().decode([Product].self, from: data)
        let service = ProductService.inMemory(products: products, lists: [])
        let catalog = service.catalogViewModel()

        for isFavorite in [true, false] {
            _ = try await service.loader.setFavoriteStatus(isFavorite, forProductWithID: "1")
            try await catalog.search("")
            try await catalog.refresh()
            #expect(catalog.rows.map(\.isFavorite) == [isFavorite])
        }
    }

    @Test(arguments: ["", "..", "a\nb", String(repeating: "🥾", count: 64)])
    func `a list whose identifier no request can have is not created`(id: String) async {
        let lists = ProductService.inMemory().listManager

        await expectNetworkError(.invalidRequest) {
            try await lists.createList(named: "Camp", id: ProductList.ID(id))
        }
    }

    @Test func `a list that is changed has the date of the clock`() async throws {
        let clock = ManualClock()
        let lists = ProductService.inMemory(effects: clock.effects()).listManager

        let list = try await lists.renameList(withID: ProductList.sample.id, to: "Hike")

        #expect(list.updatedAt == clock.date)
    }

    @Test func `a list that has the new name already is renamed in any version`() async throws {
        let lists = ProductService.inMemory().listManager
        let list = try await lists.list(withID: ProductList.sample.id)

        let renamed = try await lists.renameList(withID: list.id, to: "Hike", ifUnchanged: list)

        #expect(
            try await lists.renameList(withID: list.id, to: "Hike", ifUnchanged: list) == renamed
        )
        await #expect(throws: ListError.self) {
            try await lists.renameList(withID: list.id, to: "Trip", ifUnchanged: list)
        }
    }

    @Test func `a favorite whose product does not exist is removed`() async throws {
        let loader = ProductService.inMemory().loader

        #expect(try await loader.setFavoriteStatus(false, forProductWithID: "x") == nil)
    }

    @Test func `pages of favorites contain each favorite once, also one that was just added`()
        async throws
    {
        let products = (1...25).map { Product(id: Identifier("\($0)"), name: "Pan") }
        let loader = ProductService.inMemory(products: products).loader
        for product in products {
            _ = try await loader.setFavoriteStatus(true, forProductWithID: product.id)
        }

        let first = try await loader.favorites()
        _ = try await loader.setFavoriteStatus(false, forProductWithID: "25")
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "25")
        let last = try await loader.favorites(after: first.next)

        let ids = (first.items + last.items).map(\.id)
        #expect(ids == products.reversed().map(\.id) && last.next == nil)
    }

    @Test(arguments: [100, 101])
    func `a search in memory has at most 100 products and 200 characters`(
        count: Int
    ) async throws {
        let loader = ProductService.inMemory().loader
        let ids = (1...count).map { Product.ID("\($0)") }
        let text = String(repeating: "ab", count: count)

        for query in [ProductQuery(ids: ids), ProductQuery(text: text)] {
            if count > 100 {
                await expectNetworkError(.rejected) { try await loader.products(matching: query) }
            } else {
                #expect(try await loader.products(matching: query).items.isEmpty)
            }
        }
    }

    @Test func `each service has a shop of its own`() async throws {
        let (one, other) = (ProductService.inMemory(), ProductService.inMemory())

        _ = try await one.loader.setFavoriteStatus(true, forProductWithID: Product.sample.id)

        #expect(try await !other.loader.loadProduct(withID: Product.sample.id).isFavorite)
    }

    @Test func `operations take the delay, and fail as the closure decides`() async throws {
        let delays = Mutex<[Duration]>([])
        let operations = Lines()
        let service = ProductService.inMemory(
            delay: .milliseconds(300),
            effects: SystemEffects(sleep: { delay in delays.withLock { $0.append(delay) } }),
            failure: { operation in
                operations.add(operation)
                return operation == "setFavorite" ? NetworkError(.unavailable) : nil
            }
        )
        let screen = service.viewModel(for: .sample)

        await #expect(throws: NetworkError.self) { try await screen.toggleProductFavoriteStatus() }
        try await screen.reload()
        try await service.listManager.addProduct(withID: "iron-pan", toListWithID: "camping-trip")

        #expect(!screen.isFavorite)
        #expect(operations.all == ["setFavorite", "load", "addProduct"])
        #expect(delays.withLock(\.self) == Array(repeating: .milliseconds(300), count: 3))
    }

    @Test func `of products and lists with one identifier, the first counts`() async throws {
        let pans = ["Iron Pan", "Steel Pan"].map { Product(id: "pan", name: $0, isFavorite: true) }
        let lists = ["Camp", "Trip"].map { ProductList(id: "1", name: $0) }
        let service = ProductService.inMemory(products: pans, lists: lists)

        #expect(try await service.loader.products().items.map(\.name) == ["Iron Pan"])
        #expect(try await service.loader.favorites().total == 1)
        #expect(try await service.listManager.lists().items.map(\.name) == ["Camp"])
    }

    @Test func `a shop without products and lists is empty`() async throws {
        let service = ProductService.inMemory(products: [], lists: [])

        #expect(try await service.loader.products() == Page([], total: 0))
        #expect(try await service.loader.favorites() == Page([], total: 0))
        #expect(try await service.listManager.lists() == Page([]))
    }

    @Test func `the samples are valid`() throws {
        for product in Product.samples {
            let text = try JSONEncoder().encode(product)
            #expect(try JSONDecoder().decode(Product.self, from: text) == product)
        }
        #expect(Set(Product.samples.map(\.id)).count == Product.samples.count)
        #expect(ProductList.sample.products.allSatisfy(Product.samples.map(\.id).contains))
        #expect(Product.samples.contains(.sample) && LocalUser.sample.currency == "EUR")
    }
}
