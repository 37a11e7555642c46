import Foundation
import ProductKit
import Testing

/// Reloads and toggles that overlap.
///
/// The cited rules are those of the favorite status, applied to the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipOrderTests {
    // Rule: screen/later-reload-wins (12); screen/failure-keeps-content (16)
    // Rule: screen/superseded-failure-is-ignored (14); screen/earlier-success-clears-failure (15)
    @Test(arguments: [true, false])
    func `an earlier reload changes neither the lists nor the failure of later ones`(
        succeeds: Bool
    ) async throws {
        let held = ActionGate<Page<ProductList>>()
        let viewModel = ListMembershipViewModel(.only(loadLists: { try await held.hold() }))
        let reloads = await started(times: 3) { try await viewModel.reload() }

        try held.release(returning: Page([.wishlist(holdingBoots: true)]), at: 1)
        try await reloads[1].value
        #expect(viewModel.phase == .loading && viewModel.lastError == nil)
        try held.release(throwing: NetworkError(.timedOut), at: 1)
        await #expect(throws: NetworkError.self) { try await reloads[2].value }
        try held.release(returningOrFailing: succeeds ? Page([.wishlist, .summer]) : nil)
        try await reloads[0].value

        #expect(viewModel.rows.map(\.id) == ["wishlist"] && viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .failed && viewModel.lastError?.underlying is NetworkError)
    }

    // Rule: screen/earlier-success-clears-failure (15)
    @Test func `the success of an earlier reload clears the failure of a later one`() async throws {
        let held = ActionGate<Page<ProductList>>()
        let viewModel = ListMembershipViewModel(.only(loadLists: { try await held.hold() }))
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }

        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try held.release(returning: Page([.summer]))
        try await first.value

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: screen/reload-keeps-pending-edit (34); screen/reload-resolves-unknown-outcome (37)
    @Test(arguments: [true, false])
    func `a pending toggle stays visible when lists arrive, which resolve its unknown outcome`(
        holdsBoots: Bool
    ) async throws {
        let held = ActionGate<Void>()
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.summer, .wishlist(holdingBoots: holdsBoots)]) },
                addToList: { _ in try await held.hold() }
            )
        )
        let toggle = await started { try await viewModel.toggle("wishlist") }

        try await viewModel.reload()
        #expect(viewModel.holding == ["Wishlist"])
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"])
        #expect(viewModel.holding == (holdsBoots ? ["Wishlist"] : []))
    }

    // Rule: screen/earlier-reload-keeps-status (35)
    @Test func `a reload requested before a toggle was confirmed cannot undo it`() async throws {
        let held = ActionGate<Page<ProductList>>()
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await held.hold() }, addToList: { _ in })
        )
        let reload = await started { try await viewModel.reload() }

        try await viewModel.toggle("wishlist")
        try held.release(returning: Page([.wishlist]))
        try await reload.value

        #expect(viewModel.holding == ["Wishlist"])
    }

    /// What makes the outcome of a toggle unknown; a response that arrives before does not resolve it.
    enum Interruption: CaseIterable { case failure, failureAfterReload, cancellation }

    // Rule: screen/opposite-edit-after-failure (31); screen/status-is-always-consistent (38)
    @Test(arguments: Interruption.allCases)
    func `after a toggle with an unknown outcome the opposite toggle is sent`(
        interruption: Interruption
    ) async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        var removals = 0
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.wishlist]) },
                addToList: { _ in try await held.hold() },
                removeFromList: { _ in removals += 1 }
            )
        )
        let add = await started { try await viewModel.toggle("wishlist") }
        let remove = await started { try await viewModel.toggle("wishlist") }

        switch interruption {
        case .failure: break
        case .failureAfterReload: try await viewModel.reload()
        case .cancellation: add.cancel()
        }
        try held.release(throwing: NetworkError(.timedOut))
        let error = await #expect(throws: (any Error).self) { try await add.value }
        #expect(error is CancellationError == (interruption == .cancellation))
        try await remove.value

        #expect(removals == 1 && viewModel.holding.isEmpty)
    }

    @Test func `a list that was found to be deleted is not restored by an earlier reload`()
        async throws
    {
        let held = ActionGate<Page<ProductList>>()
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await held.hold() },
                addToList: { throw ListError.notFound($0) }
            )
        )
        let before = await started { try await viewModel.reload() }
        await #expect(throws: ListError.notFound("summer")) { try await viewModel.toggle("summer") }
        #expect(viewModel.rows.map(\.id) == ["wishlist"])
        #expect(viewModel.lastError?.underlying as? ListError == .notFound("summer"))
        let after = await started { try await viewModel.reload() }

        try held.release(returning: Page([.wishlist, .summer]))
        try await before.value
        #expect(viewModel.rows.map(\.id) == ["wishlist"])
        try held.release(returning: Page([.wishlist, .summer]))
        try await after.value

        #expect(viewModel.rows.map(\.id) == ["wishlist", "summer"])
    }

    // Rule: cache/unconfirmed-value-only-opens (63)
    @Test func `stored lists do not undo a confirmed toggle`() async throws {
        var page = Page([ProductList.wishlist])
        page.source = .staleIfError(asOf: .distantPast, failure: Offline())
        let viewModel = ListMembershipViewModel(.only(loadLists: { page }, addToList: { _ in }))

        try await viewModel.toggle("wishlist")
        try await viewModel.reload()

        #expect(viewModel.holding == ["Wishlist"] && viewModel.source == page.source)
    }
}
