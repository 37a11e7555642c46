import Foundation
import ProductKit
import Testing

/// Reloads and toggles that overlap.
///
/// The cited rules are those of the favorite status, applied to the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipOrderTests {
    // Rule: screen/later-reload-wins (12)
    @Test func `a response never replaces the response to a later reload`() async throws {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await held.hold() })
        )
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        #expect(viewModel.phase == .loading)

        try held.release(returning: Page([.wishlist(holdingBoots: true)]), at: 1)
        try await second.value
        #expect(viewModel.phase == .loading)
        try held.release(returning: Page([.wishlist, .summer]))
        try await first.value

        #expect(viewModel.rows.map(\.id) == ["wishlist"] && viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .loaded)
    }

    // Rule: screen/superseded-failure-is-ignored (14); screen/failure-keeps-content (16)
    @Test func `a failed reload keeps the lists, and is ignored after the success of a later one`()
        async throws
    {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await held.hold() })
        )
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        let third = await started { try await viewModel.reload() }

        try held.release(returning: Page([.summer]), at: 1)
        try await second.value
        try held.release(throwing: Offline())
        try await first.value
        #expect(viewModel.lastError == nil)
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await third.value }

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
    }

    // Rule: screen/earlier-success-clears-failure (15)
    @Test func `the success of an earlier reload clears the failure of a later one`() async throws {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await held.hold() })
        )
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }

        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try held.release(returning: Page([.summer]))
        try await first.value

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule: screen/earlier-success-clears-failure (15)
    @Test func `a superseded response does not clear the failure of a later reload`() async throws {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await held.hold() })
        )
        var reloads: [Task<Void, any Error>] = []
        for _ in 0..<3 { reloads.append(await started { try await viewModel.reload() }) }

        try held.release(returning: Page([.summer]), at: 1)
        try await reloads[1].value
        try held.release(throwing: Offline(), at: 1)
        await #expect(throws: Offline()) { try await reloads[2].value }
        try held.release(returning: Page([.wishlist]))
        try await reloads[0].value

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
    }

    // Rule: screen/reload-keeps-pending-edit (34)
    @Test func `a pending toggle stays visible when the lists arrive`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.summer, .wishlist]) },
                addToList: { _ in try await held.hold() }
            )
        )
        let toggle = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }

        try await viewModel.reload()
        #expect(viewModel.holding == ["Wishlist"])
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"] && viewModel.holding.isEmpty)
    }

    // Rule: screen/earlier-reload-keeps-status (35)
    @Test func `a reload requested before a toggle was confirmed cannot undo it`() async throws {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await held.hold() },
                addToList: { _ in }
            )
        )
        let reload = await started { try await viewModel.reload() }

        try await viewModel.toggleMembership(inListWithID: "wishlist")
        try held.release(returning: Page([.wishlist]))
        try await reload.value

        #expect(viewModel.holding == ["Wishlist"])
    }

    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test func `a toggle whose response is lost is confirmed by a reload with its value`()
        async throws
    {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.wishlist(holdingBoots: true)]) },
                addToList: { _ in try await held.hold() }
            )
        )
        let toggle = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }

        try await viewModel.reload()
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await toggle.value }

        #expect(viewModel.holding == ["Wishlist"])
    }

    // Rule: screen/opposite-edit-after-failure (31); screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `after a toggle with an unknown outcome the opposite toggle is sent`(
        isReloaded: Bool
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
        let add = await started { try await viewModel.toggleMembership(inListWithID: "wishlist") }
        let remove = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }
        // A response that arrives before the failure does not resolve the outcome.
        if isReloaded { try await viewModel.reload() }

        try held.release(throwing: NetworkError(.timedOut))
        await #expect(throws: NetworkError.self) { try await add.value }
        try await remove.value

        #expect(removals == 1 && viewModel.holding.isEmpty)
    }

    // Rule: screen/status-is-always-consistent (38); screen/cancel-rolls-back (47)
    @Test func `after a cancelled toggle the opposite toggle is sent`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        var removals = 0
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.wishlist]) },
                addToList: { _ in
                    // Suspends until the task is cancelled.
                    for await _ in stream {}
                    throw Offline()
                },
                removeFromList: { _ in removals += 1 }
            )
        )
        try await viewModel.reload()
        let add = await started { try await viewModel.toggleMembership(inListWithID: "wishlist") }
        let remove = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }

        add.cancel()

        await #expect(throws: CancellationError.self) { try await add.value }
        try await remove.value
        #expect(removals == 1 && viewModel.holding.isEmpty)
    }

    @Test func `a reload requested before a list was found to be deleted does not restore it`()
        async throws
    {
        let held = ActionGate<Page<ProductList>>(ignoresCancellation: true)
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await held.hold() },
                addToList: { throw ListError.notFound($0) }
            )
        )
        let before = await started { try await viewModel.reload() }
        await #expect(throws: ListError.notFound("summer")) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }
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
        let noon = Date(timeIntervalSince1970: 43_200)
        var page = Page([ProductList.wishlist])
        page.source = .staleIfError(asOf: noon, failure: Offline())
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { page }, addToList: { _ in })
        )

        try await viewModel.toggleMembership(inListWithID: "wishlist")
        try await viewModel.reload()

        #expect(viewModel.holding == ["Wishlist"] && viewModel.source == page.source)
    }
}
