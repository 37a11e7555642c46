import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProductContractTests {
    @Test func `a product arrives as the store has it`() async throws {
        try await withShop { store, shop in
            let boots = try await shop.loader.loadProduct(withID: "walking-boots")

            let known = try #require(store.product("walking-boots"))
            #expect(boots.name == known.name)
            #expect(boots.description == known.description)
            #expect(boots.images.map(\.absoluteString) == known.images)
            #expect(boots.url?.absoluteString == known.url)
            #expect(boots.isAvailable == known.isAvailable)
            #expect(boots.attributes == known.attributes)
            #expect(try boots.price(in: "EUR") == Price("129.95", currency: "EUR"))
            #expect(boots.updatedAt?.formatted(.iso8601) == known.updatedAt)
            #expect(!boots.isFavorite)
        }
    }

    @Test(arguments: StoreProduct.catalog.map(\.id))
    func `every identity arrives as one segment`(id: String) async throws {
        try await withShop { _, shop in
            let product = try await shop.loader.loadProduct(withID: Product.ID(id))

            #expect(product.id.rawValue == id)
        }
    }

    @Test func `a product that is not there is reported as such`() async throws {
        try await withShop { _, shop in
            await #expect(throws: ProductError.notFound("no-such-thing")) {
                try await shop.loader.loadProduct(withID: "no-such-thing")
            }
        }
    }

    @Test func `pages follow one another to the end`() async throws {
        try await withShop { store, shop in
            var ids: [Product.ID] = []
            var page = try await shop.loader.products(matching: ProductQuery(limit: 7))
            ids += page.items.map(\.id)
            while let next = page.next {
                page = try await shop.loader.products(
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
    func `a search arrives as it was typed`(text: String) async throws {
        let query = Recorder<String>()
        try await withShop(
            intercept: { request, handle in
                query.record(request.query)
                return await handle()
            }
        ) { _, shop in
            let page = try await shop.loader.products(matching: ProductQuery(text: text))

            var components = URLComponents()
            components.percentEncodedQuery = query.all.first
            #expect(components.queryItems == [URLQueryItem(name: "q", value: text)])
            #expect(page.items.isEmpty == text.hasPrefix("a+b"))
        }
    }

    @Test func `some products are asked for by their identities`() async throws {
        try await withShop { _, shop in
            let page = try await shop.loader.products(
                matching: ProductQuery(ids: ["gid://shop/42", "no-such-thing", "enamel-mug"])
            )

            #expect(Set(page.items.map(\.id)) == ["gid://shop/42", "enamel-mug"])
        }
    }

    @Test func `a limit that the store refuses is an error that tells why`() async throws {
        try await withShop { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.products(matching: ProductQuery(limit: 1_000))
            }

            #expect(error?.code == .rejected)
            #expect(error?.problem?.detail?.contains("limit") == true)
        }
    }

    @Test(arguments: [true, false])
    func `a favorite is made and unmade, twice without harm`(answersProduct: Bool) async throws {
        var configuration = EmbeddedStore.Configuration()
        configuration.returnsProductForFavorites = answersProduct
        try await withShop(configuration) { store, shop in
            for _ in 1...2 {
                let made = try await shop.loader.setFavoriteStatus(
                    true,
                    forProductWithID: "käsereibe"
                )
                #expect(made.isFavorite && store.isFavorite("käsereibe"))
            }
            for _ in 1...2 {
                let unmade = try await shop.loader.setFavoriteStatus(
                    false,
                    forProductWithID: "käsereibe"
                )
                #expect(!unmade.isFavorite && !store.isFavorite("käsereibe"))
            }
        }
    }

    @Test func `a favorite of a product that is not there is reported as such`() async throws {
        try await withShop { _, shop in
            await #expect(throws: ProductError.notFound("no-such-thing")) {
                try await shop.loader.setFavoriteStatus(true, forProductWithID: "no-such-thing")
            }
        }
    }

    @Test func `favorites come newest first`() async throws {
        try await withShop { _, shop in
            for id: Product.ID in ["enamel-mug", "walking-boots", "gid://shop/42"] {
                _ = try await shop.loader.setFavoriteStatus(true, forProductWithID: id)
            }

            let page = try await shop.loader.favorites()

            #expect(page.items.map(\.id) == ["gid://shop/42", "walking-boots", "enamel-mug"])
            #expect(page.items.allSatisfy { $0.isFavorite })
        }
    }
}
