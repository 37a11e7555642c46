import ProductKit
import Testing

/// Reloads, taps and creations that cross each other.
///
/// Numbers are those of the same rules for the favourite status.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ListMembershipOrderTests {
    // Rule 12
    @Test func `an answer never replaces the answer to a later reload`() async throws {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await withCheckedThrowingContinuation { held.append($0) } })
        )
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        #expect(viewModel.phase == .loading)

        try held.answer(Page([.wishlist(holdingBoots: true)]), at: 1)
        try await second.value
        #expect(viewModel.phase == .loading)
        try held.answer(Page([.wishlist, .summer]))
        try await first.value

        #expect(viewModel.rows.map(\.id) == ["wishlist"] && viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .loaded)
    }

    // Rules 14 and 16
    @Test func `a failure keeps the lists, unless a later reload has been answered`() async throws {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await withCheckedThrowingContinuation { held.append($0) } })
        )
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }
        let third = await started { try await viewModel.reload() }

        try held.answer(Page([.summer]), at: 1)
        try await second.value
        try held.fail()
        try await first.value
        #expect(viewModel.lastError == nil)
        try held.fail()
        await #expect(throws: Offline()) { try await third.value }

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
    }

    // Rule 15
    @Test func `an older success after a newer failure is shown, and clears the error`()
        async throws
    {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await withCheckedThrowingContinuation { held.append($0) } })
        )
        let first = await started { try await viewModel.reload() }
        let second = await started { try await viewModel.reload() }

        try held.fail(at: 1)
        await #expect(throws: Offline()) { try await second.value }
        try held.answer(Page([.summer]))
        try await first.value

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .loaded && viewModel.lastError == nil)
    }

    // Rule 15
    @Test func `a newer failure stays when an older reload is answered in vain`() async throws {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await withCheckedThrowingContinuation { held.append($0) } })
        )
        var reloads: [Task<Void, any Error>] = []
        for _ in 0..<3 { reloads.append(await started { try await viewModel.reload() }) }

        try held.answer(Page([.summer]), at: 1)
        try await reloads[1].value
        try held.fail(at: 1)
        await #expect(throws: Offline()) { try await reloads[2].value }
        try held.answer(Page([.wishlist]))
        try await reloads[0].value

        #expect(viewModel.rows.map(\.id) == ["summer"])
        #expect(viewModel.phase == .failed && viewModel.lastError?.kind == .reload)
    }

    // Rule 34
    @Test func `a tap that waits stays shown when the lists arrive`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.summer, .wishlist]) },
                addToList: { _ in
                    try await withCheckedThrowingContinuation { held.append($0) }
                }
            )
        )
        let tap = await started { try await viewModel.toggleMembership(inListWithID: "wishlist") }

        try await viewModel.reload()
        #expect(viewModel.holding == ["Wishlist"])
        try held.fail()
        await #expect(throws: Offline()) { try await tap.value }

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"] && viewModel.holding.isEmpty)
    }

    // Rule 35
    @Test func `a reload asked before a tap settled cannot undo it`() async throws {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await withCheckedThrowingContinuation { held.append($0) } },
                addToList: { _ in }
            )
        )
        let reload = await started { try await viewModel.reload() }

        try await viewModel.toggleMembership(inListWithID: "wishlist")
        try held.answer(Page([.wishlist]))
        try await reload.value

        #expect(viewModel.holding == ["Wishlist"])
    }

    // Rule 37
    @Test func `a tap whose answer is lost is believed when a reload saw it`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { Page([.wishlist(holdingBoots: true)]) },
                addToList: { _ in
                    try await withCheckedThrowingContinuation { held.append($0) }
                }
            )
        )
        let tap = await started { try await viewModel.toggleMembership(inListWithID: "wishlist") }

        try await viewModel.reload()
        try held.fail()
        await #expect(throws: Offline()) { try await tap.value }

        #expect(viewModel.holding == ["Wishlist"])
    }

    @Test func `a reload asked before a list was gone does not bring it back`() async throws {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await withCheckedThrowingContinuation { held.append($0) } },
                addToList: { throw ListError.notFound($0) }
            )
        )
        let before = await started { try await viewModel.reload() }
        await #expect(throws: ListError.notFound("summer")) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }
        let after = await started { try await viewModel.reload() }

        try held.answer(Page([.wishlist, .summer]))
        try await before.value
        #expect(viewModel.rows.map(\.id) == ["wishlist"])
        try held.answer(Page([.wishlist, .summer]))
        try await after.value

        #expect(viewModel.rows.map(\.id) == ["wishlist", "summer"])
    }

    // Rules 45 and 47
    @Test func `a cancelled tap is rolled back, and is no failure`() async throws {
        let gate = Gate()
        var calls = 0
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in
                calls += 1
                try await gate.pass()
            })
        )
        let first = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let second = await started {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }
        #expect(viewModel.holding.isEmpty)

        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(viewModel.holding == ["Summer"])
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }

        #expect(viewModel.holding.isEmpty && viewModel.lastError == nil && calls == 1)
    }

    // Rule 44
    @Test func `a cancelled reload leaves the screen as it was`() async throws {
        let gate = Gate()
        let viewModel = ListMembershipViewModel(
            .only(loadLists: {
                do { try await gate.pass() } catch { throw Offline() }
                return Page([])
            })
        )
        let reload = await started { try await viewModel.reload() }

        reload.cancel()
        await #expect(throws: CancellationError.self) { try await reload.value }

        #expect(viewModel.phase == .idle && viewModel.lastError == nil)
        #expect(viewModel.rows.count == 2)
    }

    // Rule 48
    @Test func `signing out empties the screen and drops what is on its way`() async throws {
        var held: [CheckedContinuation<Page<ProductList>, any Error>] = []
        var taps: [CheckedContinuation<Void, any Error>] = []
        let store = ProductStore()
        let viewModel = ListMembershipViewModel(
            .only(
                loadLists: { try await withCheckedThrowingContinuation { held.append($0) } },
                addToList: { _ in
                    try await withCheckedThrowingContinuation { taps.append($0) }
                }
            ),
            store: store
        )
        let reload = await started { try await viewModel.reload() }
        let tap = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let queued = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let watcher = Watcher { viewModel.rows }

        store.reset()
        #expect(viewModel.rows.isEmpty && watcher.changes == 1)
        await #expect(throws: CancellationError.self) { try await queued.value }
        try held.answer(Page([.summer]))
        try taps.answer(())
        for task in [reload, tap] {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(viewModel.rows.isEmpty && viewModel.phase == .idle)
        await #expect(throws: ListError.notFound("summer")) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        let next = await started { try await viewModel.reload() }
        try held.answer(Page([.wishlist(holdingBoots: true)]))
        try await next.value
        #expect(viewModel.holding == ["Wishlist"] && viewModel.rows.count == 1)
    }
}
