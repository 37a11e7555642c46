import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxUserTests {
    // Rule: outbox/same-user-continues-changes (56)
    @Test func `another start of the same user sends with the new closure`() async throws {
        let server = OutboxServer()
        let outbox = Outbox.controlled()
        var session = outbox.start { _ in throw NetworkError(.unreachable) }
        try await session.save(.setFavorite("boots", to: true))
        try await session.sendAll()

        session = outbox.start(with: server)
        let waiting = try await session.sendAll()

        #expect(waiting == 0)
        #expect(server.edits == [.setFavorite("boots", to: true)])
    }

    // Rule: outbox/same-user-continues-changes (56)
    @Test func `the changes of another user stay on disk until that user starts again`()
        async throws
    {
        let (anna, ben) = (OutboxServer(), OutboxServer())
        anna.failure = NetworkError(.unreachable)
        let outbox = Outbox()
        var session = outbox.start(for: "anna", with: anna)
        let id = try await session.save(.setFavorite("boots", to: true))
        try await session.sendAll()

        session = outbox.start(for: "ben", with: ben)
        #expect(session.changes.isEmpty)
        try await session.sendAll()
        #expect(ben.edits.isEmpty)

        session = outbox.start(for: "anna", with: anna)
        try await session.open()
        #expect(session.changes.map(\.id) == [id])
        anna.failure = nil
        try await session.sendAll()
        #expect(anna.changes.last?.id == id)
        #expect(session.changes.isEmpty)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `removing all ends the session, the attempts and the waiting callers`() async throws
    {
        let (storage, gate) = (OutboxStorage.inMemory(), ActionGate<Outbox.Confirmation>())
        let events = Lines()
        let outbox = Outbox.controlled(storage: storage, report: { events.add($0.summary) })
        var session = outbox.start { _ in try await gate.hold() }
        let caller = Task { [session] in try await session.perform(.setFavorite("boots", to: true))
        }
        await gate.waitForCalls(1)
        try await session.save(.setFavorite("boots", to: false))

        try session.removeAll()

        await #expect(throws: CancellationError.self) { try await caller.value }
        let isCancelled = await eventually { gate.count == 0 }
        #expect(isCancelled)
        #expect(session.changes.isEmpty)
        await #expect(throws: OutboxError(.notStarted)) {
            try await session.save(.setFavorite("boots", to: true))
        }
        let server = OutboxServer()
        session = outbox.start(with: server)
        let waiting = try await session.sendAll()
        #expect(waiting == 0)
        #expect(server.edits.isEmpty)
        #expect(events.all.allSatisfy { $0.hasPrefix("saved") })
        try #expect(!String(decoding: storage.load(), as: UTF8.self).contains("boots"))
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `an outcome of an earlier session is dropped`() async throws {
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let (server, events) = (OutboxServer(), Lines())
        let outbox = Outbox.controlled(report: { events.add($0.summary) })
        var session = outbox.start { _ in try await gate.hold() }
        try await session.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)
        try session.removeAll()
        server.failure = NetworkError(.unreachable)
        session = outbox.start(with: server)
        try await session.save(.setFavorite("boots", to: false))
        try await session.sendAll()

        gate.open(returning: Outbox.Confirmation())
        server.failure = nil
        try await session.sendAll()

        #expect(
            events.all.filter { $0.hasPrefix("sent") } == ["sent setFavorite(boots, to: false)"]
        )
        #expect(session.changes.isEmpty)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `removing all reports a file that could not be emptied, and empties the memory`()
        async throws
    {
        let isBroken = Mutex(false)
        var storage = OutboxStorage.inMemory()
        let (truncate, write) = (storage.truncate, storage.writeReplacement)
        storage.truncate = { count in
            if isBroken.withLock({ $0 }) { throw POSIXError(.EIO) }
            try truncate(count)
        }
        storage.writeReplacement = { bytes in
            if isBroken.withLock({ $0 }) { throw POSIXError(.EIO) }
            try write(bytes)
        }
        let outbox = Outbox.controlled(storage: storage).start { _ in
            throw NetworkError(.unreachable)
        }
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        isBroken.withLock { $0 = true }

        #expect(throws: OutboxError.self) { try outbox.removeAll() }
        #expect(outbox.changes.isEmpty)
    }

    // Rule: outbox/sign-out-can-keep-changes (58)
    @Test func `stopping leaves the changes for the next start`() async throws {
        let server = OutboxServer()
        let outbox = Outbox.controlled()
        var session = outbox.start { _ in throw NetworkError(.unreachable) }
        try await session.save(.setFavorite("boots", to: true))

        session.stop()
        #expect(session.changes.isEmpty)
        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [.setFavorite("boots", to: true)])
    }
}
