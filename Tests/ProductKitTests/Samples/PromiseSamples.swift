import ProductKit
import Testing

/// The fences of “What the screen promises”.
@MainActor @Suite(.timeLimit(.minutes(1))) struct PromiseSamples {
    @Test func `two screens agree until the user signs out`() async throws {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let favorite = Product(id: "walking-boots", name: "Walking Boots", isFavorite: true)
        let user = LocalUser(currency: "EUR")
        let actions = ProductViewModel.Actions.only(
            toggleFavorite: { _ in favorite },
            addToList: { _ in }
        )

        let store = ProductStore()
        let list = ProductViewModel(product: boots, localUser: user, actions: actions, store: store)
        let page = ProductViewModel(product: boots, localUser: user, actions: actions, store: store)
        let screen = page
        try await screen.toggleProductFavoriteStatus()
        try await screen.addProductToList(withID: "wishlist")

        #expect(list.isFavorite)
        store.reset()
        let next = ProductViewModel(product: boots, localUser: user, actions: actions, store: store)
        #expect(!next.isFavorite)
    }
}
