import Foundation
import ProductKit
import Testing

/// Favorites that an outbox saves, sends and confirms.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct SavedEditTests {
    private let screens = SavingScreens()

    // Rule: outbox/lists-show-saved-edits (93)
    @Test func `a new list has the product although the task is cancelled when it is saved`()
        async throws
    {
        var actions = ListMembershipViewModel.Actions.only()
        actions.createList = { [outbox = screens.outbox] draft in
            try await outbox.save(.createList(draft.id, name: draft.name))
            withUnsafeCurrentTask { $0?.cancel() }
            return .saved
        }
        actions.addToList = { [outbox = screens.outbox] list in
            try Task.checkCancellation()
            try await outbox.save(.addProduct("walking-boots", toList: list))
            return .saved
        }
        let screen = ListMembershipViewModel(
            product: .boots,
            lists: [],
            actions: actions,
            store: screens.store
        )

        let call = Task { try await screen.addProductToNewList(named: "A") }
        try await call.value

        #expect(screen.holding == ["A"] && screens.outbox.changes.count == 2)
    }

    // Rule: outbox/screen-never-awaits-server (70); outbox/unsent-until-confirmed (87)
    @Test func `a tap returns before the server responds, and is unsent until then`() async throws {
        let screen = screens.productScreen()

        try await started { try await screen.toggleProductFavoriteStatus() }.promptValue

        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        #expect(screens.outbox.changes.map(\.edit) == [.setFavorite("walking-boots", to: true)])

        try await screens.confirm(with: .boots(named: "Sent", isFavorite: true))
        #expect(screen.isFavorite && !screen.isFavoriteUnsent && screen.title == "Sent")
        #expect(screens.outbox.changes.isEmpty && screen.lastError == nil)
    }

    // Rule: outbox/confirmed-without-flicker (77); outbox/unsent-is-observed-apart (88)
    @Test func `a confirmation notifies only the observers of the unsent mark`() async throws {
        let screen = try await screens.sendingScreen()
        let (status, title) = (Watcher { screen.isFavorite }, Watcher { screen.title })
        let unsent = Watcher { screen.isFavoriteUnsent }

        try await screens.confirm(with: .favoriteBoots, isCounted: true)

        #expect(status.changes == 0 && title.changes == 0 && unsent.changes == 1)
    }

    // Rule: outbox/unsent-is-observed-apart (88)
    @Test func `a saved edit with the value shown notifies only observers of the unsent mark`()
        async throws
    {
        let screen = screens.productScreen(showing: .favoriteBoots)
        let status = Watcher { screen.isFavorite }
        let unsent = Watcher { screen.isFavoriteUnsent }

        try await screens.outbox.save(.setFavorite("walking-boots", to: true))

        #expect(status.changes == 0 && unsent.changes == 1)
    }

    // Rule: outbox/saved-edit-shows-everywhere (69)
    @Test func `an edit of any caller shows on all screens before it is saved completely`()
        async throws
    {
        let screen = screens.productScreen()
        let list = try await catalog(of: .boots)
        let row = try #require(list.rows.first)

        try await screens.outbox.save(.setFavorite("walking-boots", to: true))

        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        #expect(row.isFavorite && row.isFavoriteUnsent && row.product.isFavorite)
    }

    // Rule: outbox/new-screens-show-saved-edits (75)
    @Test func `a screen that opens while a change waits shows it`() async throws {
        try await screens.outbox.save(.setFavorite("walking-boots", to: true))

        let list = try await catalog(of: .boots, Product(id: "tent", name: "Tent"))
        let screen = screens.productScreen()

        #expect(list.rows.map(\.isFavorite) == [true, false])
        #expect(list.rows.map(\.isFavoriteUnsent) == [true, false])
        #expect(screen.isFavorite && screen.isFavoriteUnsent)
    }

    // Rule: outbox/new-screens-show-saved-edits (75)
    @Test func `a screen that opens from a cache while a change waits shows it`() async throws {
        try await screens.outbox.save(.setFavorite("walking-boots", to: false))

        let screen = ProductViewModel(
            product: .favoriteBoots,
            from: .staleIfError(asOf: .distantPast, failure: Offline()),
            localUser: .shopper,
            actions: .only(),
            store: screens.store
        )

        #expect(!screen.isFavorite && screen.isFavoriteUnsent)
    }

    // Rule: outbox/responses-keep-saved-edits (74)
    @Test func `reloads and pages update the content and keep a saved edit`() async throws {
        let screen = screens.productScreen(reload: { .boots(named: "Reloaded") })
        try await screen.toggleProductFavoriteStatus()

        try await screen.reload()
        #expect(screen.title == "Reloaded" && screen.isFavorite && screen.isFavoriteUnsent)
        _ = try await catalog(of: .boots(named: "Page"))
        #expect(screen.title == "Page" && screen.isFavorite && screen.isFavoriteUnsent)

        try await screens.confirm()
        #expect(screen.title == "Page" && screen.isFavorite && !screen.isFavoriteUnsent)
    }

    // Rule: outbox/confirmation-orders-like-toggle (76); screen/toggle-updates-content (27)
    @Test func `a reload that started after the attempt has newer content`() async throws {
        let screen = try await screens.sendingScreen(reload: { .boots(named: "Reloaded") })
        try await screen.reload()

        try await screens.confirm(with: .boots(named: "Sent", isFavorite: true), isCounted: true)

        #expect(screen.title == "Reloaded" && screen.isFavorite && !screen.isFavoriteUnsent)
    }

    // Rule: outbox/confirmation-orders-like-toggle (76); screen/earlier-reload-keeps-status (35)
    @Test func `a reload that started before the confirmation keeps the status`() async throws {
        let gate = ActionGate<Product>()
        let screen = try await screens.sendingScreen(reload: { try await gate.hold() })
        let reload = await started { try await screen.reload() }
        try await screens.confirm(with: .boots(named: "Sent", isFavorite: true), isCounted: true)

        try gate.release(returning: .boots(named: "Reloaded"))
        try await reload.value

        #expect(screen.title == "Reloaded" && screen.isFavorite)
    }

    // Rule: outbox/confirmation-orders-like-toggle (76); screen/later-reload-changes-status (36)
    @Test func `a reload that started after the confirmation changes the status`() async throws {
        let screen = screens.productScreen(reload: { .boots(named: "Reloaded") })
        try await screen.toggleProductFavoriteStatus()
        try await screens.confirm(with: .favoriteBoots)

        try await screen.reload()

        #expect(screen.title == "Reloaded" && !screen.isFavorite)
    }

    // Rule: outbox/confirmation-has-server-value (78); screen/server-status-is-final (26)
    @Test(arguments: [Product.boots, nil, Product(id: "tent", name: "Tent")])
    func `the status is that of the returned product, else that of the edit`(
        product: Product?
    ) async throws {
        let screen = try await screens.sendingScreen()

        try await screens.confirm(with: product, isCounted: true)

        #expect(screen.isFavorite == (product != .boots) && !screen.isFavoriteUnsent)
        #expect(screen.title == "Walking Boots" && screens.sent.count == 1)
    }

    // Rule: outbox/saving-failure-rolls-back (90)
    @Test func `an edit that cannot be saved is rolled back and sent nowhere`() async throws {
        let screens = SavingScreens(storage: FailingStorage(failing: [.append]).storage)
        let screen = screens.productScreen()

        let error = await #expect(throws: OutboxError.self) {
            try await screen.toggleProductFavoriteStatus()
        }

        #expect(error?.code == .storageFailed && screens.sent.isEmpty)
        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        #expect(screen.lastError?.kind == .toggleFavorite)
    }

    // Rule: outbox/confirmation-outlasts-loads (83); screen/screens-share-a-product (49)
    @Test(arguments: [(Product.favoriteBoots, false), (nil, false), (nil, true)])
    func `a page that was requested before a confirmation does not bring back the old status`(
        confirmed: Product?,
        isCached: Bool
    ) async throws {
        let gate = ActionGate<Page<Product>>()
        let list = CatalogViewModel(
            .only(loadPage: { _, _ in try await gate.hold() }),
            store: screens.store
        )
        let search = await started { try await list.search("") }
        try await screens.outbox.save(.setFavorite("walking-boots", to: true))
        try await screens.confirm(with: confirmed)

        var page = Page([Product.boots(named: "Page")])
        if isCached { page.source = .cache(asOf: .distantPast) }
        try gate.release(returning: page)
        try await search.value

        #expect(list.rows.map(\.isFavorite) == [true])
        #expect(list.rows.map(\.title) == [confirmed == nil ? "Page" : "Walking Boots"])
    }

    // Rule: outbox/confirmation-outlasts-loads (83); screen/not-found-means-deleted (20)
    @Test(arguments: [false, true])
    func `a page shows a product that a confirmation did not find while it was loaded`(
        isCached: Bool
    ) async throws {
        let gate = ActionGate<Page<Product>>()
        let loader = ProductLoader.only(
            load: { id in throw ProductError.notFound(id) },
            setFavorite: { _, _ in nil }
        )
        let outbox = Outbox.controlled().start(sending: Outbox.sending(loader, .only()))
        let list = CatalogViewModel(
            .only(loadPage: { _, _ in try await gate.hold() }),
            store: ProductStore(outbox: outbox)
        )
        let search = await started { try await list.search("") }
        _ = try await outbox.perform(.setFavorite("walking-boots", to: true))

        var page = Page([Product.boots(named: "Page")])
        if isCached { page.source = .cache(asOf: .distantPast) }
        try gate.release(returning: page)
        try await search.value

        let row = try #require(list.rows.first)
        #expect(row.title == "Page" && row.isDeleted && row.isFavorite)
    }

    // Rule: outbox/reset-drops-saved-edits (89)
    @Test func `the outcome of a change from before a sign-out is not shown`() async throws {
        let screen = try await screens.sendingScreen()

        screens.store.reset()
        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        try await screens.confirm(with: .boots(named: "Former", isFavorite: true), isCounted: true)

        #expect(!screen.isFavorite && screen.title == "Walking Boots")
    }

    // Rule: outbox/one-store-listens (92)
    @Test func `an outbox does not keep its store alive`() async throws {
        weak var store: ProductStore?
        let outbox = screens.outbox
        do {
            let other = ProductStore(outbox: outbox)
            _ = ProductViewModel(.only(), store: other)
            store = other
        }

        try await outbox.save(.setFavorite("walking-boots", to: true))

        #expect(store == nil && outbox.changes.count == 1)
    }

    // Rule: outbox/one-store-listens (92)
    @Test func `of several stores of one outbox, the last one shows the changes`() async throws {
        let first = screens.productScreen()
        let other = ProductStore(outbox: screens.outbox)
        let second = ProductViewModel(.only(), store: other)

        try await screens.outbox.save(.setFavorite("walking-boots", to: true))

        #expect(!first.isFavorite && second.isFavorite)
    }

    // Rule: outbox/one-store-listens (92); outbox/unsent-until-confirmed (87)
    @Test func `a direct confirmation ends a saved value of an earlier store`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox.controlled().start(with: server)
        func screen() -> ProductViewModel {
            ProductViewModel(
                .only(toggleFavorite: { (status: Bool) in
                    Product.boots.with { $0.isFavorite = status }
                }),
                store: ProductStore(outbox: outbox)
            )
        }
        try await outbox.saveAndSend(.setFavorite("walking-boots", to: false))
        let earlier = screen()
        _ = screen()
        server.failure = nil
        try await outbox.sendAll()

        try await earlier.toggleProductFavoriteStatus()

        #expect(earlier.isFavorite && !earlier.isFavoriteUnsent)
    }

    // Rule: outbox/one-store-listens (92); outbox/saved-is-not-a-failure (72)
    @Test func `a screen of another store shows its own saved edit`() async throws {
        let screen = screens.productScreen()
        let other = ProductStore(outbox: screens.outbox)
        _ = ProductViewModel(.only(), store: other)

        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        withExtendedLifetime(other) {}
    }

    // Rule: outbox/new-screens-show-saved-edits (75)
    @Test func `screens that are open before the file is show what it contains`() async throws {
        let files = FailingStorage(
            memory: try await .saving(
                .setFavorite("walking-boots", to: true),
                .createList("new", name: "New")
            ),
            failing: [.open]
        )
        let outbox = Outbox(storage: { _ in try files.open() })
            .start { _ in throw NetworkError(.unreachable) }
        let store = ProductStore(outbox: outbox)
        let screen = ProductViewModel(.only(), store: store)
        let lists = ListMembershipViewModel(.only(), lists: [.wishlist], store: store)
        #expect(!screen.isFavorite && lists.rows.count == 1)
        files.failing = []

        try await outbox.open()

        #expect(lists.names == ["Wishlist", "New"])
        #expect(screen.isFavorite && screen.isFavoriteUnsent)
    }

    /// A catalog of products that has been loaded.
    private func catalog(of products: Product...) async throws -> CatalogViewModel {
        let list = CatalogViewModel(
            .only(loadPage: { _, _ in Page(products) }),
            store: screens.store
        )
        try await list.search("")
        return list
    }
}
