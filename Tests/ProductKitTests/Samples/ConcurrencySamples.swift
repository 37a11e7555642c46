import Foundation
import ProductKit
import Testing

private let boots = Product(id: "walking-boots", name: "Walking Boots")

/// The code of “Concurrency”.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ConcurrencySamples {
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

struct Screens: Sendable {
    let products: ProductService
    let reviews: @Sendable (Product.ID) -> ReviewsViewModel.Actions
}
