import Dispatch
import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSessionTests {
    // Rule: outbox/same-user-continues-changes (56)
    @Test(arguments: [false, true])
    func `the changes of a user survive that another one starts during a write`(
        syncFails: Bool
    ) async throws {
        let (anna, ben) = (HeldStorage(), OutboxStorage.inMemory())
        let rewrites = Counter()
        var storage = anna.storage
        storage.writeReplacement = { [write = storage.writeReplacement] in
            rewrites.next()
            try write($0)
        }
        let outbox = Outbox(storage: { [storage] in $0 == "anna" ? storage : ben })
        func start(for user: String) -> Outbox.Session {
            outbox.start(for: user) { _ in throw NetworkError(.unauthorized) }
        }
        let session = start(for: "anna")
        for number in 0..<5 { try await session.save(.setFavorite("\(number)", to: true)) }
        try await session.sendAll()
        anna.hold(thenFailing: syncFails)
        // The executor has a thread of its own, which the sync may block.
        let save = Task(executorPreference: SerialTaskExecutor()) {
            try await session.save(.setFavorite("held", to: true))
        }
        let isHeld = await eventually { anna.isHeld }
        #expect(isHeld)

        let count = rewrites.count
        let ending = Task { _ = start(for: "ben") }
        await ending.value
        anna.release()
        let result = await save.result
        // After a failed sync, cutting the file is not enough: a loss of power could bring the edit back.
        #expect(rewrites.count == (syncFails ? count + 1 : count))
        try await start(for: "ben").save(.setFavorite("of ben", to: true))

        let next = start(for: "anna")
        try await next.open()
        let isSaved = (try? result.get()) != nil
        #expect(next.changes.count == (isSaved ? 6 : 5))
        #expect(isSaved != syncFails)
        let last = start(for: "ben")
        try await last.open()
        #expect(last.changes.map(\.edit) == [.setFavorite("of ben", to: true)])
    }

    // Rule: outbox/no-user-sends-for-another (63)
    @Test func `users whose names differ only in their bytes have different changes`() async throws
    {
        let server = OutboxServer()
        let outbox = Outbox()
        var session = outbox.start(for: "ren\u{e9}") { _ in throw NetworkError(.unauthorized) }
        try await session.save(.setFavorite("boots", to: true))
        try await session.sendAll()

        session = outbox.start(for: "rene\u{301}", with: server)
        try await session.sendAll()

        #expect(server.edits.isEmpty)
        #expect(session.changes.isEmpty)
    }

    // Rule: outbox/session-ends-with-its-user (65)
    @Test @MainActor func `screens and services of an earlier user do not act for the next one`()
        async throws
    {
        let sent = Lines()
        let outbox = Outbox.controlled()
        func service(of user: String) -> ProductService {
            ProductService(
                loader: .only(setFavorite: { id, status in
                    sent.add("\(user): \(id) \(status)")
                    throw NetworkError(.unreachable)
                }),
                listManager: .only(),
                localUser: .shopper,
                user: .signedIn(user),
                outbox: outbox
            )
        }
        let anna = service(of: "anna")
        let screen = anna.viewModel(for: Product(id: "boots", name: "Boots"))
        await anna.signOut()
        let ben = service(of: "ben")
        try await ben.viewModel(for: Product(id: "socks", name: "Socks"))
            .toggleProductFavoriteStatus()

        await #expect(throws: OutboxError(.notStarted)) {
            try await screen.toggleProductFavoriteStatus()
        }
        await #expect(throws: OutboxError(.notStarted)) {
            try await anna.loader.setFavoriteStatus(true, forProductWithID: "hats")
        }
        #expect(!anna.viewModel(for: Product(id: "socks", name: "Socks")).isFavorite)
        #expect(anna.outbox?.changes.isEmpty == true)
        await anna.signOut()
        try await anna.outbox?.removeAll()
        await anna.outbox?.stop()
        anna.outbox?.resume()
        await #expect(throws: OutboxError(.notStarted)) { try await anna.outbox?.open() }
        await #expect(throws: OutboxError(.notStarted)) { try await anna.outbox?.sendAll() }
        await #expect(throws: OutboxError(.notStarted)) { try await anna.outbox?.discard("x") }

        #expect(ben.outbox?.changes.map(\.edit) == [.setFavorite("socks", to: true)])
        #expect(ben.viewModel(for: Product(id: "socks", name: "Socks")).isFavorite)
        #expect(sent.all.allSatisfy { $0.hasPrefix("ben: ") })
    }

    // Rule: outbox/session-ends-with-its-user (65)
    @Test func `a session that has ended does not resume that of the next user`() async throws {
        let (outbox, attempts) = (Outbox.controlled(), Counter())
        let anna = outbox.start(for: "anna") { _ in Outbox.Confirmation() }
        let ben = outbox.start(for: "ben") { _ in
            attempts.next()
            throw NetworkError(.unauthorized)
        }
        _ = try await ben.perform(.setFavorite("boots", to: true))

        anna.resume()
        try await ben.open()

        #expect(await remainsFalse { attempts.count > 1 })
        ben.resume()
        #expect(await eventually { attempts.count == 2 })
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `a caller that waits for the rest throws when the session ends`() async throws {
        let (gate, failures) = (ActionGate<Outbox.Confirmation>(), Counter())
        let outbox = Outbox.controlled(report: { event in
            if case .postponed = event { failures.next() }
        }).start { change in
            if change.edit == .setFavorite("boots", to: true) { return try await gate.hold() }
            throw NetworkError(NetworkResponse(statusCode: 500))
        }
        for product in ["boots", "socks"] as [Product.ID] {
            try await outbox.save(.setFavorite(product, to: true))
        }
        try #require(await eventually { failures.count == 1 })
        let caller = Task { try await outbox.sendAll() }
        // The call ends the delay of the second change when it begins to wait.
        try #require(await eventually { failures.count == 2 })

        try await outbox.removeAll()

        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test @MainActor func `an attempt that has not begun to send sends nothing after a sign-out`()
        async throws
    {
        let server = OutboxServer()
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox.controlled().start(with: server)
        let screen = ProductViewModel(
            product: Product(id: "boots", name: "Boots"),
            localUser: LocalUser(currency: "EUR"),
            actions: .only(),
            store: ProductStore(outbox: outbox)
        )
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        let count = server.edits.count

        // The next attempt waits for the main actor, which this test does not leave, to notify the
        // screen. Reading gives it the time to begin.
        server.failure = nil
        outbox.resume()
        for _ in 0..<10_000 { _ = outbox.changes }
        try await outbox.removeAll()

        let hasSentNothing = await remainsFalse { server.edits.count > count }
        #expect(hasSentNothing)
        let isRemoved = await eventually { !screen.isFavorite }
        #expect(isRemoved)
    }

    // Rule: outbox/late-opening-updates-screens (66)
    @Test(arguments: ["open", "save", "sendAll"]) @MainActor
    func `a file that is opened late is shown and sent`(opener: String) async throws {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        let earlier = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        try await earlier.save(.setFavorite("boots", to: true))
        await earlier.stop()
        let isLocked = Mutex(true)
        let gate = ActionGate<Void>()
        let outbox = Outbox(storage: { _ in
            if isLocked.withLock({ $0 }) { throw OutboxError(.inUse) }
            return storage
        }).start { change in
            try await gate.hold()
            return try server.receive(change)
        }
        let screen = ProductViewModel(
            product: Product(id: "boots", name: "Boots"),
            localUser: LocalUser(currency: "EUR"),
            actions: .only(),
            store: ProductStore(outbox: outbox)
        )
        #expect(!screen.isFavorite)
        await #expect(throws: OutboxError(.inUse)) { try await outbox.sendAll() }
        isLocked.withLock { $0 = false }

        var opening: Task<Void, any Error>?
        switch opener {
        case "open": try await outbox.open()
        case "save": try await outbox.save(.setFavorite("socks", to: true))
        default: opening = Task { try await outbox.sendAll() }
        }

        let isShown = await eventually { screen.isFavorite && screen.isFavoriteUnsent }
        #expect(isShown)
        gate.open()
        let isSent = await eventually { server.edits.contains(.setFavorite("boots", to: true)) }
        #expect(isSent)
        try await opening?.value
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test @MainActor func `no screen and no property opens the file`() async throws {
        let (storage, openings) = (try await storageWithFavorite(), Counter())
        let service = offlineService { _ in
            if openings.next() == 1 { throw OutboxError(.inUse) }
            return storage
        }
        _ = await eventually { openings.count == 1 }

        let screen = service.viewModel(for: Product(id: "boots", name: "Boots"))
        let changes = try #require(service.pendingChangesViewModel())
        _ = (service.outbox?.changes, service.outbox?.rejections, service.outbox?.dismiss("x"))
        #expect(openings.count == 1 && !screen.isFavorite)
        try await service.outbox?.open()
        changes.update()

        #expect(openings.count == 2 && changes.changes.count == 1)
        #expect(screen.isFavorite && screen.isFavoriteUnsent)
    }

    // Rule: outbox/new-screens-show-saved-edits (75)
    @Test @MainActor func `a product is opened after the file with the saved edits`() async throws {
        let storage = try await storageWithFavorite()
        let (held, loads) = (DispatchSemaphore(value: 0), Counter())
        let service = offlineService(loads: loads) { _ in
            held.wait()
            held.signal()
            return storage
        }

        let opening = Task { try await service.viewModel(forProductWithID: "boots") }
        #expect(await remainsFalse { loads.count > 0 })
        held.signal()

        #expect(try await opening.value.isFavorite)
    }

    /// Returns a storage in which a service has saved that the boots are a favorite.
    private func storageWithFavorite() async throws -> OutboxStorage {
        let storage = OutboxStorage.inMemory()
        let service = offlineService { _ in storage }
        try await service.outbox?.save(.setFavorite("boots", to: true))
        await service.outbox?.stop()
        return storage
    }

    private func offlineService(
        loads: Counter = Counter(),
        storage: @escaping @Sendable (String) throws -> OutboxStorage
    ) -> ProductService {
        ProductService(
            loader: .only(
                load: { id in
                    loads.next()
                    return Product(id: id, name: "Boots")
                },
                setFavorite: { _, _ in throw NetworkError(.unreachable) }
            ),
            listManager: .only(),
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: Outbox(storage: storage, effects: ManualClock().effects())
        )
    }

    // Rule: outbox/late-opening-updates-screens (66)
    @Test @MainActor func `a screen of changes shows those of a file that is opened later`()
        async throws
    {
        let storage = OutboxStorage.inMemory()
        let earlier = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        try await earlier.save(.setFavorite("boots", to: true))
        await earlier.stop()
        let isLocked = Mutex(true)
        let (gate, events) = (ActionGate<Outbox.Confirmation>(), Lines())
        let outbox = Outbox(
            storage: { _ in
                if isLocked.withLock({ $0 }) { throw OutboxError(.inUse) }
                return storage
            },
            effects: ManualClock().effects(),
            report: { events.add($0.summary) }
        )
        .start { _ in try await gate.hold() }
        let screen = PendingChangesViewModel(actions: .init(outbox: outbox))
        let observation = Task { await screen.observe() }
        await #expect(throws: OutboxError(.inUse)) { try await outbox.open() }
        #expect(screen.changes.isEmpty)
        isLocked.withLock { $0 = false }

        try await outbox.open()

        let isShown = await eventually { screen.changes.count == 1 }
        #expect(isShown && events.all == ["failed inUse ", "loaded 1"])
        observation.cancel()
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/second-store-shows-outcome (67)
    @Test @MainActor func `a store that is created during an attempt shows its outcome`()
        async throws
    {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        let boots = Product(id: "boots", name: "Boots")
        func screen(of store: ProductStore) -> ProductViewModel {
            ProductViewModel(
                product: boots,
                localUser: LocalUser(currency: "EUR"),
                actions: ProductViewModel.Actions(
                    productID: boots.id,
                    loader: .only().saving(in: outbox),
                    listManager: .only()
                ),
                store: store
            )
        }
        let first = screen(of: ProductStore(outbox: outbox))
        try await first.toggleProductFavoriteStatus()
        await gate.waitForCalls(1)
        let second = screen(of: ProductStore(outbox: outbox))
        #expect(second.isFavorite && second.isFavoriteUnsent)

        gate.open(returning: Outbox.Confirmation())

        let isConfirmed = await eventually { !second.isFavoriteUnsent }
        #expect(isConfirmed && second.isFavorite)
        #expect(first.isFavorite)
    }

    // Rule: outbox/second-store-shows-outcome (67)
    @Test @MainActor func `a screen that is opened during an attempt shows its product`()
        async throws
    {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        try await outbox.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)
        let store = ProductStore(outbox: outbox)
        let opened = openedScreen(in: store, outbox)
        let changed = Product(id: "boots", name: "Better boots", isFavorite: true)

        gate.open(returning: Outbox.Confirmation(product: changed))

        let isConfirmed = await eventually { !opened.isFavoriteUnsent }
        #expect(isConfirmed && opened.product == changed && opened.asOf != nil)
    }

    // Rule: outbox/second-store-shows-outcome (67)
    @Test @MainActor func `a screen that was loaded during an attempt keeps the newer product`()
        async throws
    {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        try await outbox.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)
        let store = ProductStore(outbox: outbox)
        let opened = openedScreen(in: store, outbox)
        try await opened.reload()
        let changed = Product(id: "boots", name: "Better boots", isFavorite: true)

        gate.open(returning: Outbox.Confirmation(product: changed))

        let isConfirmed = await eventually { !opened.isFavoriteUnsent }
        #expect(isConfirmed && opened.isFavorite && opened.title == "Newest boots")
    }

    @MainActor private func openedScreen(
        in store: ProductStore,
        _ outbox: Outbox.Session
    ) -> ProductViewModel {
        ProductViewModel(
            product: Product(id: "boots", name: "Boots"),
            localUser: LocalUser(currency: "EUR"),
            actions: ProductViewModel.Actions(
                productID: "boots",
                loader: .only(load: { Product(id: $0, name: "Newest boots") }).saving(in: outbox),
                listManager: .only()
            ),
            store: store
        )
    }
}
