import ProductKit
import Testing

/// Screens of one product that agree on its lists, and who is told of a change.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ListMembershipSharingTests {
    let store = ProductStore()

    // Rule: screen/screens-share-a-product (49)
    @Test func `two screens of a product agree on its lists`() async throws {
        let one = ListMembershipViewModel(.only(addToList: { _ in }), store: store)
        let other = ListMembershipViewModel(.only(), store: store)

        try await one.toggleMembership(inListWithID: "summer")

        #expect(other.holding == ["Summer"])
    }

    @Test func `adding on the product's screen shows on the screen of its lists`() async throws {
        let held = Held<Void>()
        let product = ProductViewModel(
            .only(addToList: { _ in
                try await held.suspend()
            }),
            store: store
        )
        let lists = ListMembershipViewModel(.only(), store: store)

        let adding = await started { try await product.addProductToList(withID: "summer") }
        #expect(lists.holding == ["Summer"])
        try held.fail()
        await #expect(throws: Offline()) { try await adding.value }
        #expect(lists.holding.isEmpty && lists.lastError == nil)

        let again = await started { try await product.addProductToList(withID: "summer") }
        try held.resume()
        try await again.value
        #expect(lists.holding == ["Summer"])
    }

    // Rule: screen/one-toggle-in-flight (29)
    @Test func `taps on one list wait for each other across screens`() async throws {
        let held = Held<Void>()
        var removals = 0
        let product = ProductViewModel(
            .only(addToList: { _ in
                try await held.suspend()
            }),
            store: store
        )
        let lists = ListMembershipViewModel(
            .only(removeFromList: { _ in removals += 1 }),
            store: store
        )
        let adding = await started { try await product.addProductToList(withID: "summer") }

        let removing = await started { try await lists.toggleMembership(inListWithID: "summer") }
        #expect(removals == 0 && lists.holding.isEmpty)
        try held.resume()
        for task in [adding, removing] { try await task.value }

        #expect(removals == 1 && lists.holding.isEmpty)
    }

    // Rule: screen/store-holds-weakly (50)
    @Test func `what is known wins over what a new screen brings`() async throws {
        let one = ListMembershipViewModel(.only(addToList: { _ in }), store: store)
        try await one.toggleMembership(inListWithID: "summer")

        let other = ListMembershipViewModel(.only(), lists: [.summer], store: store)

        #expect(other.holding == ["Summer"])
    }

    // Rule: screen/content-and-status-observed-apart (51); screen/toggle-notifies-once (54)
    @Test func `a tap tells the readers of its own row, once`() async throws {
        let viewModel = ListMembershipViewModel(.only(addToList: { _ in }), store: store)
        let rows = Watcher { viewModel.rows }
        let wishlist = Watcher { viewModel.rows[0].holdsProduct }
        let summer = Watcher { viewModel.rows[1].holdsProduct }

        try await viewModel.toggleMembership(inListWithID: "summer")

        #expect(rows.changes == 0 && wishlist.changes == 0 && summer.changes == 1)
    }

    // Rule: screen/equal-response-notifies-no-observer (52)
    @Test func `lists equal to those shown tell nobody`() async throws {
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { Page([.wishlist, .summer]) }),
            store: store
        )
        let rows = Watcher { viewModel.holding }
        let rejected = Watcher { viewModel.rejected }

        try await viewModel.reload()

        #expect(rows.changes == 0 && rejected.changes == 0)
    }

    // Rule: screen/idle-screen-is-released (8)
    @Test func `an idle screen is kept alive by nobody`() async throws {
        weak var closed: ListMembershipViewModel?
        do {
            let viewModel = ListMembershipViewModel(
                .only(loadLists: { Page([.summer]) }, addToList: { _ in }),
                store: store
            )
            closed = viewModel
            try await viewModel.reload()
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        #expect(closed == nil)
    }
}
