import Foundation
import Observation
import ProductKit
import Testing

/// The changes that observers of a product screen are notified of.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductObservationTests {
    // Rule: screen/content-and-status-observed-apart (51)
    @Test func `a new favorite status does not notify observers of the content`() async throws {
        let viewModel = ProductViewModel(.only(toggleFavorite: { _ in .favoriteBoots }))
        let content = [
            Watcher { viewModel.title }, Watcher { viewModel.detailText },
            Watcher { viewModel.price }, Watcher { viewModel.images },
        ]
        let status = Watcher { viewModel.isFavorite }

        try await viewModel.toggleProductFavoriteStatus()

        #expect(content.allSatisfy { $0.changes == 0 } && status.changes == 1)
    }

    // Rule: screen/content-and-status-observed-apart (51)
    @Test func `new content does not notify observers of the favorite status`() async throws {
        let viewModel = ProductViewModel(.only(reload: { .boots(named: "New") }))
        let title = Watcher { viewModel.title }
        let status = Watcher { viewModel.isFavorite }
        let product = Watcher { viewModel.product }

        try await viewModel.reload()

        #expect(title.changes == 1 && product.changes == 1 && status.changes == 0)
    }

    // Rule: screen/equal-response-notifies-no-observer (52)
    @Test func `a response that equals the value shown notifies no observer`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { .favoriteBoots }, toggleFavorite: { _ in .boots }, addToList: { _ in }),
            product: .favoriteBoots
        )
        let product = Watcher { viewModel.product }
        let error = Watcher { viewModel.lastError?.kind }
        let phase = Watcher { viewModel.phase }

        try await viewModel.reload()
        try await viewModel.reload()
        #expect(product.changes == 0 && error.changes == 0)

        let changes = phase.changes
        try await viewModel.toggleProductFavoriteStatus()
        try await viewModel.addProductToList(withID: "wishlist")
        #expect(product.changes == 1 && error.changes == 0 && phase.changes == changes)
    }

    // Rule: screen/equal-response-notifies-no-observer (52)
    @Test func `an equal response to one of two reloads notifies no observer`() async throws {
        let held = ActionGate<Product>()
        let viewModel = ProductViewModel(.only(reload: { try await held.hold() }))
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        let screen = Watcher { (viewModel.product, viewModel.phase, viewModel.lastError) }

        try held.release(returning: .boots)
        try await first.value
        #expect(screen.changes == 0)

        try held.release(returning: .boots)
        try await second.value
        #expect(screen.changes == 1)
    }

    // Rule: screen/date-and-source-are-observed (56)
    @Test func `an equal response notifies observers of its date and no others`() async throws {
        let clock = ManualClock(skipsDelays: true)
        let start = clock.date
        let viewModel = ProductViewModel(
            .only(reload: { .boots }),
            store: ProductStore(effects: clock.effects())
        )
        let asOf = Watcher { viewModel.asOf }
        let rest = Watcher { (viewModel.product, viewModel.isFavorite, viewModel.source) }

        try await viewModel.reload()
        #expect(viewModel.asOf == start && asOf.changes == 1)
        clock.advance(by: .seconds(60))
        try await viewModel.reload()

        #expect(viewModel.asOf == start + 60 && asOf.changes == 2 && rest.changes == 0)
    }

    // Rule: screen/date-and-source-are-observed (56)
    @Test func `a response of the server notifies observers of a cached product's source`()
        async throws
    {
        let clock = ManualClock(skipsDelays: true)
        let viewModel = ProductViewModel(
            product: .boots,
            from: .cache(asOf: .distantPast),
            localUser: .shopper,
            actions: .only(reload: { .boots }),
            store: ProductStore(effects: clock.effects())
        )
        let source = Watcher { viewModel.source }
        let asOf = Watcher { viewModel.asOf }
        let product = Watcher { viewModel.product }

        try await viewModel.reload()

        #expect(viewModel.source == .network && viewModel.asOf == clock.date)
        #expect(source.changes == 1 && asOf.changes == 1 && product.changes == 0)
    }

    // Rule: screen/phase-does-not-notify-content (53)
    @Test func `loading and failing do not notify observers of the product`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { throw Offline() }, addToList: { _ in throw Offline() })
        )
        let product = Watcher { (viewModel.title, viewModel.price, viewModel.isFavorite) }
        let phase = Watcher { viewModel.phase }
        let error = Watcher { viewModel.lastError?.kind }

        await #expect(throws: Offline()) { try await viewModel.reload() }
        await #expect(throws: Offline()) {
            try await viewModel.addProductToList(withID: "wishlist")
        }

        #expect(product.changes == 0)
        #expect(phase.changes > 0 && error.changes == 2)
    }

    // Rule: screen/toggle-notifies-once (54)
    @Test(arguments: [true, false])
    func `a toggle notifies observers of the favorite status once, and again if it fails`(
        succeeds: Bool
    ) async throws {
        let store = ProductStore()
        let product = HeldProduct(in: store)
        let other = ProductViewModel(.only(), store: store)
        let statuses = [Watcher { product.screen.isFavorite }, Watcher { other.isFavorite }]

        let toggle = await started { try await product.screen.toggleProductFavoriteStatus() }
        #expect(statuses.map(\.changes) == [1, 1])
        try product.toggles.release(returningOrFailing: succeeds ? .favoriteBoots : nil)
        _ = await toggle.result

        #expect(statuses.map(\.changes) == (succeeds ? [1, 1] : [2, 2]))
    }

    // Rule: screen/observations-of-title (55)
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `observations of the title emit the first value and each change`() async throws {
        var names = ["New", "Newer"]
        let viewModel = ProductViewModel(.only(reload: { .boots(named: names.removeFirst()) }))
        var titles = Observations { viewModel.title }.makeAsyncIterator()
        #expect(await titles.next() == "Walking Boots")

        try await viewModel.reload()
        #expect(await titles.next() == "New")
        try await viewModel.reload()
        #expect(await titles.next() == "Newer")
    }
}
