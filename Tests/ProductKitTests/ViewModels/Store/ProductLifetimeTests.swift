import ProductKit
import Testing

/// The deallocation of view models without actions in flight.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductLifetimeTests {
    let store = ProductStore()

    // Rule: screen/idle-screen-is-released (8)
    @Test func `an idle view model is deallocated`() async throws {
        weak var closed: ProductViewModel?
        do {
            let viewModel = ProductViewModel(
                .only(
                    reload: { .boots },
                    toggleFavorite: { _ in .favoriteBoots },
                    addToList: { _ in }
                ),
                store: store
            )
            closed = viewModel
            try await viewModel.reload()
            try await viewModel.toggleProductFavoriteStatus()
            try await viewModel.addProductToList(withID: "wishlist")
            #expect(closed != nil)
        }

        #expect(closed == nil)
    }

    // Rule: screen/idle-screen-is-released (8)
    @Test func `a view model with stored failures is deallocated`() async throws {
        weak var closed: ProductViewModel?
        do {
            let viewModel = ProductViewModel(
                .only(
                    reload: { throw Offline() },
                    toggleFavorite: { _ in throw Offline() },
                    addToList: { _ in throw Offline() }
                ),
                store: store
            )
            closed = viewModel
            await #expect(throws: Offline()) { try await viewModel.reload() }
            await #expect(throws: Offline()) { try await viewModel.toggleProductFavoriteStatus() }
            await #expect(throws: Offline()) {
                try await viewModel.addProductToList(withID: "wishlist")
            }
            #expect(closed?.lastError != nil)
        }

        #expect(closed == nil)
    }

    // Rule: screen/idle-screen-is-released (8)
    @Test func `a view model is deallocated after a waiting toggle is cancelled`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        weak var closed: ProductViewModel?
        let inFlight = ProductViewModel(
            .only(toggleFavorite: { _ in try await held.hold() }),
            store: store
        )
        let first = await started { try await inFlight.toggleProductFavoriteStatus() }
        do {
            let viewModel = ProductViewModel(.only(), store: store)
            closed = viewModel
            let second = await started { try await viewModel.toggleProductFavoriteStatus() }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            #expect(closed != nil)
        }

        #expect(closed == nil)
        try held.release(returning: .favoriteBoots)
        try await first.value
    }

    // Rule: screen/idle-screen-is-released (8)
    @Test func `a view model is deallocated after a reset`() async throws {
        let held = ActionGate<Product>(ignoresCancellation: true)
        weak var closed: ProductViewModel?
        do {
            let viewModel = ProductViewModel(
                .only(toggleFavorite: { _ in try await held.hold() }),
                store: store
            )
            closed = viewModel
            let first = await started { try await viewModel.toggleProductFavoriteStatus() }
            let second = await started { try await viewModel.toggleProductFavoriteStatus() }
            store.reset()
            await #expect(throws: CancellationError.self) { try await second.value }
            try held.release(returning: .favoriteBoots)
            await #expect(throws: CancellationError.self) { try await first.value }
            #expect(closed != nil)
        }

        #expect(closed == nil)
    }

    @Test(.tags(.timing), .timed) func `the time to open screens is proportional to their number`()
    {
        let growth = growth { (products: [Product]) in
            let store = ProductStore()
            let screens = products.map { ProductViewModel(.only(), product: $0, store: store) }
            withExtendedLifetime(screens) {}
        } for: { length in
            (0..<length).map { Product(id: "\($0)", name: "Product") }
        }

        #expect(growth < 200)
    }
}
