import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSavingTests {
    // Rule: outbox/change-keeps-its-identifier (1)
    @Test func `a change has the same identifier in each attempt and after a restart`() async throws
    {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        server.failure = NetworkError(.connectionLost)
        do {
            let outbox = Outbox.controlled(storage: storage).start(with: server)
            let id = try await outbox.save(.setFavorite("boots", to: true))
            try await outbox.sendAll()
            #expect(outbox.changes.map(\.id) == [id])
            #expect(id.rawValue.wholeMatch(of: /[0-9a-f]{32}/) != nil)
            await outbox.stop()
        }
        server.failure = nil

        let outbox = Outbox.controlled(storage: storage).start(with: server)
        let waiting = try await outbox.sendAll()
        let other = try await outbox.save(.setFavorite("boots", to: false))

        #expect(waiting == 0)
        #expect(server.changes.count >= 2)
        #expect(Set(server.changes.map(\.id)).subtracting([other]).count == 1)
        #expect(server.changes.first?.id != other)
    }

    // Rule: outbox/edit-names-a-state (16)
    @Test func `an edit is sent although the server may have its value already`() async throws {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        server.failure = NetworkError(.connectionLost)
        let outbox = Outbox.controlled(storage: storage).start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        server.failure = nil

        try await outbox.save(.setFavorite("boots", to: false))
        try await outbox.sendAll()

        #expect(server.edits.last == .setFavorite("boots", to: false))
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/waiting-changes-are-limited (12)
    @Test func `at most as many changes wait as the limit`() async throws {
        let outbox = Outbox.controlled(limit: 2).start { _ in throw NetworkError(.unauthorized) }
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.save(.setFavorite("socks", to: true))
        // From then on nothing is sent, so no change is in flight.
        try await outbox.sendAll()

        await #expect(throws: OutboxError(.full)) {
            try await outbox.save(.setFavorite("hats", to: true))
        }
        // An edit that joins or replaces one needs no room.
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.save(.setFavorite("boots", to: false))
        #expect(outbox.changes.count == 2)
    }

    // Rule: outbox/waiting-changes-are-limited (12)
    @Test func `by default, at most 500 changes wait`() async throws {
        let outbox = Outbox().start { _ in throw NetworkError(.unauthorized) }
        for number in 1...500 { try await outbox.save(.setFavorite("\(number)", to: true)) }

        await #expect(throws: OutboxError(.full)) {
            try await outbox.save(.setFavorite("501", to: true))
        }
    }

    // Rule: outbox/waiting-changes-are-limited (12)
    @Test func `the limit holds for edits that are saved together`() async throws {
        let held = HeldStorage()
        let outbox = Outbox.controlled(storage: held.storage, limit: 10).start { _ in
            throw NetworkError(.unauthorized)
        }
        try await outbox.save(.setFavorite("first", to: true))
        let saves = try await Self.saves(outbox, count: 20, during: held)

        let results = await saves.asyncResults

        #expect(results.count { (try? $0.get()) != nil } == 8)
        #expect(outbox.changes.count == 10)
    }

    // Rule: outbox/incomplete-edit-is-refused (68)
    @Test(arguments: [
        Outbox.Edit.setFavorite("", to: true), .addProduct("boots", toList: ""),
        .removeProduct("", fromList: "winter"), .createList("", name: "Winter"),
        .createList("winter", name: " "), .renameList("winter", name: ""), .deleteList(""),
    ])
    func `an edit with an empty identifier or name is refused`(edit: Outbox.Edit) async throws {
        let outbox = Outbox.controlled().start { _ in Outbox.Confirmation() }

        await #expect(throws: OutboxError(.invalidEdit)) { try await outbox.save(edit) }
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test func `a file that cannot be opened is tried again every minute`() async throws {
        let (server, clock, attempts) = (OutboxServer(), ManualClock(), Counter())
        let storage = OutboxStorage.inMemory()
        let earlier = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        try await earlier.save(.setFavorite("boots", to: true))
        await earlier.stop()

        let outbox = Outbox(
            storage: { _ in
                if attempts.next() == 1 { throw OutboxError(.inUse) }
                return storage
            },
            effects: clock.effects()
        ).start(with: server)
        await clock.waitForSleeps(1)
        #expect(clock.delays == [.seconds(60)])
        clock.advance(by: .seconds(60))

        let isSent = await eventually { server.edits == [.setFavorite("boots", to: true)] }
        #expect(isSent)
        await outbox.stop()
    }

    // Rule: outbox/incomplete-edit-is-refused (68)
    @Test func `a reserved name is refused when the edit is saved`() async throws {
        let service = ProductService(
            loader: .only(),
            listManager: ListManager.only().hidingLists(named: "Favorites"),
            localUser: .shopper,
            user: .guest,
            outbox: .controlled()
        )

        for edit in [
            Outbox.Edit.createList("new", name: "Favorites"),
            .renameList("winter", name: " Favorites"),
        ] {
            await #expect(throws: ListError.reservedName("Favorites")) {
                try await service.outbox?.save(edit)
            }
        }
        #expect(service.outbox?.changes.isEmpty == true)
    }

    // Rule: outbox/failed-save-sends-nothing (15)
    @Test func `a record of a sent change that cannot be written is written later`() async throws {
        let (server, isFull) = (OutboxServer(), Counter())
        var storage = OutboxStorage.inMemory()
        let append = storage.append
        storage.append = { bytes in
            if isFull.count == 1 { throw POSIXError(.ENOSPC) }
            try append(bytes)
        }
        let outbox = Outbox.controlled(storage: storage)
        var session = outbox.start { change in
            if case .setFavorite("other", _) = change.edit {
                throw NetworkError(NetworkResponse(statusCode: 500))
            }
            return try server.receive(change)
        }
        try await session.save(.setFavorite("other", to: true))
        try await session.save(.setFavorite("boots", to: true))
        isFull.next()
        try await session.sendAll()
        isFull.next()
        _ = try await session.perform(.setFavorite("boots", to: false))
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(
            server.edits.filter { $0.target == .favorite("boots") }.last
                == .setFavorite("boots", to: false)
        )
        #expect(server.edits.last == .setFavorite("other", to: true))
    }

    // Rule: outbox/waiting-changes-are-limited (12)
    @Test func `an edit that is too large is refused, and others are saved`() async throws {
        let outbox = Outbox.controlled().start { _ in throw NetworkError(.unreachable) }

        await #expect(throws: OutboxError(.tooLarge)) {
            try await outbox.save(
                .createList("winter", name: String(repeating: "x", count: 70_000))
            )
        }
        try await outbox.save(.createList("winter", name: String(repeating: "x", count: 20_000)))

        #expect(outbox.changes.count == 1)
    }

    // Rule: outbox/saves-share-one-sync (13)
    @Test func `edits that are saved during a sync share the next one`() async throws {
        let held = HeldStorage()
        let outbox = Outbox.controlled(storage: held.storage).start { _ in
            throw NetworkError(.unauthorized)
        }
        try await outbox.save(.setFavorite("first", to: true))
        try await outbox.sendAll()
        let before = held.syncs.count

        let saves = try await Self.saves(outbox, count: 20, during: held)
        for result in await saves.asyncResults { _ = try result.get() }

        #expect(outbox.changes.count == 22)
        #expect(held.syncs.count - before == 2)
    }

    /// Saves one edit whose sync is held, and others meanwhile.
    private static func saves(
        _ outbox: Outbox.Session,
        count: Int,
        during held: HeldStorage
    ) async throws -> [Task<Outbox.Change.ID, any Error>] {
        held.hold(thenFailing: false)
        // The executor has a thread of its own, which the sync may block.
        let first = Task(executorPreference: SerialTaskExecutor()) {
            try await outbox.save(.setFavorite("held", to: true))
        }
        let isHeld = await eventually { held.isHeld }
        #expect(isHeld)
        var saves: [Task<Outbox.Change.ID, any Error>] = []
        let executor = SerialTaskExecutor()
        for number in 0..<count {
            saves.append(
                Task(executorPreference: executor) {
                    try await outbox.save(.addProduct("\(number)", toList: "winter"))
                }
            )
        }
        // All of them wait for the next write now.
        await executor.waitUntilIdle()
        held.release()
        _ = try await first.value
        return saves
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test func `a file that cannot be opened is tried again with the next edit`() async throws {
        let (server, attempts, events) = (OutboxServer(), Counter(), Lines())
        let storage = OutboxStorage.inMemory()
        let outbox = Outbox(
            storage: { _ in
                if attempts.next() < 4 { throw OutboxError(.inUse) }
                return storage
            },
            report: { events.add($0.summary) }
        ).start(with: server)

        await #expect(throws: OutboxError(.inUse)) { try await outbox.sendAll() }
        // The sender may make any of the attempts.
        while (try? await outbox.save(.setFavorite("boots", to: true))) == nil {}
        try await outbox.sendAll()

        #expect(attempts.count == 4)
        #expect(server.edits == [.setFavorite("boots", to: true)])
        #expect(events.all.filter { $0.hasPrefix("failed") } == ["failed inUse "])
    }

    // Rule: outbox/failed-save-sends-nothing (15)
    @Test(arguments: ["append", "sync"])
    func `an edit that cannot be saved is not sent, and others are`(operation: String) async throws
    {
        let server = OutboxServer()
        let isFull = Mutex(false)
        var storage = OutboxStorage.inMemory()
        let (append, sync) = (storage.append, storage.sync)
        @Sendable func check(_ name: String) throws {
            if name == operation, isFull.withLock({ $0 }) { throw POSIXError(.ENOSPC) }
        }
        storage.append = { bytes in
            try check("append")
            try append(bytes)
        }
        storage.sync = {
            try check("sync")
            try sync()
        }
        let outbox = Outbox.controlled(storage: storage).start(with: server)
        server.failure = NetworkError(.unreachable)
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        isFull.withLock { $0 = true }

        let expected = OutboxError(.storageFailed, operation: operation, number: ENOSPC)
        await #expect(throws: expected) { try await outbox.save(.setFavorite("boots", to: false)) }
        #expect(outbox.changes.map(\.edit) == [.setFavorite("boots", to: true)])
        server.failure = nil
        try await outbox.sendAll()
        #expect(!server.edits.contains(.setFavorite("boots", to: false)))
        #expect(outbox.changes.isEmpty)

        isFull.withLock { $0 = false }
        _ = try await outbox.perform(.setFavorite("boots", to: false))
        #expect(server.edits.last == .setFavorite("boots", to: false))
    }

    // Rule: outbox/cancelled-save-saves-nothing (17)
    @Test func `a task that is cancelled before it saves saves nothing`() async throws {
        let outbox = Outbox.controlled().start(with: OutboxServer())

        let save = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await outbox.save(.setFavorite("boots", to: true))
        }

        await #expect(throws: CancellationError.self) { try await save.value }
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/cancelled-save-saves-nothing (17)
    @Test func `a caller that is cancelled while it waits has saved the edit`() async throws {
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let outbox = Outbox.controlled().start(for: "anna") { _ in try await gate.hold() }
        let caller = Task { try await outbox.perform(.setFavorite("boots", to: true)) }
        await gate.waitForCalls(1)

        caller.cancel()

        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(outbox.changes.count == 1)
        gate.open(returning: Outbox.Confirmation())
        let waiting = try await outbox.sendAll()
        #expect(waiting == 0)
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a discarded change is not sent, also after a restart`() async throws {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        let outbox = Outbox.controlled(storage: storage)
        var session = outbox.start { _ in throw NetworkError(.unreachable) }
        let id = try await session.save(.setFavorite("boots", to: true))
        try await session.save(.setFavorite("socks", to: true))
        try await session.sendAll()

        let isDiscarded = try await session.discard(id)
        let isDiscardedAgain = try await session.discard(id)

        #expect(isDiscarded && !isDiscardedAgain)
        await session.stop()
        session = outbox.start(with: server)
        try await session.sendAll()
        #expect(server.edits == [.setFavorite("socks", to: true)])
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a change in flight cannot be discarded`() async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start(for: "anna") { _ in try await gate.hold() }
        let id = try await outbox.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)

        let isDiscarded = try await outbox.discard(id)

        #expect(!isDiscarded)
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a change whose removal cannot be saved still waits`() async throws {
        let isFull = Mutex(false)
        var storage = OutboxStorage.inMemory()
        let append = storage.append
        storage.append = { bytes in
            if isFull.withLock({ $0 }) { throw POSIXError(.ENOSPC) }
            try append(bytes)
        }
        let outbox = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        let id = try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        isFull.withLock { $0 = true }

        await #expect(throws: OutboxError.self) { try await outbox.discard(id) }
        #expect(outbox.changes.map(\.id) == [id])
    }
}

extension [Task<Outbox.Change.ID, any Error>] {
    /// The results of all tasks, in their order.
    fileprivate var asyncResults: [Result<Outbox.Change.ID, any Error>] {
        get async {
            var results: [Result<Outbox.Change.ID, any Error>] = []
            for task in self { results.append(await task.result) }
            return results
        }
    }
}
