import EmbeddedStore
import Foundation
import ProductKit
import Testing

/// The same operations with the embedded store over HTTP and with a shop in memory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InMemoryTests {
    /// A shop with 45 products.
    enum Shop: CaseIterable {
        case embeddedStore, inMemory

        func open(_ body: (ProductService) async throws -> Void) async throws {
            let names = (1...45).map { "Käse \($0)" }
            switch self {
            case .embeddedStore:
                let products = names.enumerated().map { index, name in
                    StoreProduct(id: "p/\(index)", name: name, attributes: ["brand": "Alm"])
                }
                var configuration = EmbeddedStore.Configuration()
                configuration.products = products
                try await EmbeddedStore.withService(configuration) { _, service in
                    for list in try await service.listManager.allLists().items {
                        try await service.listManager.deleteList(withID: list.id)
                    }
                    try await body(service)
                }
            case .inMemory:
                let products = names.enumerated().map { index, name in
                    Product(
                        id: Product.ID("p/\(index)"),
                        name: name,
                        isAvailable: true,
                        attributes: ["brand": "Alm"]
                    )
                }
                try await body(.inMemory(products: products, lists: []))
            }
        }
    }

    @Test(arguments: Shop.allCases)
    func `products are found, and pages continue`(shop: Shop) async throws {
        try await shop.open { service in
            let first = try await service.loader.products()
            let second = try await service.loader.products(after: first.next)
            let third = try await service.loader.products(after: second.next)
            let ten = try await service.loader.products(matching: ProductQuery(limit: 10))
            let ids = ProductQuery(ids: ["p/3", "missing", "p/1"])

            #expect([first, second, third].map(\.items.count) == [20, 20, 5])
            #expect([first, second, third].map(\.total) == [45, 45, 45])
            #expect(first.items[0].id == "p/0" && third.items.last?.id == "p/44")
            #expect(third.next == nil && ten.items.count == 10 && ten.next != nil)
            #expect(
                try await service.loader.products(matching: ids).items.map(\.id) == ["p/1", "p/3"]
            )
            for (text, count) in [("KASE 4", 10), ("alm käse", 45), ("4 kase", 10), ("milk", 0)] {
                let found = try await service.loader.products(matching: ProductQuery(text: text))
                #expect(found.total == count, "\(text)")
            }
            #expect(try await service.loader.loadProduct(withID: "p/7").name == "Käse 8")
        }
    }

    @Test(arguments: Shop.allCases)
    func `favorites are the newest first, and pages continue after changes`(
        shop: Shop
    ) async throws {
        try await shop.open { service in
            for index in 0..<25 {
                let id = Product.ID("p/\(index)")
                let product = try await service.loader.setFavoriteStatus(true, forProductWithID: id)
                #expect(product?.isFavorite == true)
            }
            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "p/3")
            let first = try await service.loader.favorites()
            _ = try await service.loader.setFavoriteStatus(false, forProductWithID: "p/24")
            _ = try await service.loader.setFavoriteStatus(false, forProductWithID: "p/24")
            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "p/40")
            let second = try await service.loader.favorites(after: first.next)

            #expect(first.items.map(\.id) == (5..<25).reversed().map { Product.ID("p/\($0)") })
            #expect(second.items.map(\.id) == (0..<5).reversed().map { Product.ID("p/\($0)") })
            #expect(second.items.map(\.isFavorite) == Array(repeating: true, count: 5))
            #expect(try await service.loader.loadProduct(withID: "p/40").isFavorite)
            #expect(try await service.loader.products().items[19].isFavorite)
        }
    }

    @Test(arguments: Shop.allCases)
    func `lists are created, changed and deleted`(shop: Shop) async throws {
        try await shop.open { service in
            let lists = service.listManager
            let camp = try await lists.createList(named: "Camp", id: "1")
            let again = try await lists.createList(named: "Camp", id: "1")
            try await lists.addProduct(withID: "p/1", toListWithID: "1")
            try await lists.addProduct(withID: "p/1", toListWithID: "1")
            try await lists.addProduct(withID: "p/2", toListWithID: "1")
            try await lists.removeProduct(withID: "p/1", fromListWithID: "1")
            try await lists.removeProduct(withID: "p/1", fromListWithID: "missing")
            let changed = try await lists.list(withID: "1")
            let renamed = try await lists.renameList(withID: "1", to: "Trip", ifUnchanged: changed)

            #expect(camp.version != nil && camp.version == again.version)
            #expect(changed.products == ["p/2"] && changed.version != camp.version)
            #expect(renamed.name == "Trip" && renamed.version != changed.version)
            let page = try await lists.lists()
            #expect(page.items.map(\.name) == ["Trip"] && page.items[0].version == nil)
            #expect(page.total == nil)
            await #expect(throws: ListError.changed(current: renamed)) {
                try await lists.renameList(withID: "1", to: "Trek", ifUnchanged: changed)
            }
            await #expect(throws: ListError.changed(current: renamed)) {
                try await lists.createList(named: "Other", id: "1")
            }
            try await lists.deleteList(withID: "1")
            try await lists.deleteList(withID: "1")
            #expect(try await lists.lists().items.isEmpty)
            #expect(try await lists.renameList(withID: "2", to: "New").name == "New")
            #expect(try await lists.lists().items.map(\.name) == ["New"])
        }
    }

    @Test(arguments: Shop.allCases)
    func `what does not exist or is not valid is an error`(shop: Shop) async throws {
        try await shop.open { service in
            let (loader, lists) = (service.loader, service.listManager)
            _ = try await lists.createList(named: "Camp", id: "1")

            await #expect(throws: ProductError.notFound("x")) {
                try await loader.loadProduct(withID: "x")
            }
            await #expect(throws: ProductError.notFound("x")) {
                try await loader.setFavoriteStatus(true, forProductWithID: "x")
            }
            await #expect(throws: ProductError.notFound("x")) {
                try await lists.addProduct(withID: "x", toListWithID: "1")
            }
            await #expect(throws: ListError.notFound("9")) {
                try await lists.addProduct(withID: "p/1", toListWithID: "9")
            }
            await #expect(throws: ListError.notFound("9")) { try await lists.list(withID: "9") }
            let queries = [
                ProductQuery(limit: 0), ProductQuery(limit: 101),
                ProductQuery(text: String(repeating: "a", count: 201)),
                ProductQuery(ids: (0...100).map { Product.ID("\($0)") }),
            ]
            for query in queries {
                let error = await #expect(throws: NetworkError.self) {
                    try await loader.products(matching: query)
                }
                #expect(error?.code == .rejected)
            }
            for name in ["", String(repeating: "a", count: 201)] {
                for id in ["1", "2"] as [ProductList.ID] {
                    let creation = await #expect(throws: NetworkError.self) {
                        try await lists.createList(named: name, id: id)
                    }
                    let renaming = await #expect(throws: NetworkError.self) {
                        try await lists.renameList(withID: id, to: name)
                    }
                    #expect(creation?.code == .rejected && renaming?.code == .rejected)
                }
            }
            for cursor in ["", "x"] as [PageCursor] {
                let error = await #expect(throws: NetworkError.self) {
                    try await loader.favorites(after: cursor)
                }
                #expect(error?.code == .rejected)
            }
        }
    }
}
