import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct SharingTests {
    let store = ProductStore()

    // Rule: screen/screens-share-a-product (49)
    @Test func `screens of one product show the same`() async throws {
        let new = Product.boots(named: "New")
        let first = ProductViewModel(.only(reload: { new }), store: store)
        let second = ProductViewModel(
            .only(toggleFavorite: { wanted in new.with { $0.isFavorite = wanted } }),
            store: store
        )

        try await first.reload()
        #expect(second.product == new)
        let toggle = await started { try await second.toggleProductFavoriteStatus() }
        #expect(first.isFavorite)
        try await toggle.value

        #expect(first.product == .boots(named: "New", isFavorite: true))
        #expect(second.product == first.product)
    }

    // Rule: screen/screens-share-a-product (49)
    @Test func `each screen keeps its own phase and failure`() async throws {
        let held = Held<Product>()
        let first = ProductViewModel(
            .only(reload: { try await held.suspend() }),
            store: store
        )
        let second = ProductViewModel(.only(reload: { .boots }), store: store)
        let reload = await started { try await first.reload() }
        #expect(first.isLoading && first.phase == .loading)
        #expect(!second.isLoading && second.phase == .idle)

        try held.fail()
        await #expect(throws: Offline()) { try await reload.value }
        #expect(second.phase == .idle && second.lastError == nil)
        try await second.reload()

        #expect(second.phase == .loaded && second.lastError == nil)
        #expect(first.phase == .failed && first.lastError?.kind == .reload)
    }

    // Rule: screen/one-toggle-in-flight (29); screen/screens-share-a-product (49)
    @Test func `taps on two screens take turns`() async throws {
        let held = Held<Void>()
        var wishes: [Bool] = []
        let actions = ProductViewModel.Actions.only(toggleFavorite: { wanted in
            wishes.append(wanted)
            if wishes.count == 1 {
                try await held.suspend()
            }
            return .boots.with { $0.isFavorite = wanted }
        })
        let first = ProductViewModel(actions, store: store)
        let second = ProductViewModel(actions, store: store)
        let on = await started { try await first.toggleProductFavoriteStatus() }
        let off = await started { try await second.toggleProductFavoriteStatus() }
        #expect(wishes == [true] && !first.isFavorite)

        try held.fail()
        await #expect(throws: Offline()) { try await on.value }
        try await off.value

        #expect(wishes == [true] && !first.isFavorite && !second.isFavorite)
        #expect(first.lastError?.kind == .toggleFavorite && second.lastError == nil)
    }

    // Rule: screen/concurrent-additions-share-a-call (40); screen/screens-share-a-product (49)
    @Test func `one list from two screens at once is one call`() async throws {
        let held = Held<Void>()
        let first = ProductViewModel(
            .only(addToList: { _ in try await held.suspend() }
            ),
            store: store
        )
        let second = ProductViewModel(.only(otherwise: { Issue.record($0) }), store: store)
        let addition = await started { try await first.addProductToList(withID: "wishlist") }
        let other = await started { try await second.addProductToList(withID: "wishlist") }

        try held.resume()

        try await addition.value
        try await other.value
    }

    // Rule: screen/screens-share-a-product (49)
    @Test func `screens of other products or other stores have nothing in common`() async throws {
        let sandals = Product(id: "sandals", name: "Sandals")
        let viewModel = ProductViewModel(
            .only(reload: { .boots(named: "New", isFavorite: true) }),
            store: store
        )
        let other = ProductViewModel(.only(), product: sandals, store: store)
        let elsewhere = ProductViewModel(.only(), store: ProductStore())
        let alone = ProductViewModel(.only())

        try await viewModel.reload()

        #expect(other.product == sandals)
        #expect(elsewhere.product == .boots && alone.product == .boots)
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `what the store knows wins over what a new screen brings`() async throws {
        let known = Product.boots(named: "New", isFavorite: true)
        let first = ProductViewModel(.only(reload: { known }), store: store)
        try await first.reload()

        let second = ProductViewModel(.only(), store: store)

        #expect(second.product == known && first.product == known)
        #expect(second.phase == .idle)
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `the store keeps no product alive`() async throws {
        weak var closed: ProductViewModel?
        do {
            let viewModel = ProductViewModel(
                .only(reload: { .boots(named: "Known", isFavorite: true) }),
                store: store
            )
            try await viewModel.reload()
            closed = viewModel
        }
        #expect(closed == nil)

        let next = ProductViewModel(.only(), product: .boots(named: "Brought"), store: store)

        #expect(next.product == .boots(named: "Brought"))
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `of many products those on a screen are remembered`() {
        var open: [ProductViewModel] = []
        for number in 1...1_000 {
            let product = Product(id: "product-\(number)", name: "Known")
            let viewModel = ProductViewModel(.only(), product: product, store: store)
            if number.isMultiple(of: 10) { open.append(viewModel) }
        }

        for number in 1...1_000 {
            let product = Product(id: "product-\(number)", name: "Brought")
            let viewModel = ProductViewModel(.only(), product: product, store: store)
            #expect(viewModel.title == (number.isMultiple(of: 10) ? "Known" : "Brought"))
        }
        #expect(open.count == 100)
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `many products on screens at once are all remembered`() {
        let first = (1...1_000).map { number in
            let product = Product(id: "product-\(number)", name: "Known")
            return ProductViewModel(.only(), product: product, store: store)
        }

        let second = first.map { viewModel in
            let product = viewModel.product.with { $0.name = "Brought" }
            return ProductViewModel(.only(), product: product, store: store)
        }

        #expect(second.allSatisfy { $0.title == "Known" })
    }
}
