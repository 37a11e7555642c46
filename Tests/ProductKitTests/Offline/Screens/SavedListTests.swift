import ProductKit
import Testing

/// Lists that an outbox creates, renames and deletes, and memberships in them.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SavedListTests {
    private let screens = SavingScreens()
    private let tent = Product(id: "tent", name: "Tent")
    private let editsOfLists: [Outbox.Edit] = [
        .renameList("wishlist", name: "Gifts"), .createList("new", name: "New"),
        .renameList("new", name: "Newer"), .deleteList("summer"),
    ]

    // Rule: outbox/lists-show-saved-edits (93); outbox/screen-never-awaits-server (70)
    @Test func `a new list is shown with the product before the server responds`() async throws {
        let (lists, others) = (screens.listScreen(), screens.listScreen(of: tent))

        try await lists.addProductToNewList(named: "Summer")

        #expect(lists.names == ["Wishlist", "Summer"] && others.names == lists.names)
        #expect(lists.unsent == ["Summer"] && others.unsent == ["Summer"])
        #expect(lists.holding == ["Summer"] && others.holding == [] && lists.lastError == nil)
        #expect(screens.listScreen().holding == ["Summer"])

        let list = try #require(lists.rows.last)
        try await screens.confirm(list: ProductList(id: list.id, name: "Summer"))
        #expect(lists.unsent == ["Summer"] && others.unsent == [])
        try await screens.confirm()
        #expect(lists.unsent == [] && lists.holding == ["Summer"])
        #expect(
            screens.sent == [
                .createList(list.id, name: "Summer"),
                .addProduct("walking-boots", toList: list.id),
            ]
        )
    }

    // Rule: outbox/lists-show-saved-edits (93)
    @Test func `a list that was deleted is created again by its name`() async throws {
        var isFull = true
        var actions = ListMembershipViewModel.Actions.only()
        actions.createList = { [outbox = screens.outbox] draft in
            try await outbox.save(.createList(draft.id, name: draft.name))
            return .saved
        }
        actions.addToList = { [outbox = screens.outbox] list in
            if isFull { throw OutboxError(.full) }
            try await outbox.save(.addProduct("walking-boots", toList: list))
            return .saved
        }
        let screen = screen(actions)
        await #expect(throws: OutboxError.self) { try await screen.addProductToNewList(named: "A") }
        let id = try #require(screen.rows.first?.id)
        try await screens.confirm(list: ProductList(id: id, name: "A"))
        try await screens.outbox.save(.deleteList(id))
        #expect(screen.rows.isEmpty)

        isFull = false
        try await screen.addProductToNewList(named: "A")

        #expect(screen.names == ["A"] && screen.holding == ["A"])
    }

    // Rule: outbox/lists-show-saved-edits (93)
    @Test func `a new list is at no time shown without the product`() async throws {
        var lists: ListMembershipViewModel?
        var (seen, saves): ([Bool], Bool) = ([], true)
        var actions = ListMembershipViewModel.Actions.only(addToList: { _ in throw Offline() })
        actions.createList = { [outbox = screens.outbox] draft in
            guard saves else { throw Offline() }
            try await outbox.save(.createList(draft.id, name: draft.name))
            seen = lists?.rows.map(\.holdsProduct) ?? []
            return .saved
        }
        let screen = screen(actions)
        lists = screen

        await #expect(throws: Offline.self) { try await screen.addProductToNewList(named: "A") }
        #expect(seen == [true] && screen.rows.map(\.holdsProduct) == [false])
        saves = false
        await #expect(throws: Offline.self) { try await screen.addProductToNewList(named: "B") }
        #expect(screen.rows.map(\.name) == ["A"])
    }

    // Rule: outbox/last-edit-then-saved (71)
    @Test func `a product that is removed while its list is created is not added`() async throws {
        let creation = ActionGate<Void>()
        var actions = ListMembershipViewModel.Actions.only()
        actions.createList = { [outbox = screens.outbox] draft in
            try await outbox.save(.createList(draft.id, name: draft.name))
            try await creation.hold()
            return .saved
        }
        let saved = Lines()
        actions.addToList = { _ in
            saved.add("add")
            return .saved
        }
        actions.removeFromList = { _ in
            saved.add("remove")
            return .saved
        }
        let screen = screen(actions)
        let call = Task { try await screen.addProductToNewList(named: "A") }
        await creation.waitForCalls(1)
        let list = try #require(screen.rows.first)
        #expect(list.holdsProduct)
        let tap = await started { try await screen.toggleMembership(inListWithID: list.id) }
        #expect(screen.holding == [])

        creation.open(returning: ())
        try await call.value
        try await tap.value

        #expect(screen.holding == [] && !saved.all.contains("add"))
        #expect(screen.names == ["A"])
    }

    /// A screen without lists, whose edits are not saved by the outbox unless its actions do so.
    private func screen(_ actions: ListMembershipViewModel.Actions) -> ListMembershipViewModel {
        ListMembershipViewModel(product: .boots, lists: [], actions: actions, store: screens.store)
    }

    // Rule: outbox/lists-show-saved-edits (93); outbox/unsent-is-observed-apart (88)
    @Test func `confirming a new list notifies no observer of the rows or the membership`()
        async throws
    {
        let lists = screens.listScreen()
        try await lists.addProductToNewList(named: "Summer")
        let row = try #require(lists.rows.last)
        let rows = Watcher { lists.rows }
        let membership = Watcher { row.holdsProduct }
        let unsent = Watcher { row.isUnsent }

        try await screens.confirm()
        try await screens.confirm()

        #expect(rows.changes == 0 && membership.changes == 0 && unsent.changes == 1)
        #expect(!row.isUnsent)
    }

    // Rule: outbox/lists-show-saved-edits (93)
    @Test func `names and deletions that wait are shown over loaded lists in their order`()
        async throws
    {
        let lists = screens.listScreen(
            lists: [.wishlist, .summer],
            loadLists: { Page([.summer, .wishlist(holdingBoots: true)]) }
        )
        for edit in editsOfLists { try await screens.outbox.save(edit) }
        #expect(lists.names == ["Gifts", "Newer"] && lists.unsent == ["Gifts", "Newer"])

        try await lists.reload()
        #expect(lists.names == ["Gifts", "Newer"] && lists.holding == ["Gifts"])
        let opened = screens.listScreen(lists: [.wishlist, .summer])
        #expect(opened.names == ["Gifts", "Newer"])
    }

    // Rule: outbox/lists-show-saved-edits (93)
    @Test func `a list whose creation waits although the server has it is shown once`()
        async throws
    {
        let loaded = ProductList(id: "new", name: "Of the server", products: ["walking-boots"])
        let lists = screens.listScreen(loadLists: { Page([.wishlist, loaded]) })
        try await screens.outbox.save(.createList("new", name: "New"))

        try await lists.reload()

        #expect(lists.names == ["Wishlist", "Of the server"])
        #expect(lists.holding == ["Of the server"] && lists.unsent == ["Of the server"])
    }

    // Rule: outbox/sent-list-outlasts-loads (94)
    @Test func `lists that were requested before an outcome do not take it back`() async throws {
        let gate = ActionGate<Page<ProductList>>()
        let lists = screens.listScreen(
            lists: [.wishlist, .summer],
            loadLists: { try await gate.hold() }
        )
        let reload = await started { try await lists.reload() }
        for edit in editsOfLists {
            try await screens.outbox.save(edit)
            try await screens.confirm()
        }
        #expect(lists.names == ["Gifts", "Newer"] && lists.unsent == [])

        try gate.release(returning: Page([.wishlist, .summer]))
        try await reload.value

        #expect(lists.names == ["Gifts", "Newer"])
    }

    // Rule: outbox/sent-list-outlasts-loads (94)
    @Test func `the returned list is shown, and lists requested later replace it`() async throws {
        let lists = screens.listScreen(loadLists: { Page([.wishlist]) })
        try await screens.outbox.save(.createList("new", name: "New"))
        let created = ProductList(id: "new", name: "Newest", products: ["walking-boots"])

        try await screens.confirm(list: created)
        #expect(lists.names == ["Wishlist", "Newest"] && lists.holding == ["Newest"])
        try await screens.outbox.save(.renameList("new", name: "Renamed"))
        try await screens.confirm(list: ProductList(id: "new", name: "Renamed by the server"))
        #expect(lists.names == ["Wishlist", "Renamed by the server"])
        #expect(lists.holding == ["Renamed by the server"])

        try await lists.reload()
        #expect(lists.names == ["Wishlist"])
    }

    // Rule: outbox/last-edit-then-saved (71); outbox/responses-keep-saved-edits (74)
    @Test func `memberships that wait are kept by reloads and by new screens`() async throws {
        let lists = screens.listScreen(
            lists: [.wishlist(holdingBoots: true)],
            loadLists: { Page([.wishlist(holdingBoots: true)]) }
        )
        try await lists.toggleMembership(inListWithID: "wishlist")
        #expect(lists.holding == [] && lists.unsent == ["Wishlist"])
        try await lists.reload()
        #expect(lists.holding == [])
        #expect(screens.listScreen(lists: [.wishlist(holdingBoots: true)]).holding == [])

        try await screens.confirm()

        #expect(lists.holding == [] && lists.unsent == [])
        #expect(screens.sent == [.removeProduct("walking-boots", fromList: "wishlist")])
        try await lists.reload()
        #expect(lists.holding == ["Wishlist"])
    }

    // Rule: outbox/last-edit-then-saved (71); outbox/every-order-of-outages (100)
    @Test func `an addition behind a removal is sent although an earlier one is confirmed then`()
        async throws
    {
        let held = HeldStorage()
        let screens = SavingScreens(storage: held.storage)
        let (product, lists) = (screens.productScreen(), screens.listScreen())
        try await product.addProductToList(withID: "wishlist")
        await screens.attempts.waitForCalls(1)
        let removal = try await held.hold { try await lists.toggle("wishlist") }
        let addition = await started { try await product.addProductToList(withID: "wishlist") }

        try await screens.confirm(isCounted: true)
        held.release()
        try await removal.value
        try await addition.value
        screens.attempts.open(returning: Outbox.Confirmation())

        #expect(await screens.outbox.reaches { $0.changes.isEmpty })
        #expect(screens.sent.last == .addProduct("walking-boots", toList: "wishlist"))
        #expect(lists.holding == ["Wishlist"])
    }

    // Rule: outbox/new-screens-show-saved-edits (75)
    @Test func `a screen that opens after the changes were saved shows them`() async throws {
        try await screens.outbox.save(.addProduct("walking-boots", toList: "wishlist"))
        try await screens.outbox.save(.createList("new", name: "New"))

        let lists = screens.listScreen()

        #expect(lists.names == ["Wishlist", "New"] && lists.unsent == lists.names)
        #expect(lists.holding == ["Wishlist"])
    }

    // Rule: outbox/unsent-is-observed-apart (88)
    @Test func `an edit of one list notifies no observer of another`() async throws {
        let lists = screens.listScreen(lists: [.wishlist, .summer])
        let (first, second) = (lists.rows[0], lists.rows[1])
        let held = Watcher { first.holdsProduct }
        let unsent = Watcher { first.isUnsent }
        let others = [
            Watcher { second.holdsProduct }, Watcher { second.isUnsent }, Watcher { lists.rows },
        ]

        try await lists.toggleMembership(inListWithID: first.id)
        try await screens.confirm()

        #expect(held.changes == 1 && unsent.changes == 2)
        #expect(others.allSatisfy { $0.changes == 0 })
    }

    // Rule: outbox/direct-creation-is-possible (96)
    @Test(arguments: [true, false])
    func `a backend that assigns identifiers creates lists directly`(
        findsCreatedLists: Bool
    ) async throws {
        let outbox = Outbox(savesNewLists: findsCreatedLists).start(for: "anna") { _ in
            throw NetworkError(.unreachable)
        }
        let manager = ListManager(
            addProduct: { _, _ in },
            lists: { _ in Page([]) },
            create: { _, name in ProductList(id: "42", name: name) }
        )
        let actions = ListMembershipViewModel.Actions(
            productID: "walking-boots",
            listManager: (findsCreatedLists ? manager.findingCreatedLists() : manager)
                .saving(in: outbox)
        )
        let lists = ListMembershipViewModel(actions, lists: [], store: ProductStore(outbox: outbox))

        try await lists.addProductToNewList(named: "Summer")

        #expect(lists.rows.map(\.id) == ["42"] && lists.holding == ["Summer"])
        #expect(outbox.edits == [.addProduct("walking-boots", toList: "42")])
    }
}
