import ProductKit
import Testing

/// The deallocation of view models without actions in flight.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductLifetimeTests {
    let store = ProductStore()

    // Rule: screen/idle-screen-is-released (8)
    @Test(arguments: [true, false])
    func `an idle view model is deallocated, also with stored failures`(
        isOffline: Bool
    ) async throws {
        weak var closed: ProductViewModel?
        do {
            let viewModel = ProductViewModel(
                .only(
                    reload: { if isOffline { throw Offline() } else { .boots } },
                    toggleFavorite: { _ in if isOffline { throw Offline() } else { nil } },
                    addToList: { _ in if isOffline { throw Offline() } }
                ),
                store: store
            )
            closed = viewModel
            for kind in ProductViewModel.kinds { try? await viewModel.perform(kind) }
            #expect((closed?.lastError != nil) == isOffline)
        }

        #expect(closed == nil)
    }

    // Rule: screen/idle-screen-is-released (8)
    @Test func `a view model is deallocated after a waiting toggle is cancelled`() async throws {
        let inFlight = HeldProduct(in: store)
        weak var closed: ProductViewModel?
        let first = await started { try await inFlight.screen.toggleProductFavoriteStatus() }
        do {
            let viewModel = ProductViewModel(.only(), store: store)
            closed = viewModel
            let second = await started { try await viewModel.toggleProductFavoriteStatus() }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            #expect(closed != nil)
        }

        #expect(closed == nil)
        try inFlight.toggles.release(returning: .favoriteBoots)
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
