import Foundation
import ProductKit
import Testing

private let boots = Product(id: "walking-boots", name: "Walking Boots")

/// The code of “Concurrency”.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ConcurrencySamples {
    @Test func `an action counts in a local variable`() async throws {
        var calls = 0
        let actions = ProductViewModel.Actions.only(
            reload: {
                calls += 1
                return boots
            }
        )

        _ = try await actions.reload()

        #expect(calls == 1)
    }

    @Test func `what makes actions may be sent`() async throws {
        let screens = Screens(
            products: ProductService(
                loader: ProductLoader(load: { _ in boots }),
                listManager: ListManager(addProduct: { _, _ in }),
                localUser: LocalUser(currency: "EUR")
            ),
            reviews: { id in
                .only(reload: { [Review(id: "1", stars: 5, text: "Of \(id.rawValue).")] })
            }
        )

        let screen = ReviewsViewModel(actions: screens.reviews(boots.id))
        try await screen.reload()

        #expect(screen.reviews.map(\.text) == ["Of walking-boots."])
    }

    @Test func `a server shares one backend between its users`() async throws {
        let shop = try #require(URL(string: "https://api.example.com/v1"))
        let routes = ProductRoutes(
            shop: shop,
            networking: .closure { request in
                let token = request.value(forHTTPHeaderField: "Authorization") ?? "unsigned"
                return try NetworkResponse(json: Product(id: boots.id, name: token))
            }
        )

        for name in ["anna", "bert"] {
            let product = try await routes.product(boots.id, for: name, token: name)

            #expect(product.name == "Bearer \(name)")
        }
    }

    @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `a tap shows on the spot`() async throws {
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(
                toggleFavorite: { isFavorite in
                    Product(id: "walking-boots", name: "Walking Boots", isFavorite: isFavorite)
                }
            )
        )

        let tap = Task.immediate { try await screen.toggleProductFavoriteStatus() }
        #expect(screen.isFavorite)
        try await tap.value
    }
}

struct ProductRoutes: Sendable {
    private let backend: ProductBackend

    init(shop: URL, networking: any Networking = .system) {
        backend = ProductBackend(
            baseURL: shop,
            networking: networking,
            cache: ResponseCache()
        )
    }

    func product(
        _ id: Product.ID,
        for user: String,
        token: String
    ) async throws -> Product {
        let service = ProductService(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn(user) { token }
        )
        return try await service.loader.loadProduct(withID: id)
    }
}

struct Screens: Sendable {
    let products: ProductService
    let reviews: @Sendable (Product.ID) -> ReviewsViewModel.Actions
}
