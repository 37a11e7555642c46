import Foundation
import ProductKit
import Testing

/// The name of the list that stores the favorites, which no other list may have.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReservedNameTests {
    private let shop = WishListServer()

    // Rule: favorites/list-is-hidden (5)
    @Test(arguments: ["Favorites", " Favorites", "Favorites\n"])
    func `a hidden name is refused before anything is sent`(name: String) async throws {
        let lists = service().listManager
        shop.add("Camp")

        await #expect(throws: ListError.reservedName("Favorites")) {
            try await lists.createList(named: name)
        }
        await #expect(throws: ListError.reservedName("Favorites")) {
            try await lists.renameList(withID: "1", to: name)
        }

        #expect(shop.requests.isEmpty && shop.names == ["Camp"])
    }

    // Rule: favorites/list-is-hidden (5)
    @Test func `each of two hidden names is refused`() async throws {
        let lists = service().listManager.hidingLists(named: "Cart")

        for name in ["Favorites", "Cart"] {
            await #expect(throws: ListError.reservedName(name)) {
                try await lists.createList(named: name)
            }
        }

        #expect(shop.requests.isEmpty)
    }

    // Rule: favorites/list-is-hidden (5)
    @Test func `the favorites are stored in the list of that name, and other names are accepted`()
        async throws
    {
        let service = service()
        let camp = try await service.listManager.createList(named: "favorites")
        _ = try await service.listManager.renameList(withID: camp.id, to: "My Favorites")

        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "7")

        #expect(try await service.loader.loadProduct(withID: "7").isFavorite)
        #expect(shop.names == ["My Favorites", "Favorites"])
        #expect(try await service.listManager.allLists().items.map(\.name) == ["My Favorites"])
    }

    // Rule: favorites/list-is-hidden (5)
    @MainActor @Test func `the screen shows that a name is reserved`() async throws {
        let screen = service().membershipViewModel(for: Product(id: "7", name: "Pan"))

        await #expect(throws: ListError.reservedName("Favorites")) {
            try await screen.addProductToNewList(named: "Favorites")
        }

        #expect(screen.lastError?.kind == .createList && screen.rows.isEmpty)
        #expect(
            screen.lastError?.localizedDescription
                == "The name “Favorites” is reserved for the app. Choose another name for the list."
        )
        #expect(screen.lastError?.underlying.mayHaveReachedServer == false)
        #expect(shop.requests.isEmpty)
    }

    private func service() -> ProductService {
        ProductBackend(
            client: NetworkClient(baseURL: .api, networking: .closure(shop.respond)),
            favoritesList: "Favorites",
            loader: { _ in ProductLoader(load: { id in Product(id: id, name: "Pan") }) },
            listManager: { client in .wishLists(client) }
        )
        .service(of: .guest)
    }
}
