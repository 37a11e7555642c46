import Foundation
import ProductKit
import Testing

/// The reset of a store when the user signs out.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SignOutTests {
    let store = ProductStore()

    // Rule: screen/reset-drops-responses (48)
    @Test(arguments: [true, false])
    func `a reset drops the result of a reload in flight`(succeeds: Bool) async throws {
        let product = HeldProduct(in: store)
        let viewModel = product.screen
        let reload = await started { try await viewModel.reload() }

        store.reset()
        if succeeds {
            let previous = Product.boots(named: "Previous User", isFavorite: true)
            try product.loads.release(returning: previous)
        } else {
            try product.loads.release(throwing: ProductError.notFound("walking-boots"))
        }

        await #expect(throws: CancellationError.self) { try await reload.value }
        #expect(viewModel.product == .boots)
        #expect(viewModel.lastError == nil && viewModel.phase == .idle)
    }

    // Rule: screen/reset-drops-responses (48); cache/screen-has-source (64)
    @Test func `the first value of the next user does not have the previous user's date`()
        async throws
    {
        let viewModel = ProductViewModel(.only(reload: { .boots }), store: store)
        try await viewModel.reload()
        #expect(viewModel.asOf != nil)

        store.reset()
        let next = ProductViewModel(.only(), product: .boots(named: "Next User"), store: store)

        #expect(next.title == "Next User" && next.asOf == nil)
    }

    // Rule: screen/reset-drops-responses (48); cache/screen-has-source (64)
    @Test func `after a reset a reload replaces the source of a stored value`() async throws {
        let previous = ProductViewModel(.only(reload: { .boots }), store: store)
        try await previous.reload()
        store.reset()
        let next = ProductViewModel(
            product: .boots,
            from: .cache(asOf: .distantPast),
            localUser: .shopper,
            actions: .only(reload: { .boots }),
            store: store
        )
        #expect(next.source == .cache(asOf: .distantPast) && previous.source == next.source)

        try await next.reload()

        #expect(next.source == .network && previous.source == .network)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test(arguments: [true, false])
    func `a reset ends the toggle in flight and all waiting ones`(succeeds: Bool) async throws {
        let product = HeldProduct(in: store)
        let viewModel = product.screen
        let toggles = await started(times: 3) { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.isFavorite)

        store.reset()

        #expect(!viewModel.isFavorite && product.toggles.count == 1)
        for waiting in toggles.dropFirst() {
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try product.toggles.release(returningOrFailing: succeeds ? .favoriteBoots : nil)
        await #expect(throws: CancellationError.self) { try await toggles[0].value }
        #expect(viewModel.product == .boots && viewModel.lastError == nil)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test(arguments: [true, false])
    func `a reset ends the addition in flight and all waiting ones`(succeeds: Bool) async throws {
        let server = EditServer()
        let viewModel = ProductViewModel(server.actions(), store: store)
        let additions = await started(times: 2) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        store.reset()

        await #expect(throws: CancellationError.self) { try await additions[1].value }
        try server.held.release(returningOrFailing: succeeds ? () : nil)
        await #expect(throws: CancellationError.self) { try await additions[0].value }
        #expect(server.additions.count == 1 && viewModel.lastError == nil)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `a waiter that has just got the lock makes no call after a reset`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var calls = 0
        let viewModel = ProductViewModel(
            .only(addToList: { _ in
                calls += 1
                guard calls == 1 else { return }
                try await held.hold()
                // Runs after the first call has released the lock, before the second one continues.
                Task { store.reset() }
                throw Offline()
            }),
            store: store
        )
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        let second = await started { try await viewModel.addProductToList(withID: "wishlist") }

        try held.release()

        await #expect(throws: Offline()) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(calls == 1)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `edits after a reset do not wait for earlier ones`() async throws {
        let product = HeldProduct(in: store)
        let viewModel = product.screen
        let earlier = await started { try await viewModel.toggleProductFavoriteStatus() }
        store.reset()

        let toggle = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.isFavorite && product.toggles.count == 2)
        try product.toggles.release(returning: .favoriteBoots, at: 1)
        try await toggle.value

        try product.toggles.release(returning: .boots(named: "Previous User"))
        await #expect(throws: CancellationError.self) { try await earlier.value }
        #expect(viewModel.product == .favoriteBoots)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `an addition after a reset does not share an earlier call`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ProductViewModel(
            .only(addToList: { _ in try await held.hold() }),
            store: store
        )
        let earlier = await started { try await viewModel.addProductToList(withID: "wishlist") }
        store.reset()
        let first = await started { try await viewModel.addProductToList(withID: "wishlist") }
        #expect(held.count == 2)

        try held.release()
        await #expect(throws: CancellationError.self) { try await earlier.value }
        try held.release()
        try await first.value
        #expect(held.count == 0)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `after a reset the first new screen determines the product`() async throws {
        let favorite = Product.boots(named: "Previous User", isFavorite: true)
        let open = ProductViewModel(.only(), product: favorite, store: store)

        store.reset()
        let next = ProductViewModel(.only(), product: .boots(named: "Next User"), store: store)
        #expect(next.product == .boots(named: "Next User") && open.product == next.product)
        let later = ProductViewModel(.only(), product: favorite, store: store)

        #expect(later.product == .boots(named: "Next User") && open.product == later.product)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `a deleted product is not deleted after a reset`() async throws {
        let notFound = ProductError.notFound("walking-boots")
        let actions = ProductViewModel.Actions.only(
            reload: { throw notFound },
            toggleFavorite: { _ in .favoriteBoots }
        )
        let open = ProductViewModel(actions, store: store)
        await #expect(throws: notFound) { try await open.reload() }
        #expect(open.phase == .deleted)

        store.reset()
        let next = ProductViewModel(actions, store: store)
        #expect(next.phase == .idle)
        try await next.toggleProductFavoriteStatus()

        #expect(next.isFavorite && open.phase != .deleted)
    }

    // Rule: screen/reset-drops-responses (48); screen/not-found-means-deleted (20)
    @Test func `a product that is deleted after a reset keeps its content`() async throws {
        let notFound = ProductError.notFound("walking-boots")
        let open = ProductViewModel(.only(reload: { throw notFound }), store: store)
        store.reset()
        await #expect(throws: notFound) { try await open.reload() }

        let later = ProductViewModel(.only(), product: .boots(named: "Later"), store: store)

        #expect(later.title == "Walking Boots" && later.phase == .deleted)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `the end of an earlier edit starts no edit that waits after a reset`() async throws {
        let product = HeldProduct(in: store)
        let viewModel = product.screen
        let earlier = await started { try await viewModel.toggleProductFavoriteStatus() }
        store.reset()
        let first = await started { try await viewModel.toggleProductFavoriteStatus() }
        try product.toggles.release(returning: .favoriteBoots)
        await #expect(throws: CancellationError.self) { try await earlier.value }

        let waiting = await started { try await viewModel.toggleProductFavoriteStatus() }
        #expect(product.toggles.count == 1)
        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.promptValue }
        try product.toggles.release(returning: .favoriteBoots)
        try await first.value
        #expect(viewModel.isFavorite)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `signing out of a service ends the edits and reloads of its screens`() async throws {
        let (gate, calls) = (ActionGate<Void>(ignoresCancellation: true), Counter())
        let service = ProductService(
            loader: ProductLoader(
                load: { _ in
                    try await gate.hold()
                    return .boots(named: "Previous User")
                },
                setFavorite: { _, isFavorite in
                    calls.next()
                    try await gate.hold()
                    return .boots.with { $0.isFavorite = isFavorite }
                }
            ),
            listManager: .only(),
            localUser: .shopper
        )
        let viewModel = service.viewModel(for: .boots)
        let tasks = [
            await started { try await viewModel.reload() },
            await started { try await viewModel.toggleProductFavoriteStatus() },
            await started { try await viewModel.toggleProductFavoriteStatus() },
        ]
        await gate.waitForCalls(2)

        await service.signOut()
        gate.open()

        for task in tasks {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(viewModel.product == .boots && viewModel.lastError == nil && calls.count == 1)
    }
}
