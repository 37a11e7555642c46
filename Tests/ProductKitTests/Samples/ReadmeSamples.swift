import Foundation
import ProductKit
import Testing

@MainActor @Test func `a toggle makes the product a favorite`() async throws {
    var boots = Product(id: "walking-boots", name: "Walking Boots")
    let screen = ProductViewModel(
        product: boots,
        localUser: LocalUser(currency: "EUR"),
        actions: .only(
            toggleFavorite: { isFavorite in
                boots.isFavorite = isFavorite
                return boots
            }
        )
    )

    try await screen.toggleProductFavoriteStatus()

    #expect(screen.isFavorite)
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct ReadmeSamples {
    @MainActor @Test func `the first lines of the README make a signed request`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let service = ProductService(
            baseURL: api,
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn("anna") { "demo-token" },
            networking: .closure { request in
                #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer demo-token")
                return try NetworkResponse(
                    json: Product(
                        id: "walking-boots",
                        name: "Walking Boots",
                        isFavorite: request.httpMethod == "PUT"
                    )
                )
            }
        )

        let screen = try await service.viewModel(forProductWithID: "walking-boots")
        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite)
        #expect(screen.title == "Walking Boots")
    }
}

/// The first lines of the README.
///
/// They are compiled but not run, because they use the real network.
@MainActor private func favorite(api: URL, euros: LocalUser, token: String) async throws {
    let service = ProductService(baseURL: api, localUser: euros, user: .signedIn("anna") { token })
    let screen = try await service.viewModel(forProductWithID: "walking-boots")
    try await screen.toggleProductFavoriteStatus()
}

/// The backend in the README, which is not used either.
private func service(api: URL, euros: LocalUser, token: String) -> ProductService {
    let backend = ProductBackend(
        client: NetworkClient(baseURL: api),
        loader: { client in
            ProductLoader(
                load: { id in try await client.send(.get("goods", id)) },
                setFavorite: { id, isFavorite in
                    let star: NetworkRequest<Product> =
                        isFavorite ? .put("stars", id) : .delete("stars", id)
                    return try await client.send(star)
                }
            )
        },
        listManager: { client in
            ListManager(addProduct: { id, list in
                try await client.send(.put("boards", list, "items", id))
            })
        }
    )
    let anna = ServiceUser.signedIn("anna") { token }
    let service = ProductService(backend: backend, localUser: euros, user: anna)
    return service
}

/// A client that the app already has.
struct ShopClient {
    func product(_ id: Product.ID) async throws -> Product {
        Product(id: id, name: "Walking Boots")
    }

    func mark(_ id: Product.ID, _ isFavorite: Bool) async throws -> Product {
        Product(id: id, name: "Walking Boots", isFavorite: isFavorite)
    }

    func add(_ id: Product.ID, to list: ProductList.ID) async throws {}
}
