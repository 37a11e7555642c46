import ProductKit
import Testing

/// Screens of one product that share its memberships, and the observers of its rows.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListMembershipSharingTests {
    let store = ProductStore()

    // Rule: screen/screens-share-a-product (49); screen/store-holds-weakly (50)
    @Test func `screens of a product show the same memberships, whatever they are created with`()
        async throws
    {
        let first = ListMembershipViewModel(.only(addToList: { _ in }), store: store)
        let second = ListMembershipViewModel(.only(), store: store)

        try await first.toggle("summer")

        #expect(second.holding == ["Summer"])
        let third = ListMembershipViewModel(.only(), lists: [.summer], store: store)
        #expect(third.holding == ["Summer"])
    }

    @Test func `an addition on the product's screen is shown on the screen of its lists`()
        async throws
    {
        let held = ActionGate<Void>()
        let product = ProductViewModel(
            .only(addToList: { _ in try await held.hold() }),
            store: store
        )
        let lists = ListMembershipViewModel(.only(), store: store)

        let addition = await started { try await product.addProductToList(withID: "summer") }
        #expect(lists.holding == ["Summer"])
        try held.release(throwing: Offline())
        await #expect(throws: Offline()) { try await addition.value }
        #expect(lists.holding.isEmpty && lists.lastError == nil)

        let secondAddition = await started { try await product.addProductToList(withID: "summer") }
        try held.release()
        try await secondAddition.value
        #expect(lists.holding == ["Summer"])
    }

    // Rule: screen/one-toggle-in-flight (29)
    @Test func `edits of one list run one after another across screens`() async throws {
        let held = ActionGate<Void>()
        var removals = 0
        let product = ProductViewModel(
            .only(addToList: { _ in try await held.hold() }),
            store: store
        )
        let lists = ListMembershipViewModel(
            .only(removeFromList: { _ in removals += 1 }),
            store: store
        )
        let addition = await started { try await product.addProductToList(withID: "summer") }

        let removal = await started { try await lists.toggle("summer") }
        #expect(removals == 0 && lists.holding.isEmpty)
        try held.release()
        for task in [addition, removal] { try await task.value }

        #expect(removals == 1 && lists.holding.isEmpty)
    }

    // Rule: screen/content-and-status-observed-apart (51); screen/toggle-notifies-once (54)
    @Test func `a toggle notifies the observers of its own row once`() async throws {
        let viewModel = ListMembershipViewModel(.only(addToList: { _ in }), store: store)
        let rows = Watcher { viewModel.rows }
        let wishlist = Watcher { viewModel.rows[0].holdsProduct }
        let summer = Watcher { viewModel.rows[1].holdsProduct }

        try await viewModel.toggle("summer")

        #expect(rows.changes == 0 && wishlist.changes == 0 && summer.changes == 1)
    }

    // Rule: screen/equal-response-notifies-no-observer (52)
    @Test func `lists equal to those shown notify no observer`() async throws {
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { Page([.wishlist, .summer]) }),
            store: store
        )
        let rows = Watcher { viewModel.holding }
        let rejected = Watcher { viewModel.rejected }

        try await viewModel.reload()

        #expect(rows.changes == 0 && rejected.changes == 0)
    }

    // Rule: screen/loading-until-last-reload-ends (11); screen/overlapping-reloads-notify-twice (57)
    @Test func `overlapping reloads notify observers of the phase at their start and their end`()
        async throws
    {
        let held = ActionGate<Page<ProductList>>()
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { try await held.hold() }),
            store: store
        )
        let phase = Watcher { viewModel.phase }
        let reloads = await started(times: 3) { try await viewModel.reload() }
        #expect(viewModel.phase == .loading && phase.changes == 1)

        for reload in reloads {
            #expect(viewModel.phase == .loading && phase.changes == 1)
            try held.release(returning: Page([.wishlist]))
            try await reload.value
        }

        #expect(viewModel.phase == .loaded && phase.changes == 2)
    }

    // Rule: screen/idle-screen-is-released (8)
    @Test func `an idle screen is released with its last owner`() async throws {
        weak var closed: ListMembershipViewModel?
        do {
            let viewModel = ListMembershipViewModel(
                .only(loadLists: { Page([.summer]) }, addToList: { _ in }),
                store: store
            )
            closed = viewModel
            try await viewModel.reload()
            try await viewModel.toggle("summer")
        }

        #expect(closed == nil)
    }
}
