import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSavingTests {
    private let server = OutboxServer()
    private let edit = Outbox.Edit.setFavorite("boots", to: true)
    private let opposite = Outbox.Edit.setFavorite("boots", to: false)

    // Rule: outbox/change-keeps-its-identifier (1)
    @Test func `a change has the same identifier in each attempt and after a restart`() async throws
    {
        let storage = OutboxStorage.inMemory()
        server.failure = NetworkError(.connectionLost)
        var outbox = Outbox.controlled(storage: storage).start(with: server)
        let id = try await outbox.save(edit)
        try await outbox.sendAll()
        #expect(outbox.changes.map(\.id) == [id])
        #expect(id.rawValue.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        await outbox.stop()
        server.failure = nil

        outbox = Outbox.controlled(storage: storage).start(with: server)
        #expect(try await outbox.sendAll() == 0)

        #expect(server.changes.count >= 2 && Set(server.changes.map(\.id)) == [id])
        #expect(try await outbox.save(opposite) != id)
    }

    // Rule: outbox/edit-names-a-state (16)
    @Test func `an edit is sent although the server may have its value already`() async throws {
        server.fail(with: NetworkError(.connectionLost))
        let outbox = Outbox.controlled().start(with: server)
        #expect(try await outbox.perform(edit) == .saved)

        try await outbox.saveAndSend(opposite)

        #expect(server.edits == [edit, opposite] && outbox.changes.isEmpty)
    }

    // Rule: outbox/waiting-changes-are-limited (12)
    @Test func `at most as many changes wait as the limit`() async throws {
        let outbox = Outbox.controlled(limit: 2).start { _ in throw NetworkError(.unauthorized) }
        // From then on nothing is sent, so no change is in flight.
        try await outbox.saveAndSend(edit, .setFavorite("socks", to: true))

        await #expect(throws: OutboxError(.full)) {
            try await outbox.save(.setFavorite("hats", to: true))
        }
        // An edit that joins or replaces one needs no room.
        try await outbox.save(edit)
        try await outbox.save(opposite)
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
        try await outbox.save(edit)

        let results = try await results(ofSaving: 20, in: outbox, during: held)

        #expect(results.count { (try? $0.get()) != nil } == 8)
        #expect(outbox.changes.count == 10)
    }

    // Rule: outbox/waiting-changes-are-limited (12)
    @Test func `an edit that replaces another one takes no room from those that are saved with it`()
        async throws
    {
        let held = HeldStorage()
        let outbox = Outbox.controlled(storage: held.storage, limit: 3).start { _ in
            throw NetworkError(.unauthorized)
        }
        try await outbox.saveAndSend(edit)
        let first = try await held.hold { try await outbox.save(.setFavorite("held", to: true)) }
        let executor = SerialTaskExecutor()
        let edits = [Outbox.Edit.setFavorite("boots", to: false), .setFavorite("new", to: true)]
        let saves = edits.map { edit in
            Task(executorPreference: executor) { try await outbox.save(edit) }
        }
        await executor.waitUntilIdle()
        held.release()

        for save in saves + [first] { _ = try await save.value }
        #expect(Set(outbox.edits) == Set(edits + [.setFavorite("held", to: true)]))
        await #expect(throws: OutboxError(.full)) {
            try await outbox.save(.setFavorite("fourth", to: true))
        }
    }

    // Rule: outbox/saves-share-one-sync (13)
    @Test func `edits that are saved during a sync share the next one`() async throws {
        let held = HeldStorage()
        let outbox = Outbox.controlled(storage: held.storage).start { _ in
            throw NetworkError(.unauthorized)
        }
        try await outbox.saveAndSend(edit)
        let before = held.syncs.count

        for result in try await results(ofSaving: 20, in: outbox, during: held) {
            _ = try result.get()
        }

        #expect(outbox.changes.count == 22)
        #expect(held.syncs.count - before == 2)
    }

    /// Saves one edit whose sync is held, and others meanwhile, and returns the results of those.
    private func results(
        ofSaving count: Int,
        in outbox: Outbox.Session,
        during held: HeldStorage
    ) async throws -> [Result<Outbox.Change.ID, any Error>] {
        let first = try await held.hold { try await outbox.save(.setFavorite("held", to: true)) }
        let executor = SerialTaskExecutor()
        let saves = (0..<count).map { number in
            Task(executorPreference: executor) {
                try await outbox.save(.addProduct("\(number)", toList: "winter"))
            }
        }
        // All of them wait for the next write now.
        await executor.waitUntilIdle()
        held.release()
        _ = try await first.value
        var results: [Result<Outbox.Change.ID, any Error>] = []
        for save in saves { results.append(await save.result) }
        return results
    }

    // Rule: outbox/waiting-changes-are-limited (12); outbox/record-has-a-limit (30)
    @Test func `an edit that is too large is refused, and others are saved`() async throws {
        let outbox = Outbox.controlled().start { _ in throw NetworkError(.unreachable) }
        func name(_ count: Int) -> String { String(repeating: "x", count: count) }

        await #expect(throws: OutboxError(.tooLarge)) {
            try await outbox.save(.createList("winter", name: name(65_531)))
        }
        try await outbox.save(.createList("winter", name: name(65_530)))

        #expect(outbox.changes.map(\.edit) == [.createList("winter", name: name(65_530))])
    }

    // Rule: outbox/storage-failure-is-reported (27)
    @Test func `a failure of the storage is thrown by the save, and is an event`() async throws {
        let disk = SimulatedDisk()
        let events = Lines()
        let outbox = Outbox.controlled(storage: disk.storage) { events.add($0.summary) }
            .start { _ in throw NetworkError(.unreachable) }
        try await outbox.open()
        disk.fail(.append)

        let error = OutboxError(.append, number: EIO)
        await #expect(throws: error) { try await outbox.save(.deleteList("winter")) }

        #expect(events.all == ["failed storageFailed append"])
    }

    // Rule: outbox/incomplete-edit-is-refused (68)
    @Test(arguments: [
        Outbox.Edit.setFavorite("", to: true), .addProduct("boots", toList: ""),
        .removeProduct("", fromList: "winter"), .createList("", name: "Winter"),
        .createList("winter", name: " "), .renameList("winter", name: ""), .deleteList(""),
    ])
    func `an edit with an empty identifier or name is refused`(edit: Outbox.Edit) async throws {
        let outbox = Outbox.controlled().start(with: server)

        await #expect(throws: OutboxError(.invalidEdit)) { try await outbox.save(edit) }
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/incomplete-edit-is-refused (68)
    @Test(arguments: [
        Outbox.Edit.createList("new", name: "Favorites"), .renameList("a", name: " Favorites"),
    ])
    func `a reserved name is refused when the edit is saved`(edit: Outbox.Edit) async throws {
        let service = ProductService(
            loader: .only(),
            listManager: ListManager.only().hidingLists(named: "Favorites"),
            localUser: .shopper,
            user: .guest,
            outbox: .controlled()
        )

        await #expect(throws: ListError.reservedName("Favorites")) {
            try await service.outbox?.save(edit)
        }
        #expect(service.outbox?.changes.isEmpty == true)
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test func `a file that cannot be opened is tried again every minute`() async throws {
        let clock = ManualClock()
        let files = FailingStorage(memory: try await .saving(edit), failing: [.open])

        let outbox = Outbox(storage: { _ in try files.open() }, effects: clock.effects())
            .start(with: server)
        await clock.waitForSleeps(1)
        #expect(clock.delays == [.seconds(60)])
        files.failing = []
        clock.advance(by: .seconds(60))

        #expect(await eventually { server.edits == [edit] })
        await outbox.stop()
    }

    // Rule: outbox/opening-is-tried-again (14)
    @Test func `a file that cannot be opened is tried again with the next edit`() async throws {
        let (attempts, events) = (Counter(), Lines())
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
        while (try? await outbox.save(edit)) == nil {}
        try await outbox.sendAll()

        #expect(attempts.count == 4 && server.edits == [edit])
        #expect(events.all.filter { $0.hasPrefix("failed") } == ["failed inUse "])
    }

    // Rule: outbox/failed-save-sends-nothing (15)
    @Test(arguments: [.append, .sync] as [OutboxStorage.Operation])
    func `an edit that cannot be saved is not sent, and others are`(
        operation: OutboxStorage.Operation
    ) async throws {
        let files = FailingStorage()
        let outbox = Outbox.controlled(storage: files.storage).start(with: server)
        server.failure = NetworkError(.unreachable)
        try await outbox.saveAndSend(edit)
        files.failing = [operation]

        let error = OutboxError(operation, number: ENOSPC)
        await #expect(throws: error) { try await outbox.save(opposite) }
        #expect(outbox.edits == [edit])
        server.failure = nil
        try await outbox.sendAll()
        #expect(Set(server.edits) == [edit] && outbox.changes.isEmpty)

        files.failing = []
        _ = try await outbox.perform(opposite)
        #expect(server.edits.last == opposite)
    }

    // Rule: outbox/failed-save-sends-nothing (15)
    @Test func `a record of a sent change that cannot be written is written later`() async throws {
        let files = FailingStorage()
        let outbox = Outbox.controlled(storage: files.storage)
        let other = Outbox.Edit.setFavorite("other", to: true)
        var session = outbox.start { [server] change in
            if change.edit == other { throw NetworkError(NetworkResponse(statusCode: 500)) }
            return try server.receive(change)
        }
        try await session.save(other)
        try await session.save(edit)
        files.failing = [.append]
        try await session.sendAll()
        files.failing = []
        _ = try await session.perform(opposite)
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [edit, opposite, other])
    }

    // Rule: outbox/cancelled-save-saves-nothing (17)
    @Test func `a task that is cancelled before it saves saves nothing`() async throws {
        let outbox = Outbox.controlled().start(with: server)

        let save = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await outbox.save(edit)
        }

        await #expect(throws: CancellationError.self) { try await save.value }
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/cancelled-save-saves-nothing (17)
    @Test func `a caller that is cancelled while it waits has saved the edit`() async throws {
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        let caller = Task { try await outbox.perform(edit) }
        await gate.waitForCalls(1)

        caller.cancel()

        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(outbox.changes.count == 1)
        gate.open(returning: Outbox.Confirmation())
        #expect(try await outbox.sendAll() == 0)
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a discarded change is not sent, also after a restart`() async throws {
        let outbox = Outbox.controlled()
        var session = outbox.start { _ in throw NetworkError(.unreachable) }
        let id = try await session.save(edit)
        try await session.saveAndSend(.setFavorite("socks", to: true))

        #expect(try await session.discard(id))
        #expect(try await !session.discard(id))
        await session.stop()
        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [.setFavorite("socks", to: true)])
    }

    // Rule: outbox/discard-removes-waiting-change (49)
    @Test func `a change whose removal cannot be saved still waits`() async throws {
        let files = FailingStorage()
        let outbox = Outbox.controlled(storage: files.storage).start { _ in
            throw NetworkError(.unreachable)
        }
        let id = try await outbox.save(edit)
        try await outbox.sendAll()
        files.failing = [.append]

        await #expect(throws: OutboxError.self) { try await outbox.discard(id) }
        #expect(outbox.changes.map(\.id) == [id])
    }
}
