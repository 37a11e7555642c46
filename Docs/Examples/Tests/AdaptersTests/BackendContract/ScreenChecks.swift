import Foundation
import ProductKit
import Testing

/// The screens of a service, with every adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor struct ScreenChecks {
    @Test(arguments: TestedBackend.all)
    func `a product screen shows what the shop has`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        let screen = try await shopper.service.viewModel(forProductWithID: "1")

        shopper.shop.content.items[0].name = "Cast Iron Pan"
        try await screen.reload()

        #expect(screen.title == "Cast Iron Pan")
        #expect(screen.source.code == .network)
    }

    @Test(arguments: TestedBackend.cached)
    func `a product screen opens offline with the stored product`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")
        shopper.shop.isOnline = false

        let screen = try await shopper.service.viewModel(
            forProductWithID: "1",
            policy: .networkFirst
        )
        await #expect(throws: NetworkError.self) { try await screen.reload() }

        #expect(screen.title == "Iron Pan")
        #expect(screen.source.code == .staleIfError)
    }

    @Test(arguments: TestedBackend.all)
    func `a catalog finds products, and keeps its rows if a refresh fails`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let screen = shopper.service.catalogViewModel()
        screen.debounce = .zero

        try await screen.search("pan")
        shopper.shop.isOnline = false
        await #expect(throws: NetworkError.self) { try await screen.refresh() }

        #expect(screen.rows.map(\.title) == ["Iron Pan", "Steel Pan"])
        #expect(screen.source.code == .network)
        #expect((screen.lastError?.underlying as? NetworkError)?.code == .unreachable)
    }

    @Test(arguments: TestedBackend.cached)
    func `a catalog opens offline with the stored rows`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.products(matching: "pan")
        shopper.shop.isOnline = false
        let screen = shopper.service.catalogViewModel()
        screen.debounce = .zero

        try await screen.search("pan")

        #expect(screen.rows.map(\.title) == ["Iron Pan", "Steel Pan"])
        #expect(screen.source.code == .staleIfError)
        #expect(screen.lastError == nil)
    }

    @Test(arguments: TestedBackend.supporting(.favorites))
    func `a screen rolls a favorite back if the shop cannot be reached`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let screen = try await shopper.service.viewModel(forProductWithID: "1")
        shopper.shop.isOnline = false

        await #expect(throws: NetworkError.self) { try await screen.toggleProductFavoriteStatus() }
        #expect(!screen.isFavorite)

        shopper.shop.isOnline = true
        try await screen.toggleProductFavoriteStatus()
        #expect(screen.isFavorite)
        #expect(shopper.shop.lineCount == 1)
    }

    @Test(arguments: TestedBackend.supporting(.favorites))
    func `a favorite shows in all screens, and stays after all of them reload`(
        backend: TestedBackend
    ) async throws {
        let shopper = Shopper(backend)
        let catalog = shopper.service.catalogViewModel()
        catalog.debounce = .zero
        try await catalog.search("")
        let row = try #require(catalog.rows.first)
        let screen = shopper.service.viewModel(for: row.product)

        try await screen.toggleProductFavoriteStatus()
        #expect(row.isFavorite)
        try await catalog.refresh()
        try await screen.reload()

        #expect(screen.isFavorite)
        #expect(catalog.rows.map(\.isFavorite) == [true, false, false, false, false])
    }

    @Test(arguments: TestedBackend.supporting(.favorites))
    func `after signing out, an open screen sends nothing`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        let screen = try await shopper.service.viewModel(forProductWithID: "1")
        let count = shopper.shop.requests.count

        await shopper.service.signOut()

        await #expect(throws: TokenError.sessionEnded) { try await screen.reload() }
        await #expect(throws: TokenError.sessionEnded) {
            try await screen.toggleProductFavoriteStatus()
        }
        #expect(!screen.isFavorite)
        #expect(shopper.shop.requests.count == count)
    }
}
