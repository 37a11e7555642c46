import EmbeddedStore
import Foundation
import ProductKit
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ScreenTests {
    @Test func `a screen loads a product, marks it as a favorite and adds it to a list`()
        async throws
    {
        try await EmbeddedStore.withService { store, service in
            let screen = try await service.viewModel(forProductWithID: "walking-boots")
            try await screen.reload()
            try await screen.toggleProductFavoriteStatus()
            try await screen.addProductToList(withID: "wishlist")

            #expect(screen.title == store.product("walking-boots")?.name)
            #expect(screen.priceText == "€129.95")
            #expect(screen.phase == .loaded)
            #expect(screen.isFavorite && store.isFavorite("walking-boots"))
            #expect(store.lists().first?.products == ["walking-boots"])
        }
    }

    @Test func `a favorite status that the store refuses is rolled back`() async throws {
        try await EmbeddedStore.withService(
            intercept: { request, handle in
                request.method == "PUT" ? .problem(503) : await handle()
            }
        ) { store, service in
            let screen = try await service.viewModel(forProductWithID: "walking-boots")

            await #expect(throws: NetworkError.self) {
                try await screen.toggleProductFavoriteStatus()
            }

            #expect(!screen.isFavorite && !store.isFavorite("walking-boots"))
            #expect(screen.lastError?.kind == .toggleFavorite)
        }
    }

    @Test func `a deleted product is shown as deleted with its last known content`()
        async throws
    {
        try await EmbeddedStore.withService { store, service in
            let screen = try await service.viewModel(forProductWithID: "walking-boots")
            store.deleteProduct("walking-boots")

            await #expect(throws: ProductError.notFound("walking-boots")) {
                try await screen.reload()
            }

            #expect(screen.phase == .deleted)
            #expect(screen.title == "Fellstride Walking Boots")
        }
    }

    @Test func `a missing list does not mark the product as deleted`() async throws {
        try await EmbeddedStore.withService { store, service in
            let screen = try await service.viewModel(forProductWithID: "walking-boots")
            store.deleteList("wishlist")

            await #expect(throws: ListError.notFound("wishlist")) {
                try await screen.addProductToList(withID: "wishlist")
            }

            #expect(screen.phase == .loaded)
        }
    }

    @Test func `six toggles send two requests and restore the favorite status`() async throws {
        try await EmbeddedStore.withService { store, service in
            let screen = try await service.viewModel(forProductWithID: "walking-boots")

            let taps = (1...6).map { _ in
                Task { try await screen.toggleProductFavoriteStatus() }
            }
            for tap in taps { try await tap.value }

            #expect(!screen.isFavorite && !store.isFavorite("walking-boots"))
            #expect(store.count(of: "PUT", "/v1/favorites/walking-boots") == 1)
            #expect(store.count(of: "DELETE", "/v1/favorites/walking-boots") == 1)
        }
    }
}
