import Dispatch
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSessionTests {
    private static let boots = Product(id: "boots", name: "Boots")
    private let edit = Outbox.Edit.setFavorite("boots", to: true)
    private let server = OutboxServer()

    // Rule: outbox/same-user-continues-changes (56)
    @Test(arguments: [false, true])
    func `the changes of a user survive that another one starts during a write`(
        syncFails: Bool
    ) async throws {
        let (held, rewrites) = (HeldStorage(), Counter())
        let outbox = Outbox.controlled(
            storage: held.storage.observed(before: { operation in
                if operation == .writeReplacement { rewrites.next() }
            })
        )
        let session = try await outbox.open()
        for number in 0..<5 { try await session.save(.setFavorite("\(number)", to: true)) }
        try await session.sendAll()
        let save = try await held.hold(thenFailing: syncFails) { try await session.save(edit) }

        let count = rewrites.count
        let ending = Task {
            _ = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        }
        await ending.value
        held.release()
        let result = await save.result
        // After a failed sync, cutting the file is not enough: a loss of power could bring the edit back.
        #expect(rewrites.count == (syncFails ? count + 1 : count))
        try await outbox.open(for: "ben").save(.setFavorite("of ben", to: true))

        #expect(((try? result.get()) == nil) == syncFails)
        #expect(try await outbox.open().changes.count == (syncFails ? 5 : 6))
        #expect(try await outbox.open(for: "ben").edits == [.setFavorite("of ben", to: true)])
    }

    // Rule: outbox/no-user-sends-for-another (63)
    @Test func `users whose names differ only in their bytes have different changes`() async throws
    {
        let outbox = Outbox()
        try await outbox.open(for: "ren\u{e9}").saveAndSend(edit)

        let session = outbox.start(for: "rene\u{301}", with: server)
        try await session.sendAll()

        #expect(server.edits.isEmpty && session.changes.isEmpty)
    }

    // Rule: outbox/session-ends-with-its-user (65)
    @Test @MainActor func `screens and services of an earlier user do not act for the next one`()
        async throws
    {
        let (outbox, attempts) = (Outbox.controlled(), Lines())
        let socks = Product(id: "socks", name: "Socks")
        let anna = ProductService.offline(outbox, attempts: attempts)
        let screen = anna.viewModel(for: Self.boots)
        await anna.signOut()
        let ben = ProductService.offline(outbox, user: "ben", attempts: attempts)
        try await ben.viewModel(for: socks).toggleProductFavoriteStatus()

        await #expect(throws: OutboxError(.notStarted)) {
            try await screen.toggleProductFavoriteStatus()
        }
        await #expect(throws: OutboxError(.notStarted)) {
            try await anna.loader.setFavoriteStatus(true, forProductWithID: "hats")
        }
        #expect(!anna.viewModel(for: socks).isFavorite)
        let ended = try #require(anna.outbox)
        #expect(ended.changes.isEmpty)
        await anna.signOut()
        try await ended.removeAll()
        await ended.stop()
        ended.resume()
        await #expect(throws: OutboxError(.notStarted)) { try await ended.open() }
        await #expect(throws: OutboxError(.notStarted)) { try await ended.sendAll() }
        await #expect(throws: OutboxError(.notStarted)) { try await ended.discard("x") }

        #expect(ben.outbox?.edits == [.setFavorite("socks", to: true)])
        #expect(ben.viewModel(for: socks).isFavorite)
        #expect(attempts.all.allSatisfy { $0.hasPrefix("ben: ") })
    }

    // Rule: outbox/session-ends-with-its-user (65)
    @Test func `a session that has ended does not resume that of the next user`() async throws {
        let (outbox, attempts) = (Outbox.controlled(), Counter())
        let anna = outbox.start { _ in Outbox.Confirmation() }
        let ben = outbox.start(for: "ben") { _ in
            attempts.next()
            throw NetworkError(.unauthorized)
        }
        _ = try await ben.perform(edit)

        anna.resume()

        // It waits for an attempt unless the user must sign in.
        #expect(try await ben.promptOutcome(of: edit) == .saved && attempts.count == 1)
        ben.resume()
        #expect(await eventually { attempts.count >= 2 })
    }

    // Rule: outbox/same-user-continues-changes (56)
    @Test func `a user who starts again need not resume`() async throws {
        let outbox = Outbox.controlled()
        let first = outbox.start { _ in throw NetworkError(.unauthorized) }
        #expect(try await first.perform(edit) == .saved)

        let second = outbox.start(with: server)

        #expect(await second.reaches { $0.changes.isEmpty })
        #expect(server.edits == [edit])
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `an attempt that has not begun to send sends nothing after a sign-out`() async throws
    {
        let (gate, attempts) = (ActionGate<Void>(), AsyncStream.makeStream(of: Void.self))
        let (executor, mainActor) = (SerialTaskExecutor(), DispatchSemaphore(value: 0))
        let outbox = Outbox(effects: ManualClock().effects())
        let session = outbox.start { [attempt = attempts.continuation.closure()] _ in
            attempt()
            try await gate.hold()
            return Outbox.Confirmation()
        }
        let screen = await screen(of: session)
        try await session.save(edit)
        await gate.waitForCalls(1)
        let sending = Task(executorPreference: executor) { try await session.sendAll() }
        await executor.waitUntilIdle()

        // When the call returns, the next attempt has begun, because the delay is zero. It waits for
        // the main actor to notify the screen.
        do {
            DispatchQueue.main.async { mainActor.wait() }
            defer { mainActor.signal() }
            try gate.release(throwing: NetworkError(.unreachable))
            #expect(try await sending.promptValue == 1)
            try await session.removeAll()
        }

        #expect(await attempts.stream.count == 1)
        #expect(await Task { @MainActor in await eventually { !screen.isFavorite } }.value)
    }

    /// The call that opens a file.
    enum Opener: CaseIterable {
        case open, save, sendAll
    }

    // Rule: outbox/late-opening-updates-screens (66)
    @Test(arguments: Opener.allCases) @MainActor
    func `a file that is opened late is shown and sent`(opener: Opener) async throws {
        let files = FailingStorage(memory: try await .saving(edit), failing: [.open])
        let (gate, events) = (ActionGate<Void>(), Lines())
        let outbox = Outbox(
            storage: { _ in try files.open() },
            effects: ManualClock().effects(),
            report: { events.add($0.summary) }
        ).start { [server] change in
            try await gate.hold()
            return try server.receive(change)
        }
        let screen = screen(of: outbox)
        let pending = PendingChangesViewModel(actions: .init(outbox: outbox))
        let observation = Task { await pending.observe() }
        await #expect(throws: OutboxError(.inUse)) { try await outbox.sendAll() }
        #expect(!screen.isFavorite && pending.changes.isEmpty)
        files.failing = []

        var sending: Task<Void, any Error>?
        switch opener {
        case .open: try await outbox.open()
        case .save: try await outbox.save(.setFavorite("socks", to: true))
        case .sendAll: sending = Task { try await outbox.sendAll() }
        }

        #expect(await eventually { screen.isFavorite && screen.isFavoriteUnsent })
        #expect(await eventually { pending.changes.first?.edit == edit })
        #expect(events.all.prefix(2) == ["failed inUse ", "loaded 1"])
        gate.open()
        #expect(await eventually { server.edits.contains(edit) })
        try await sending?.value
        observation.cancel()
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test @MainActor func `no screen and no property opens the file`() async throws {
        let (storage, openings) = (try await storageOfService(), Counter())
        let outbox = Outbox(
            storage: { _ in
                if openings.next() == 1 { throw OutboxError(.inUse) }
                return storage
            },
            effects: ManualClock().effects()
        )
        let service = ProductService.offline(outbox)
        _ = await eventually { openings.count == 1 }

        let screen = service.viewModel(for: Self.boots)
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
        let storage = try await storageOfService()
        let (openings, loads) = (Counter(), Counter())
        let outbox = Outbox(
            storage: { _ in
                // The outbox opens the file itself the first time.
                if openings.next() == 1 { throw OutboxError(.inUse) }
                #expect(loads.count == 0)
                return storage
            },
            effects: ManualClock().effects()
        )
        let service = ProductService.offline(outbox, loads: loads)
        #expect(await eventually { openings.count == 1 })

        let screen = try await service.viewModel(forProductWithID: "boots")

        // The outbox loads the product, too, before it sends the edit.
        #expect(screen.isFavorite && openings.count == 2 && loads.count >= 1)
    }

    // Rule: screen/reset-drops-responses (48)
    @Test @MainActor func `a product is not loaded if the user signs out while the file is opened`()
        async throws
    {
        let (openings, loads, semaphore) = (Counter(), Counter(), DispatchSemaphore(value: 0))
        let outbox = Outbox(
            storage: { _ in
                // The outbox opens the file itself the first time.
                if openings.next() == 2 { semaphore.wait() }
                throw OutboxError(.inUse)
            },
            effects: ManualClock().effects()
        )
        let service = ProductService.offline(outbox, loads: loads)
        #expect(await eventually { openings.count == 1 })
        // The executor has a thread of its own, which the opening may block.
        let opening = Task(executorPreference: SerialTaskExecutor()) {
            _ = try await service.viewModel(forProductWithID: "boots")
        }
        #expect(await eventually { openings.count == 2 })

        let signOut = await started { await service.signOut() }
        semaphore.signal()

        await #expect(throws: CancellationError.self) { try await opening.value }
        try await signOut.value
        #expect(loads.count == 0)
    }

    // Rule: outbox/second-store-shows-outcome (67)
    @Test @MainActor func `a store that is created during an attempt shows its outcome`()
        async throws
    {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        let first = screen(of: outbox)
        try await first.toggleProductFavoriteStatus()
        await gate.waitForCalls(1)
        let second = screen(of: outbox)
        #expect(second.isFavorite && second.isFavoriteUnsent)

        gate.open(returning: Outbox.Confirmation())

        #expect(await eventually { !second.isFavoriteUnsent })
        #expect(first.isFavorite && second.isFavorite)
    }

    // Rule: outbox/second-store-shows-outcome (67)
    @Test(arguments: [false, true]) @MainActor
    func `a screen that is opened during an attempt shows its product unless it has a newer one`(
        isReloaded: Bool
    ) async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        let screen = screen(of: outbox)
        if isReloaded { try await screen.reload() }
        let changed = Product(id: "boots", name: "Better boots", isFavorite: true)

        gate.open(returning: Outbox.Confirmation(product: changed))

        #expect(await eventually { !screen.isFavoriteUnsent })
        #expect(screen.isFavorite && screen.asOf != nil)
        #expect(screen.title == (isReloaded ? "Newest boots" : "Better boots"))
    }

    // Rule: outbox/rejected-not-found-deletes (86); outbox/second-store-shows-outcome (67)
    @Test(arguments: [
        Outbox.Edit.setFavorite("boots", to: true), .addProduct("boots", toList: "a"),
    ])
    @MainActor
    func `a screen that was reloaded during an attempt of an earlier store keeps its product`(
        edit: Outbox.Edit
    ) async throws {
        let (gate, refusals) = (ActionGate<Outbox.Confirmation>(), Counter())
        let outbox = Outbox.controlled(report: { event in
            if case .rejected = event { refusals.next() }
        })
        .start { _ in try await gate.hold() }
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        let screen = screen(of: outbox)
        try await screen.reload()

        try gate.release(throwing: ProductError.notFound("boots"))

        #expect(await eventually { refusals.count == 1 })
        #expect(screen.phase == .loaded)
    }

    /// Returns a screen of the boots in a new store, which saves its edits in an outbox.
    @MainActor private func screen(of outbox: Outbox.Session) -> ProductViewModel {
        ProductViewModel(
            ProductViewModel.Actions(
                productID: "boots",
                loader: .only(load: { Product(id: $0, name: "Newest boots") }).saving(in: outbox),
                listManager: .only()
            ),
            product: Self.boots,
            store: ProductStore(outbox: outbox)
        )
    }

    /// A storage in which a service has saved the edit.
    private func storageOfService() async throws -> OutboxStorage {
        let storage = OutboxStorage.inMemory()
        let session = ProductService.offline(.controlled(storage: storage)).outbox
        try await session?.save(edit)
        await session?.stop()
        return storage
    }
}
