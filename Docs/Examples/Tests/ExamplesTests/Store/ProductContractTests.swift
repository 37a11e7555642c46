import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductContractTests {
    @Test func `a product is loaded with all properties of the store's product`() async throws {
        try await EmbeddedStore.withService { store, service in
            let boots = try await service.loader.loadProduct(withID: "walking-boots")

            let stored = try #require(store.product("walking-boots"))
            #expect(boots.name == stored.name)
            #expect(boots.description == stored.description)
            #expect(boots.images.map(\.absoluteString) == stored.images)
            #expect(boots.url?.absoluteString == stored.url)
            #expect(boots.isAvailable == stored.isAvailable)
            #expect(boots.attributes == stored.attributes)
            #expect(try boots.price(in: "EUR") == Price("129.95", currency: "EUR"))
            #expect(boots.updatedAt?.formatted(.iso8601) == stored.updatedAt)
            #expect(!boots.isFavorite)
        }
    }

    @Test(arguments: StoreProduct.catalog.map(\.id))
    func `every identifier is sent as one path segment`(id: String) async throws {
        try await EmbeddedStore.withService { _, service in
            let product = try await service.loader.loadProduct(withID: Product.ID(id))

            #expect(product.id.rawValue == id)
        }
    }

    @Test func `a missing product is reported as not found`() async throws {
        try await EmbeddedStore.withService { _, service in
            await #expect(throws: ProductError.notFound("no-such-thing")) {
                try await service.loader.loadProduct(withID: "no-such-thing")
            }
        }
    }

    @Test func `pages are loaded to the last one`() async throws {
        try await EmbeddedStore.withService { store, service in
            var ids: [Product.ID] = []
            var page = try await service.loader.products(matching: ProductQuery(limit: 7))
            ids += page.items.map(\.id)
            while let next = page.next {
                page = try await service.loader.products(
                    matching: ProductQuery(limit: 7),
                    after: next
                )
                ids += page.items.map(\.id)
            }

            #expect(ids.map(\.rawValue) == StoreProduct.catalog.map(\.id))
            #expect(page.total == StoreProduct.catalog.count)
            #expect(page.rejected.isEmpty)
            #expect(store.count(of: "GET", "/v1/products") == 6)
        }
    }

    @Test(arguments: ["stove", "Käse", "CREME BRULEE", "26 cm", "a+b & c=d #1"])
    func `the text of a search is sent unchanged`(text: String) async throws {
        let query = Recorder<String>()
        try await EmbeddedStore.withService(
            intercept: { request, handle in
                query.record(request.query)
                return await handle()
            }
        ) { _, service in
            let page = try await service.loader.products(matching: ProductQuery(text: text))

            var components = URLComponents()
            components.percentEncodedQuery = query.all.first
            #expect(components.queryItems == [URLQueryItem(name: "q", value: text)])
            #expect(page.items.isEmpty == text.hasPrefix("a+b"))
        }
    }

    @Test func `several products are requested by their identifiers`() async throws {
        try await EmbeddedStore.withService { _, service in
            let page = try await service.loader.products(
                matching: ProductQuery(ids: ["gid://shop/42", "no-such-thing", "enamel-mug"])
            )

            #expect(Set(page.items.map(\.id)) == ["gid://shop/42", "enamel-mug"])
        }
    }

    @Test func `a limit that the store refuses is an error with the reason`() async throws {
        try await EmbeddedStore.withService { _, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.products(matching: ProductQuery(limit: 1_000))
            }

            #expect(error?.code == .rejected)
            #expect(error?.problem?.detail?.contains("limit") == true)
        }
    }

    @Test(arguments: [true, false])
    func `setting and clearing a favorite status twice succeeds`(returnsProduct: Bool) async throws
    {
        var configuration = EmbeddedStore.Configuration()
        configuration.returnsProductForFavorites = returnsProduct
        try await EmbeddedStore.withService(configuration) { store, service in
            for _ in 1...2 {
                let set = try await service.loader.setFavoriteStatus(
                    true,
                    forProductWithID: "käsereibe"
                )
                #expect(set?.isFavorite == true && store.isFavorite("käsereibe"))
            }
            for _ in 1...2 {
                let cleared = try await service.loader.setFavoriteStatus(
                    false,
                    forProductWithID: "käsereibe"
                )
                #expect(cleared?.isFavorite == false && !store.isFavorite("käsereibe"))
            }
        }
    }

    @Test func `the favorite status of a missing product is reported as not found`() async throws {
        try await EmbeddedStore.withService { _, service in
            await #expect(throws: ProductError.notFound("no-such-thing")) {
                try await service.loader.setFavoriteStatus(true, forProductWithID: "no-such-thing")
            }
        }
    }

    @Test func `favorites are sorted from newest to oldest`() async throws {
        try await EmbeddedStore.withService { _, service in
            for id: Product.ID in ["enamel-mug", "walking-boots", "gid://shop/42"] {
                _ = try await service.loader.setFavoriteStatus(true, forProductWithID: id)
            }

            let page = try await service.loader.favorites()

            #expect(page.items.map(\.id) == ["gid://shop/42", "walking-boots", "enamel-mug"])
            #expect(page.items.allSatisfy { $0.isFavorite })
        }
    }
}
