import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SharingTests {
    // Rule 29
    @Test func `one toggle is in flight across the screens of a product`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var wishes: [Bool] = []
        let store = ProductStore()
        let actions = ProductViewModel.Actions.only(toggleFavorite: { wanted in
            wishes.append(wanted)
            return try await withCheckedThrowingContinuation { held.append($0) }
        })
        let list = ProductViewModel(actions, store: store)
        let detail = ProductViewModel(actions, store: store)

        let first = await started { try await list.toggleProductFavoriteStatus() }
        #expect(detail.isFavorite)
        let second = await started { try await detail.toggleProductFavoriteStatus() }
        #expect(wishes == [true] && !list.isFavorite && !detail.isFavorite)

        try held.answer(.favoriteBoots)
        try await first.value
        #expect(wishes == [true, false] && !list.isFavorite)
        try held.answer(.boots)
        try await second.value
        #expect(!list.isFavorite && !detail.isFavorite)
    }

    // Rule 40
    @Test func `the same list from two screens is one call`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        var calls = 0
        let store = ProductStore()
        let actions = ProductViewModel.Actions.only(addToList: { _ in
            calls += 1
            if calls == 1 { try await withCheckedThrowingContinuation { held.append($0) } }
        })
        let list = ProductViewModel(actions, store: store)
        let detail = ProductViewModel(actions, store: store)

        let first = await started { try await list.addProductToList(withID: "wishlist") }
        let second = await started { try await detail.addProductToList(withID: "wishlist") }
        try held.answer(())
        try await first.value
        try await second.value

        #expect(calls == 1)
    }

    // Rule 49
    @Test func `screens of one product show the same, and keep their own phase`() async throws {
        let store = ProductStore()
        let list = ProductViewModel(
            .only(reload: { throw Offline() }, toggleFavorite: { _ in throw Offline() }),
            store: store
        )
        let detail = ProductViewModel(
            .only(reload: { .boots(named: "New", isFavorite: true) }),
            store: store
        )

        try await detail.reload()
        #expect(list.product == .boots(named: "New", isFavorite: true))
        #expect(list.phase == .idle && detail.phase == .loaded)

        await #expect(throws: Offline()) { try await list.reload() }
        #expect(list.phase == .failed && list.lastError?.kind == .reload)
        #expect(detail.phase == .loaded && detail.lastError == nil)
        await #expect(throws: Offline()) { try await list.toggleProductFavoriteStatus() }
        #expect(detail.isFavorite && detail.lastError == nil)
    }

    // Rules 4 and 49
    @Test func `a reload overtaken by another screen's answer has loaded`() async throws {
        var held: [CheckedContinuation<Product, any Error>] = []
        var isOffline = true
        let store = ProductStore()
        let list = ProductViewModel(
            .only(reload: {
                if isOffline { throw Offline() }
                return try await withCheckedThrowingContinuation { held.append($0) }
            }),
            store: store
        )
        let detail = ProductViewModel(.only(reload: { .boots(named: "New") }), store: store)
        await #expect(throws: Offline()) { try await list.reload() }
        isOffline = false

        for isFailure in [true, false] {
            let reload = await started { try await list.reload() }
            try await detail.reload()
            if isFailure { try held.fail() } else { try held.answer(.boots(named: "Old")) }
            try await reload.value
            #expect(list.title == "New" && list.phase == .loaded && list.lastError == nil)
        }
    }

    // Rules 20 and 49
    @Test func `a product found deleted by one screen is deleted for all`() async throws {
        let gone = ProductError.notFound("walking-boots")
        let store = ProductStore()
        let list = ProductViewModel(.only(), store: store)
        let detail = ProductViewModel(.only(addToList: { _ in throw gone }), store: store)

        await #expect(throws: gone) { try await detail.addProductToList(withID: "wishlist") }

        #expect(list.phase == .deleted && list.lastError == nil)
        await #expect(throws: gone) { try await list.toggleProductFavoriteStatus() }
    }

    @Test func `screens of different products, or without a store, share nothing`() async throws {
        let store = ProductStore()
        let sandals = Product(id: "sandals", name: "Sandals")
        let actions = ProductViewModel.Actions.only(toggleFavorite: { _ in .favoriteBoots })
        let screen = ProductViewModel(actions, store: store)
        let others = [
            ProductViewModel(actions, product: sandals, store: store), ProductViewModel(actions),
            ProductViewModel(actions, store: ProductStore()),
        ]

        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite)
        #expect(others.allSatisfy { !$0.isFavorite })
    }

    // Rule 50
    @Test func `what is known wins over the value that a new screen brings`() async throws {
        let store = ProductStore()
        let first = ProductViewModel(.only(), product: .boots(named: "Known"), store: store)

        let second = ProductViewModel(.only(), product: .favoriteBoots, store: store)

        #expect(first.title == "Known" && second.title == "Known" && !second.isFavorite)
    }

    // Rule 50
    @Test func `the store keeps no product alive`() async throws {
        let store = ProductStore()
        do {
            let closed = ProductViewModel(.only(), product: .boots(named: "Old"), store: store)
            #expect(closed.title == "Old")
        }

        let opened = ProductViewModel(.only(), product: .boots(named: "New"), store: store)

        #expect(opened.title == "New")
    }

    // Rule 50
    @Test func `forgetting many closed screens forgets no open one`() async throws {
        let store = ProductStore()
        var open: [ProductViewModel] = []
        for number in 0..<1_000 {
            let product = Product(id: Product.ID("\(number)"), name: "First")
            let screen = ProductViewModel(.only(), product: product, store: store)
            if number % 100 == 0 { open.append(screen) }
        }

        for screen in open {
            let product = screen.product.with { $0.name = "Second" }
            let again = ProductViewModel(.only(), product: product, store: store)
            #expect(again.title == "First")
        }
    }
}
