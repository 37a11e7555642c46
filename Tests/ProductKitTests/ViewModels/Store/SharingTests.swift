import ProductKit
import Testing

/// Screens that share their products in a store.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SharingTests {
    let store = ProductStore()

    // Rule: screen/screens-share-a-product (49)
    @Test func `screens of one product show the same content and status`() async throws {
        let new = Product.boots(named: "New")
        let first = ProductViewModel(.only(reload: { new }), store: store)
        let second = ProductViewModel(
            .only(toggleFavorite: { isFavorite in new.with { $0.isFavorite = isFavorite } }),
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
        let held = ActionGate<Product>()
        let first = ProductViewModel(.only(reload: { try await held.hold() }), store: store)
        let second = ProductViewModel(.only(reload: { .boots }), store: store)
        let reload = await started { try await first.reload() }
        #expect(first.phase == .loading && second.phase == .idle)

        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await reload.value }
        #expect(second.phase == .idle && second.lastError == nil)
        #expect(first.phase == .failed && first.lastError?.kind == .reload)
    }

    // Rule: screen/one-toggle-in-flight (29); screen/screens-share-a-product (49)
    @Test func `toggles on two screens are sent one at a time`() async throws {
        let server = EditServer()
        let first = ProductViewModel(server.actions(), store: store)
        let second = ProductViewModel(server.actions(), store: store)
        let toggle = await started { try await first.toggleProductFavoriteStatus() }
        let opposite = await started { try await second.toggleProductFavoriteStatus() }
        #expect(server.statuses == [true] && !first.isFavorite)

        try server.held.release(throwing: NetworkError(.unreachable))
        await #expect(throws: NetworkError.self) { try await toggle.value }
        try await opposite.value

        #expect(server.statuses == [true] && !first.isFavorite && !second.isFavorite)
        #expect(first.lastError?.kind == .toggleFavorite && second.lastError == nil)
    }

    // Rule: screen/concurrent-additions-share-a-call (40); screen/screens-share-a-product (49)
    @Test func `concurrent additions from two screens to one list share a call`() async throws {
        let held = ActionGate<Void>()
        let first = ProductViewModel(.only(addToList: { _ in try await held.hold() }), store: store)
        let second = ProductViewModel(.only(otherwise: { Issue.record($0) }), store: store)
        let addition = await started { try await first.addProductToList(withID: "wishlist") }
        let other = await started { try await second.addProductToList(withID: "wishlist") }

        try held.release()

        try await addition.value
        try await other.value
    }

    // Rule: screen/screens-share-a-product (49)
    @Test func `screens of other products or in other stores share nothing`() async throws {
        let sandals = Product(id: "sandals", name: "Sandals")
        let viewModel = ProductViewModel(
            .only(reload: { .boots(named: "New", isFavorite: true) }),
            store: store
        )
        let other = ProductViewModel(.only(), product: sandals, store: store)
        let inOtherStore = ProductViewModel(.only(), store: ProductStore())
        let withoutStore = ProductViewModel(.only())

        try await viewModel.reload()

        #expect(other.product == sandals)
        #expect(inOtherStore.product == .boots && withoutStore.product == .boots)
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `the value in the store wins over the initial value of a new screen`() async throws {
        let loaded = Product.boots(named: "New", isFavorite: true)
        let first = ProductViewModel(.only(reload: { loaded }), store: store)
        try await first.reload()

        let second = ProductViewModel(.only(), store: store)

        #expect(second.product == loaded && first.product == loaded)
        #expect(second.phase == .idle)
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `the store does not keep products alive`() async throws {
        weak var closed: ProductViewModel?
        do {
            let viewModel = ProductViewModel(
                .only(reload: { .boots(named: "Stored", isFavorite: true) }),
                store: store
            )
            try await viewModel.reload()
            closed = viewModel
        }
        #expect(closed == nil)

        let next = ProductViewModel(.only(), product: .boots(named: "Initial"), store: store)

        #expect(next.product == .boots(named: "Initial"))
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `among many products the store has those on a screen`() {
        var open: [ProductViewModel] = []
        for number in 1...1_000 {
            let product = Product(id: "product-\(number)", name: "Stored")
            let viewModel = ProductViewModel(.only(), product: product, store: store)
            if number.isMultiple(of: 10) { open.append(viewModel) }
        }

        for number in 1...1_000 {
            let product = Product(id: "product-\(number)", name: "Initial")
            let viewModel = ProductViewModel(.only(), product: product, store: store)
            #expect(viewModel.title == (number.isMultiple(of: 10) ? "Stored" : "Initial"))
        }
        #expect(open.count == 100)
    }
}
