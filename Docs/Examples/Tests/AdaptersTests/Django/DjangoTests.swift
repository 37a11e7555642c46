import Adapters
import Foundation
import ProductKit
import Testing

/// The adapter for Django REST framework over real HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DjangoTests {
    private let shop = DjangoShop()

    @Test func `a product is made from three responses`() async throws {
        let product = try await shop.serve { url in
            try await service(at: url).loader.loadProduct(withID: "3")
        }

        #expect(product.name == "Product 3")
        #expect(product.description == "Made of steel & wood.")
        #expect(product.price(in: "EUR") == Price(minorUnits: 399, currency: "EUR"))
        #expect(product.isAvailable == true)
        #expect(product.updatedAt == Date(timeIntervalSince1970: 1_785_578_400.25))
    }

    @Test func `no request is redirected`() async throws {
        try await shop.serve { url in
            let service = service(at: url)
            let page = try await service.loader.products(matching: ProductQuery(limit: 2))
            _ = try await service.loader.products(after: page.next)
            let list = try await service.listManager.createList(named: "Camp")
            try await service.listManager.addProduct(withID: "3", toListWithID: list.id)
            try await service.listManager.deleteList(withID: list.id)
        }

        #expect(shop.requests.allSatisfy { $0.hasSuffix("/") })
    }

    @MainActor @Test func `rows are complete except for description and images`() async throws {
        try await shop.serve { url in
            let service = service(at: url)
            let screen = try await service.viewModel(forProductWithID: "3")

            let catalog = service.catalogViewModel()
            try await catalog.search("3")

            #expect(catalog.rows.map(\.title) == ["Product 3"])
            #expect(screen.product.description == "Made of steel & wood.")
            #expect(screen.product.images.count == 1)
        }
    }

    @Test func `favorites are a wish list of the user`() async throws {
        try await shop.serve { url in
            let service = service(at: url)
            let screen = try await service.viewModel(forProductWithID: "3")

            try await screen.toggleProductFavoriteStatus()
            let favorites = try await service.loader.favorites()
            let lists = try await service.listManager.lists()
            try await screen.toggleProductFavoriteStatus()

            #expect(favorites.items.map(\.id) == ["3"] && lists.items.isEmpty)
            #expect(await !screen.isFavorite)
            #expect(shop.wishLists(of: "ann").map(\.lines.count) == [0])
        }
    }

    @Test func `a guest can look at products, and cannot set a favorite`() async throws {
        try await shop.serve { url in
            let service = ProductService(
                backend: .django(at: url),
                localUser: LocalUser(currency: "EUR"),
                user: .guest
            )

            let product = try await service.loader.loadProduct(withID: "3")
            #expect(!product.isFavorite)
            let error = await #expect(throws: NetworkError.self) {
                _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "3")
            }
            #expect(error?.code == .unauthorized)
            #expect(error?.problem?.detail == "Authentication credentials were not provided.")
        }
    }

    @Test func `while the server fails, stored products are shown and nothing is written`()
        async throws
    {
        try await shop.serve { url in
            let service = service(at: url, cache: ResponseCache())
            let list = try await service.listManager.createList(named: "Camp")
            try await service.listManager.addProduct(withID: "3", toListWithID: list.id)
            _ = try await service.loader.loadProduct(withID: "3")
            _ = try await service.loader.products(matching: "3")
            shop.isBroken = true

            let product = try await service.loader.fetchProduct(withID: "3", policy: .networkFirst)
            let page = try await service.loader.products(matching: "3")

            #expect(product.source.code == .staleIfError && page.source.code == .staleIfError)
            await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "3")
            }
            await #expect(throws: NetworkError.self) {
                try await service.listManager.addProduct(withID: "3", toListWithID: list.id)
            }
        }
    }

    @Test func `rows without a price are rejected, also if no row has one`() async throws {
        let shop = FakeShop { request, content in
            request.path.last == "price"
                ? DjangoServer.failure(404) : DjangoServer.response(to: request, &content)
        }
        let service = ProductService(
            backend: .django(at: .store, networking: shop.networking),
            localUser: LocalUser(currency: "EUR"),
            user: .guest
        )

        let page = try await service.loader.products(matching: ProductQuery(limit: 2))

        #expect(page.items.isEmpty)
        #expect(page.rejected.map(\.index) == [0, 1])
        #expect(page.next != nil)
        #expect(page.total == 5)
    }

    private func service(at url: URL, cache: ResponseCache? = nil) -> ProductService {
        ProductService(
            backend: .django(at: url, cache: cache),
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn("ann") { "ann" }
        )
    }
}
