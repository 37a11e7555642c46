import Foundation
import ProductKit
import Testing

/// Reloads of a product screen: content, phase, order and failures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ReloadTests {
    // Rule: screen/every-reload-loads (9)
    @Test func `every reload calls its action once`() async throws {
        let held = ActionGate<Product>()
        var calls = 0
        let viewModel = ProductViewModel(
            .only(reload: {
                calls += 1
                return try await held.hold()
            })
        )

        let first = await started { try await viewModel.reload() }
        #expect(calls == 1)
        let second = await started { try await viewModel.reload() }
        #expect(calls == 2)

        try held.release(returning: .boots)
        try held.release(returning: .boots)
        try await first.value
        try await second.value
        #expect(calls == 2)
    }

    // Rule: screen/reload-replaces-content (10)
    @Test func `the response replaces title, text and price`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: {
                .boots.with {
                    $0.name = "Hiking Boots"
                    $0.description = nil
                    $0.prices = [Price(minorUnits: 9_900, currency: "EUR")]
                    $0.isFavorite = true
                }
            })
        )
        #expect(viewModel.phase == .idle)

        try await viewModel.reload()

        #expect(viewModel.title == "Hiking Boots")
        #expect(viewModel.detailText == "")
        #expect(viewModel.price == Price(minorUnits: 9_900, currency: "EUR"))
        #expect(viewModel.isFavorite && viewModel.product.isFavorite)
        #expect(viewModel.phase == .loaded)
    }

    // Rule: screen/loading-until-last-reload-ends (11)
    @Test func `the screen is loading until the last reload in flight has ended`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        #expect(viewModel.phase == .idle)

        let first = await started { try await viewModel.reload() }
        #expect(viewModel.phase == .loading)
        let second = await started { try await viewModel.reload() }
        try held.release(returning: .boots)
        try await first.value
        #expect(viewModel.phase == .loading)

        try held.release(returning: .boots)
        try await second.value
        #expect(viewModel.phase == .loaded)
    }

    // Rule: screen/newer-product-ends-failure (69)
    @Test func `a toggle that loads the product ends the failure of a reload`() async throws {
        let viewModel = ProductViewModel(
            .only(
                reload: { throw Offline() },
                toggleFavorite: { _ in .boots(named: "New", isFavorite: true) }
            )
        )
        await #expect(throws: Offline()) { try await viewModel.reload() }
        let (phase, error) = (Watcher { viewModel.phase }, Watcher { viewModel.lastError == nil })

        try await viewModel.toggleProductFavoriteStatus()

        #expect(viewModel.title == "New" && viewModel.phase == .loaded)
        #expect(viewModel.lastError == nil && phase.changes == 1 && error.changes == 1)
    }

    // Rule: screen/newer-product-ends-failure (69)
    @Test func `the reload of another screen ends a failure, and a later failure is shown`()
        async throws
    {
        let store = ProductStore()
        var isOffline = true
        let actions = ProductViewModel.Actions.only(reload: {
            if isOffline { throw Offline() }
            return .boots
        })
        let (failed, other) = (
            ProductViewModel(actions, store: store), ProductViewModel(actions, store: store)
        )
        await #expect(throws: Offline()) { try await failed.reload() }
        isOffline = false
        try await other.reload()
        #expect(failed.phase == .loaded && failed.lastError == nil)
        isOffline = true

        await #expect(throws: Offline()) { try await failed.reload() }

        #expect(failed.phase == .failed && failed.lastError?.kind == .reload)
        #expect(other.phase == .loaded && other.lastError == nil)
    }

    // Rule: screen/newer-product-ends-failure (69)
    @Test
    func `a summary does not end the failure of a reload, and neither does a toggle’s failure`()
        async throws
    {
        var summary: Product? = Product.boots.summary(of: [.prices, .isFavorite])
        let viewModel = ProductViewModel(
            .only(
                reload: { throw Offline() },
                toggleFavorite: { _ in
                    defer { summary = nil }
                    guard let summary else { throw Offline() }
                    return summary
                }
            )
        )
        await #expect(throws: Offline()) { try await viewModel.reload() }

        try await viewModel.toggleProductFavoriteStatus()
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
        await #expect(throws: Offline()) { try await viewModel.toggleProductFavoriteStatus() }

        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .toggleFavorite)
    }

    // Rule: screen/later-reload-wins (12)
    @Test func `a response never replaces the response to a later reload`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try held.release(returning: .boots(named: "New", isFavorite: true), at: 1)
        try await later.value
        try held.release(returning: .boots(named: "Old", isFavorite: false))
        try await earlier.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: screen/responses-in-order-are-applied (13)
    @Test func `responses that arrive in request order are all applied`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        var reloads: [Task<Void, any Error>] = []
        for _ in 1...3 { reloads.append(await started { try await viewModel.reload() }) }

        for (number, reload) in reloads.enumerated() {
            try held.release(returning: .boots(named: "Boots \(number)", isFavorite: number != 1))
            try await reload.value
            #expect(viewModel.title == "Boots \(number)")
            #expect(viewModel.isFavorite == (number != 1))
        }
    }

    // Rule: screen/superseded-failure-is-ignored (14)
    @Test func `the failure of a superseded reload is not an error`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try held.release(returning: .boots(named: "New"), at: 1)
        try await later.value
        try held.release(throwing: Offline())
        try await earlier.value

        #expect(viewModel.lastError == nil)
        #expect(viewModel.phase == .loaded && viewModel.title == "New")
    }

    // Rule: screen/superseded-failure-is-ignored (14)
    @Test func `the failure of a superseded reload keeps a later failure`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        let third = await started { try await viewModel.reload() }

        try held.release(returning: .boots(named: "Second"), at: 1)
        try await second.value
        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await third.value }
        try held.release(throwing: ProductError.notFound("other"))
        try await first.value

        #expect(viewModel.phase == .failed && viewModel.title == "Second")
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
    }

    // Rule: screen/earlier-success-clears-failure (15)
    @Test func `the success of an earlier reload clears a later failure`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await later.value }
        #expect(viewModel.lastError != nil && viewModel.phase == .loading)
        try held.release(returning: .boots(named: "Old"))
        try await earlier.value

        #expect(viewModel.title == "Old")
        #expect(viewModel.lastError == nil && viewModel.phase == .loaded)
    }

    // Rule: screen/failure-keeps-content (16)
    @Test func `a failure keeps the content and is thrown unchanged and stored`() async throws {
        let viewModel = ProductViewModel(.only(reload: { throw Offline() }))

        await #expect(throws: Offline()) { try await viewModel.reload() }

        #expect(viewModel.product == .boots)
        #expect(viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == .reload)
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
    }

    // Rule: screen/errors-can-be-dismissed (17)
    @Test func `dismissing the error does not change the phase`() async {
        let viewModel = ProductViewModel(.only(reload: { throw Offline() }))
        await #expect(throws: Offline()) { try await viewModel.reload() }

        viewModel.lastError = nil

        #expect(viewModel.phase == .failed)
    }

    // Rule: screen/success-clears-its-own-error (18)
    @Test func `a success clears only the failure of its own kind`() async throws {
        var isOffline = true
        let viewModel = ProductViewModel(
            .only(
                reload: { if isOffline { throw Offline() } else { .boots } },
                toggleFavorite: { _ in if isOffline { throw Offline() } else { nil } },
                addToList: { _ in if isOffline { throw Offline() } }
            )
        )
        let calls: [(ViewModelFailure.Kind, @MainActor () async throws -> Void)] = [
            (.reload, { try await viewModel.reload() }),
            (.toggleFavorite, { try await viewModel.toggleProductFavoriteStatus() }),
            (.addToList, { try await viewModel.addProductToList(withID: "wishlist") }),
        ]

        for (kind, call) in calls {
            isOffline = true
            await #expect(throws: Offline()) { try await call() }
            isOffline = false
            for (other, call) in calls where other != kind {
                try await call()
                #expect(viewModel.lastError?.kind == kind)
            }
            try await call()
            #expect(viewModel.lastError == nil)
        }
    }

    // Rule: screen/wrong-product-is-rejected (19)
    @Test func `a response with another product throws and changes nothing`() async throws {
        let sandals = Product(id: "sandals", name: "Sandals", isFavorite: true)
        let viewModel = ProductViewModel(
            .only(reload: { sandals }, toggleFavorite: { _ in sandals })
        )
        let wrongProduct = ProductError.wrongProduct(expected: "walking-boots", received: "sandals")

        await #expect(throws: wrongProduct) { try await viewModel.reload() }
        #expect(viewModel.product == .boots && viewModel.phase == .failed)
        await #expect(throws: wrongProduct) { try await viewModel.toggleProductFavoriteStatus() }
        #expect(viewModel.product == .boots && viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == .toggleFavorite)
    }

    @Test func `the description of a failure is that of its underlying error`() async {
        let notFound = ProductError.notFound("walking-boots")
        let viewModel = ProductViewModel(.only(reload: { throw notFound }))

        await #expect(throws: notFound) { try await viewModel.reload() }

        #expect(viewModel.lastError?.localizedDescription == notFound.localizedDescription)
    }
}
