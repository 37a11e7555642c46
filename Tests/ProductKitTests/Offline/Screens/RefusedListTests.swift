import ProductKit
import Testing

/// New lists that the server refuses, and lists that it no longer has.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct RefusedListTests {
    private let screens = SavingScreens()
    private let tent = Product(id: "tent", name: "Tent")

    // Rule: outbox/rejected-list-leaves (95)
    @Test func `a refused new list leaves all screens, and its error is dismissed on all`()
        async throws
    {
        let (lists, others) = (screens.listScreen(), screens.listScreen(of: tent))
        _ = try await refusedList(on: lists, and: others)

        lists.lastError = nil

        #expect(lists.lastError == nil && others.lastError == nil)
    }

    // Rule: outbox/rejected-list-leaves (95)
    @Test func `a refused list is created with another identifier the next time`() async throws {
        let (lists, others) = (screens.listScreen(), screens.listScreen(of: tent))
        let first = try await refusedList(on: lists, and: others)

        try await lists.addProductToNewList(named: "Summer")
        #expect(lists.rows.last?.id != first && lists.holding == ["Summer"])
        #expect(others.lastError?.kind == .createList)
        try await screens.confirm()
        try await screens.confirm()

        #expect(others.lastError == nil && lists.lastError == nil)
        #expect(lists.holding == ["Summer"])
    }

    // Rule: outbox/rejected-list-leaves (95)
    @Test(arguments: [false, true])
    func `the product of a refused list does not hide the reason, also after another list`(
        isConfirmed: Bool
    ) async throws {
        let (lists, others) = (screens.listScreen(), screens.listScreen(of: tent))
        try await lists.addProductToNewList(named: "Summer")
        let summer = try #require(lists.rows.last?.id)
        // The attempts are in flight at the same time, in this order.
        await screens.attempts.waitForCalls(1)
        try await others.addProductToNewList(named: "Winter")
        await screens.attempts.waitForCalls(1)
        try await screens.refuse(isCounted: true)
        await screens.attempts.waitForCalls(1)
        if isConfirmed {
            try await screens.confirm(isCounted: true)
        } else {
            try await screens.refuse(isCounted: true)
        }

        try await screens.refuse(with: ListError.notFound(summer), isCounted: true)

        #expect(screens.sent.prefix(3).last == .addProduct("walking-boots", toList: summer))
        #expect(lists.lastError?.kind == (isConfirmed ? nil : .createList))
        #expect(others.lastError?.kind == lists.lastError?.kind)
    }

    // Rule: outbox/rejected-list-leaves (95); outbox/rejection-shows-on-all-screens (80)
    // Rule: outbox/rejection-names-its-list (84)
    @Test func `a refused list that was sent again and created can be missing later`() async throws
    {
        let (lists, product) = (screens.listScreen(), screens.productScreen())
        let id = try await refusedList(on: lists, and: screens.listScreen(of: tent))
        let creation = try #require(screens.outbox.rejections.first)
        try await screens.outbox.resend(creation.id)
        try await screens.confirm()
        #expect(lists.names == ["Wishlist", "Summer"] && lists.lastError == nil)

        try await lists.toggleMembership(inListWithID: id)
        try await screens.refuse(with: ListError.notFound(id))

        #expect(lists.lastError?.kind == .toggleMembership(id))
        #expect(product.lastError?.kind == .toggleMembership(id))
    }

    // Rule: outbox/rejected-list-leaves (95)
    @Test func `after a restart, the product of a refused list is not a failure either`()
        async throws
    {
        let storage = OutboxStorage.inMemory()
        let earlier = SavingScreens(storage: storage)
        let list = earlier.listScreen()
        try await list.addProductToNewList(named: "Summer")
        let id = try #require(list.rows.last?.id)
        try await earlier.refuse()
        await earlier.outbox.stop()

        let screens = SavingScreens(storage: storage)
        let (lists, product) = (screens.listScreen(), screens.productScreen())
        try await screens.refuse(with: ListError.notFound(id))

        #expect(screens.outbox.rejections.count == 2)
        #expect(lists.lastError == nil && product.lastError == nil)
    }

    /// Adds the boots to a new list on a screen, which the server refuses, and returns the list.
    private func refusedList(
        on lists: ListMembershipViewModel,
        and others: ListMembershipViewModel
    ) async throws -> ProductList.ID {
        try await lists.addProductToNewList(named: "Summer")
        let id = try #require(lists.rows.last?.id)
        try await screens.refuse()
        #expect(lists.names == ["Wishlist"] && others.names == ["Wishlist"])
        #expect(others.lastError?.kind == .createList && lists.lastError?.kind == .createList)
        try await screens.refuse(with: ListError.notFound(id))
        #expect(others.lastError?.kind == .createList && lists.lastError?.kind == .createList)
        return id
    }

    // Rule: outbox/rejected-list-leaves (95)
    @Test(arguments: [false, true])
    func `a new list whose first product could not be saved is created again only if refused`(
        isRefused: Bool
    ) async throws {
        var storage = OutboxStorage.inMemory()
        let (append, counter) = (storage.append, Counter())
        storage.append = { data in
            // The second record is that of the membership.
            if counter.next() == 2 { throw Offline() }
            try append(data)
        }
        let screens = SavingScreens(storage: storage)
        let lists = screens.listScreen()
        await #expect(throws: OutboxError.self) {
            try await lists.addProductToNewList(named: "Summer")
        }
        let id = try #require(lists.rows.last?.id)
        #expect(lists.lastError?.kind == .toggleMembership(id) && lists.holding == [])
        if isRefused { try await screens.refuse() }

        try await lists.addProductToNewList(named: "Summer")

        #expect(lists.names == ["Wishlist", "Summer"] && lists.holding == ["Summer"])
        #expect((lists.rows.last?.id != id) == isRefused)
        #expect((lists.lastError == nil) != isRefused)
        #expect(screens.outbox.changes.count == 2)
    }

    // Rule: outbox/rejected-list-leaves (95)
    @Test func `a list that is not found for a saved edit leaves the screens`() async throws {
        let (lists, others) = (screens.listScreen(), screens.listScreen(of: tent))
        try await lists.toggleMembership(inListWithID: "wishlist")

        try await screens.refuse(with: ListError.notFound("wishlist"))

        #expect(lists.rows.isEmpty && others.rows.isEmpty)
        #expect(lists.lastError?.kind == .toggleMembership("wishlist") && others.lastError == nil)
    }
}
