import ProductKit
import Testing

/// The lists that hold a product: loaded, shown, and changed by a tap.
///
/// Numbers are those of the same rules for the favorite status.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ListMembershipTests {
    @Test func `a reload shows the lists and which of them hold the product`() async throws {
        let broken = RejectedElement(index: 2, member: "name", reason: "It is missing.")
        let viewModel = ListMembershipViewModel(
            .only(loadLists: {
                Page([.summer, .wishlist(holdingBoots: true)], rejected: [broken])
            }),
            lists: []
        )
        #expect(viewModel.rows.isEmpty && viewModel.phase == .idle)

        try await viewModel.reload()

        #expect(viewModel.rows.map(\.name) == ["Summer", "Wishlist"])
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .loaded && viewModel.rejected == [broken])
    }

    @Test func `a list that stands there twice is shown once`() async throws {
        let viewModel = ListMembershipViewModel(
            .only(loadLists: { Page([.summer, .wishlist, .summer]) })
        )

        try await viewModel.reload()

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"])
    }

    @Test func `a screen opens with the lists that are known`() {
        let viewModel = ListMembershipViewModel(
            .only(),
            lists: [.summer, .wishlist(holdingBoots: true)]
        )

        #expect(viewModel.rows.map(\.id) == ["summer", "wishlist"])
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.phase == .idle)
    }

    // Rule: screen/edit-shows-at-once (25)
    @Test func `a tap shows at once`() async throws {
        let held = Held<Void>()
        var asked: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(addToList: { list in
                asked.append(list)
                try await held.suspend()
            })
        )

        let tap = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        #expect(viewModel.holding == ["Summer"] && asked == ["summer"])
        try held.resume()
        try await tap.value

        #expect(viewModel.holding == ["Summer"] && viewModel.lastError == nil)
    }

    @Test func `a tap on a list that holds the product takes it out`() async throws {
        var asked: [ProductList.ID] = []
        let viewModel = ListMembershipViewModel(
            .only(removeFromList: { asked.append($0) }),
            lists: [.wishlist(holdingBoots: true)]
        )

        try await viewModel.toggleMembership(inListWithID: "wishlist")

        #expect(asked == ["wishlist"] && viewModel.holding.isEmpty)
    }

    // Rule: screen/rollback-keeps-newer-content (28)
    @Test func `a failure rolls back its own list alone`() async throws {
        let held = Held<Void>()
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in
                try await held.suspend()
            })
        )
        let summer = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let wishlist = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }
        #expect(viewModel.holding == ["Wishlist", "Summer"])

        try held.fail()
        await #expect(throws: Offline()) { try await summer.value }
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.lastError?.kind == .toggleMembership("summer"))
        #expect(viewModel.lastError?.underlying as? Offline == Offline())
        #expect(viewModel.phase == .idle)

        try held.resume()
        try await wishlist.value
        #expect(viewModel.holding == ["Wishlist"])
        #expect(viewModel.lastError?.kind == .toggleMembership("summer"))
    }

    // Rule: screen/success-clears-its-own-error (18)
    @Test func `a success on the same list clears the failure`() async throws {
        var isOffline = true
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in if isOffline { throw Offline() } })
        )
        await #expect(throws: Offline()) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        isOffline = false
        try await viewModel.toggleMembership(inListWithID: "summer")

        #expect(viewModel.lastError == nil && viewModel.holding == ["Summer"])
    }

    // Rule: screen/quick-taps-send-the-last (30)
    @Test(arguments: 1...6)
    func `rapid taps on a list show their parity and need at most two calls`(
        count: Int
    ) async throws {
        let held = Held<Void>()
        var wishes: [Bool] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { _ in
                    wishes.append(true)
                    if wishes.count == 1 {
                        try await held.suspend()
                    }
                },
                removeFromList: { _ in wishes.append(false) }
            )
        )
        var taps: [Task<Void, any Error>] = []
        for number in 1...count {
            taps.append(
                await started { try await viewModel.toggleMembership(inListWithID: "summer") }
            )
            #expect(viewModel.holding == (number % 2 == 1 ? ["Summer"] : []))
        }

        try held.resume()
        for tap in taps { try await tap.value }

        #expect(wishes == (count % 2 == 1 ? [true] : [true, false]))
        #expect(viewModel.holding == (count % 2 == 1 ? ["Summer"] : []))
    }

    // Rule: screen/lists-are-independent (39)
    @Test func `different lists go side by side`() async throws {
        let held = Held<Void>()
        let viewModel = ListMembershipViewModel(
            .only(addToList: { _ in
                try await held.suspend()
            })
        )
        let summer = await started { try await viewModel.toggleMembership(inListWithID: "summer") }
        let wishlist = await started {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }
        #expect(held.count == 2)

        for _ in 0..<2 { try held.resume() }
        for tap in [summer, wishlist] { try await tap.value }

        #expect(viewModel.holding == ["Wishlist", "Summer"])
    }

    @Test func `a list that is not shown is not found, and nobody is asked`() async throws {
        var unexpected: [UnimplementedAction] = []
        let viewModel = ListMembershipViewModel(.only(otherwise: { unexpected.append($0) }))

        await #expect(throws: ListError.notFound("winter")) {
            try await viewModel.toggleMembership(inListWithID: "winter")
        }

        #expect(viewModel.lastError?.kind == .toggleMembership("winter"))
        #expect(unexpected.isEmpty && viewModel.rows.count == 2)
    }

    @Test func `a list that is gone leaves the screen, and the error stays`() async throws {
        let viewModel = ListMembershipViewModel(
            .only(addToList: { throw ListError.notFound($0) })
        )

        await #expect(throws: ListError.notFound("summer")) {
            try await viewModel.toggleMembership(inListWithID: "summer")
        }

        #expect(viewModel.rows.map(\.id) == ["wishlist"])
        #expect(viewModel.lastError?.underlying as? ListError == .notFound("summer"))
    }

    // Rule: screen/not-found-means-deleted (20); screen/deleted-product-rejects-edits (21)
    @Test func `a product that is gone is put in no list, but taken out of one`() async throws {
        var calls: [String] = []
        let viewModel = ListMembershipViewModel(
            .only(
                addToList: { list in
                    calls.append("add \(list)")
                    throw ProductError.notFound(Product.boots.id)
                },
                removeFromList: { calls.append("remove \($0)") }
            ),
            lists: [.wishlist(holdingBoots: true), .summer]
        )

        for _ in 0..<2 {
            await #expect(throws: ProductError.notFound(Product.boots.id)) {
                try await viewModel.toggleMembership(inListWithID: "summer")
            }
        }
        try await viewModel.toggleMembership(inListWithID: "wishlist")

        #expect(calls == ["add summer", "remove wishlist"] && viewModel.holding.isEmpty)
    }

    @Test func `an unsupported removal says so and leaves the list as it was`() async throws {
        let service = ProductService(
            loader: ProductLoader(load: { _ in .boots }),
            listManager: ListManager(
                addProduct: { _, _ in },
                lists: { _ in Page([.wishlist(holdingBoots: true)]) }
            ),
            localUser: .shopper
        )
        let viewModel = service.membershipViewModel(for: .boots)
        try await viewModel.reload()

        await #expect(throws: UnsupportedOperation("removeProduct")) {
            try await viewModel.toggleMembership(inListWithID: "wishlist")
        }

        #expect(viewModel.holding == ["Wishlist"])
    }
}
