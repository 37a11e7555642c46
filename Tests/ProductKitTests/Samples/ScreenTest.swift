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
