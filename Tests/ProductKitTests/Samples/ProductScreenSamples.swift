import ProductKit
import Testing

/// The code of “Product screen guarantees”.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ProductScreenSamples {
    @Test func `two screens agree until the user signs out`() async throws {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let favorite = Product(id: "walking-boots", name: "Walking Boots", isFavorite: true)
        let user = LocalUser(currency: "EUR")
        let actions = ProductViewModel.Actions.only(
            toggleFavorite: { _ in favorite },
            addToList: { _ in }
        )

        let store = ProductStore()
        let card = ProductViewModel(product: boots, localUser: user, actions: actions, store: store)
        let page = ProductViewModel(product: boots, localUser: user, actions: actions, store: store)
        let screen = page
        try await screen.toggleProductFavoriteStatus()
        try await screen.addProductToList(withID: "wishlist")

        #expect(card.isFavorite)
        store.reset()
        let next = ProductViewModel(product: boots, localUser: user, actions: actions, store: store)
        #expect(!next.isFavorite)
    }

    @MainActor @Test func `a deleted product stays on the screen`() async throws {
        let screen = ProductViewModel(
            product: Product(id: "walking-boots", name: "Walking Boots"),
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: { throw ProductError.notFound("walking-boots") })
        )

        await #expect(throws: ProductError.notFound("walking-boots")) {
            try await screen.reload()
        }

        #expect(screen.phase == .deleted)
        #expect(screen.title == "Walking Boots")
    }

    @Test func `a sheet shows the lists that hold the product`() async throws {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let wishlist = ProductList(id: "wishlist", name: "Wishlist")
        let service = ProductService(
            loader: ProductLoader(load: { _ in boots }),
            listManager: ListManager(
                addProduct: { _, _ in },
                lists: { _ in Page([wishlist]) },
                create: { id, name in ProductList(id: id, name: name) }
            ),
            localUser: LocalUser(currency: "EUR")
        )

        let sheet = service.membershipViewModel(for: boots)
        try await sheet.reload()
        try await sheet.toggleMembership(inListWithID: "wishlist")
        try await sheet.addProductToNewList(named: "Summer trip")

        #expect(sheet.rows.map(\.name) == ["Wishlist", "Summer trip"])
        #expect(sheet.rows.map(\.holdsProduct) == [true, true])
    }

    @Test func `a test of the lists gives the actions it cares about`() async throws {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let wishlist = ProductList(id: "wishlist", name: "Wishlist")
        let id = boots.id
        let lists = ListManager(addProduct: { _, _ in }, lists: { _ in Page([wishlist]) })

        let viewModel = ListMembershipViewModel(
            product: boots,
            actions: .only(loadLists: { Page([wishlist]) }, addToList: { _ in })
        )
        try await viewModel.reload()
        try await viewModel.toggleMembership(inListWithID: wishlist.id)
        #expect(viewModel.rows.map(\.holdsProduct) == [true])

        let live = ListMembershipViewModel.Actions(productID: id, listManager: lists)
        let test = ListMembershipViewModel.Actions.only(loadLists: { Page([wishlist]) })
        let (loaded, given) = (try await live.loadLists(), try await test.loadLists())
        #expect(loaded == given)
    }

    @Test func `an error states whether the server may have carried out the request`() {
        #expect(!ShopError.outOfStock.mayHaveReachedServer)
        #expect(ShopError.noResponse.mayHaveReachedServer)
    }
}

private enum ShopError: Error { case outOfStock, noResponse }

extension ShopError: RequestOutcomeError {
    var mayHaveReachedServer: Bool { self != .outOfStock }
}
