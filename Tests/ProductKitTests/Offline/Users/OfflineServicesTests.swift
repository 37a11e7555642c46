import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OfflineServicesTests {
    // Rule: outbox/service-writes-use-outbox (59)
    @Test func `each write of a loader and a manager is saved and sent as one change`() async throws
    {
        let sent = Lines()
        let loader = ProductLoader.only(setFavorite: { id, status in
            sent.add("\(id) \(status)")
            return Product(id: id, name: "Boots", isFavorite: status)
        })
        let lists = ListManager.only(
            addProduct: { sent.add("add \($0) \($1)") },
            removeProduct: { sent.add("remove \($0) \($1)") },
            create: { id, name in
                sent.add("create \(id) \(name)")
                return ProductList(id: id, name: name, version: "1")
            },
            rename: { id, name, version in
                sent.add("rename \(id) \(name) \(version ?? "")")
                return ProductList(id: id, name: name, version: "2")
            },
            delete: { sent.add("delete \($0)") }
        )
        let outbox = Outbox.controlled().start(sending: Outbox.sending(loader, lists))
        let offline = lists.performingEdits(in: outbox)

        let product = try await loader.performingEdits(in: outbox)
            .setFavoriteStatus(true, forProductWithID: "boots")
        let list = try await offline.createList(named: "Winter", id: "winter")
        try await offline.addProduct(withID: "boots", toListWithID: "winter")
        let renamed = try await offline.renameList(withID: "winter", to: "Cold")
        try await offline.removeProduct(withID: "boots", fromListWithID: "winter")
        try await offline.deleteList(withID: "winter")

        #expect(product?.isFavorite == true && list.version == "1")
        #expect(renamed == ProductList(id: "winter", name: "Cold", version: "2"))
        #expect(
            sent.all == [
                "boots true", "create winter Winter", "add boots winter", "rename winter Cold ",
                "remove boots winter", "delete winter",
            ]
        )
    }

    // Rule: outbox/service-writes-use-outbox (59)
    @Test func `a write that must be sent later returns, and reads are unchanged`() async throws {
        let outbox = Outbox.controlled().start { _ in throw NetworkError(.unreachable) }
        let lists = ListManager.only().performingEdits(in: outbox)
        let loader = ProductLoader.only(load: { Product(id: $0, name: "Boots") })
            .performingEdits(in: outbox)
        try await lists.addProduct(withID: "boots", toListWithID: "a")
        try await lists.removeProduct(withID: "socks", fromListWithID: "a")
        try await lists.deleteList(withID: "b")

        let status = try await loader.setFavoriteStatus(true, forProductWithID: "boots")
        let created = try await lists.createList(named: "Winter", id: "winter")
        let renamed = try await lists.renameList(withID: "winter", to: "Cold")
        let product = try await loader.loadProduct(withID: "boots")

        #expect(status == nil && !product.isFavorite && outbox.changes.count == 6)
        #expect(created == ProductList(id: "winter", name: "Winter"))
        #expect(renamed == ProductList(id: "winter", name: "Cold"))
        #expect(outbox.applyingChanges(to: product).isFavorite)
        #expect(!outbox.applyingChanges(to: Product(id: "socks", name: "Socks")).isFavorite)
    }

    // Rule: outbox/conditional-rename-is-not-saved (60)
    @Test func `a list that is renamed only if it is unchanged is renamed directly`() async throws {
        let outbox = Outbox.controlled().start { _ in Outbox.Confirmation() }
        let lists = ListManager.only(rename: { _, _, _ in throw NetworkError(.unreachable) })
            .performingEdits(in: outbox)
        let list = ProductList(id: "winter", name: "Winter", version: "1")

        let error = await #expect(throws: NetworkError.self) {
            try await lists.renameList(withID: "winter", to: "Cold", ifUnchanged: list)
        }

        #expect(error?.code == .unreachable && outbox.changes.isEmpty)
    }

    // Rule: outbox/conditional-rename-is-not-saved (60)
    @Test func `an older name that waits does not replace that of a list renamed directly`()
        async throws
    {
        let outbox = Outbox.controlled().start { _ in throw NetworkError(.unreachable) }
        let lists = ListManager.only(rename: { id, name, _ in ProductList(id: id, name: name) })
            .performingEdits(in: outbox)
        let list = ProductList(id: "winter", name: "Winter", version: "1")
        _ = try await lists.renameList(withID: "winter", to: "Old")
        _ = try await lists.renameList(withID: "summer", to: "Old")

        let renamed = try await lists.renameList(withID: "winter", to: "Cold", ifUnchanged: list)

        #expect(renamed.name == "Cold" && outbox.edits == [.renameList("summer", name: "Old")])
    }

    // Rule: outbox/conditional-rename-is-not-saved (60)
    @Test func `a list whose identifier the server assigns is created directly`() async throws {
        let lists = ListManager.only(create: { _, name in ProductList(id: "42", name: name) })
        let outbox = Outbox(savesNewLists: false).start { _ in throw NetworkError(.unreachable) }

        let list = try await lists.performingEdits(in: outbox).createList(named: "Winter")

        #expect(list.id == "42" && outbox.changes.isEmpty)
    }

    // Rule: outbox/no-failure-count-removes (44)
    @Test func `a change waits if the outbox was started with an offline loader`() async throws {
        let other = Outbox.controlled().start { _ in throw NetworkError(.unreachable) }
        let sending = Outbox.sending(
            ProductLoader.only().performingEdits(in: other),
            ListManager.only().performingEdits(in: other)
        )
        let outbox = Outbox.controlled().start(sending: sending)

        for edit in Outbox.Edit.ofEachKind { #expect(try await outbox.perform(edit) == .saved) }

        #expect(outbox.edits == Outbox.Edit.ofEachKind)
    }

    // Rule: outbox/screen-never-awaits-server (70); outbox/service-writes-use-outbox (59)
    @MainActor @Test func `an edit on a screen of a service does not wait for the server`()
        async throws
    {
        let (gate, sent) = (ActionGate<Void>(), Lines())
        let boots = Product(id: "boots", name: "Boots")
        let service = ProductService(
            loader: ProductLoader(
                load: { _ in boots },
                setFavorite: { id, status in
                    try await gate.hold()
                    sent.add("\(id) \(status)")
                    return nil
                }
            ),
            listManager: ListManager(
                addProduct: { id, list in
                    try await gate.hold()
                    sent.add("\(id) to \(list)")
                },
                lists: { _ in Page([ProductList(id: "a", name: "A")]) },
                create: { id, name in
                    try await gate.hold()
                    return ProductList(id: id, name: name)
                }
            ),
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: .controlled()
        )
        let screen = service.viewModel(for: boots)
        let opened = try await service.viewModel(forProductWithID: "boots")
        let lists = service.membershipViewModel(for: boots)
        try await lists.reload()

        try await screen.toggleProductFavoriteStatus()
        try await opened.toggleProductFavoriteStatus()
        try await opened.toggleProductFavoriteStatus()
        try await screen.addProductToList(withID: "a")
        try await lists.addProductToNewList(named: "B")

        #expect(lists.rows.map(\.isUnsent) == [true, true] && screen.isFavoriteUnsent)
        gate.open()
        try await service.outbox?.sendAll()
        #expect(sent.all.contains("boots true") && sent.all.contains("boots to a"))
        #expect(!screen.isFavoriteUnsent)
    }
}
