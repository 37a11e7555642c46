import Foundation
import ProductKit
import Testing

/// Reloads of a product screen: content, phase, order and failures.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ReloadTests {
    // Rule: screen/every-reload-loads (9); screen/loading-until-last-reload-ends (11)
    // Rule: screen/responses-in-order-are-applied (13)
    @Test func `every reload calls its action, and responses in request order are applied`()
        async throws
    {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        #expect(viewModel.phase == .idle)

        let first = await started { try await viewModel.reload() }
        #expect(held.count == 1 && viewModel.phase == .loading)
        let second = await started { try await viewModel.reload() }
        #expect(held.count == 2)

        try held.release(returning: .boots(named: "First", isFavorite: true))
        try await first.value
        #expect(viewModel.product == .boots(named: "First", isFavorite: true))
        #expect(viewModel.phase == .loading)
        try held.release(returning: .boots(named: "Second"))
        try await second.value

        #expect(viewModel.product == .boots(named: "Second") && viewModel.phase == .loaded)
        #expect(held.count == 0)
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
        let failed = ProductViewModel(actions, store: store)
        let other = ProductViewModel(actions, store: store)
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

    // Rule: screen/later-reload-wins (12); screen/superseded-failure-is-ignored (14)
    @Test(arguments: [true, false])
    func `the result of a reload never replaces the response to a later one`(
        succeeds: Bool
    ) async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let earlier = await started { try await viewModel.reload() }
        let later = await started { try await viewModel.reload() }

        try held.release(returning: .boots(named: "New", isFavorite: true), at: 1)
        try await later.value
        try held.release(returningOrFailing: succeeds ? .boots(named: "Old") : nil)
        try await earlier.value

        #expect(viewModel.title == "New" && viewModel.isFavorite)
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: screen/later-reload-wins (12); screen/failure-keeps-content (16)
    @Test func `the failure of the latest reload stays when earlier ones end`() async throws {
        let store = ProductStore()
        let held = ActionGate<Product>()
        let actions = ProductViewModel.Actions.only(reload: { try await held.hold() })
        let viewModel = ProductViewModel(actions, store: store)
        let other = ProductViewModel(actions, store: store)
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        let otherReload = await started { try await other.reload() }
        let latest = await started { try await viewModel.reload() }

        try held.release(throwing: Offline(), at: 3)
        _ = await latest.result
        try held.release(throwing: Offline(), at: 1)
        _ = await second.result
        try held.release(returning: .boots, at: 1)
        try await otherReload.value
        try held.release(returning: .boots)
        try await first.value

        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
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

    // Rule: screen/failure-keeps-content (16); screen/errors-can-be-dismissed (17)
    @Test func `a failure keeps the content and is thrown, stored and dismissed`() async throws {
        let unsupported = UnsupportedOperation("reload")
        let viewModel = ProductViewModel(.only(reload: { throw unsupported }))

        await #expect(throws: unsupported) { try await viewModel.reload() }
        #expect(viewModel.product == .boots && viewModel.phase == .failed)
        #expect(viewModel.lastError?.kind == .reload)
        #expect(viewModel.lastError?.underlying as? UnsupportedOperation == unsupported)
        #expect(viewModel.lastError?.localizedDescription == unsupported.localizedDescription)

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
        for kind in ProductViewModel.kinds {
            isOffline = true
            await #expect(throws: Offline()) { try await viewModel.perform(kind) }
            isOffline = false
            for other in ProductViewModel.kinds where other != kind {
                try await viewModel.perform(other)
                #expect(viewModel.lastError?.kind == kind)
            }
            try await viewModel.perform(kind)
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
}
