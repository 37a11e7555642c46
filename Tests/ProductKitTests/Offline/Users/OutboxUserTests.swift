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

        try await session.removeAll()

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
        try await session.removeAll()
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
    @Test(arguments: [false, true])
    func `removing all reports a file that could not be emptied, and empties the memory`(
        startsAgain: Bool
    ) async throws {
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
        let outbox = Outbox.controlled(storage: storage)
        let session = outbox.start { _ in throw NetworkError(.unreachable) }
        try await session.save(.setFavorite("boots", to: true))
        try await session.sendAll()
        isBroken.withLock { $0 = true }

        await #expect(throws: OutboxError.self) { try await session.removeAll() }
        await #expect(throws: OutboxError.self) { try await session.removeAll() }
        #expect(session.changes.isEmpty)
        isBroken.withLock { $0 = false }
        if startsAgain {
            let again = outbox.start { _ in throw NetworkError(.unreachable) }
            try await again.open()
            #expect(again.changes.isEmpty)
        } else {
            try await session.removeAll()
        }
        try #expect(!String(decoding: storage.load(), as: UTF8.self).contains("boots"))
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test(arguments: [false, true])
    func `removing all also removes the changes that another start has left on disk`(
        startsAgain: Bool
    ) async throws {
        let outbox = Outbox()
        func start(for user: String) async throws -> Outbox.Session {
            let session = outbox.start(for: user) { _ in throw NetworkError(.unauthorized) }
            try await session.open()
            return session
        }
        let first = try await start(for: "anna")
        try await first.save(.setFavorite("boots", to: true))
        var ben = try await start(for: "ben")
        try await ben.save(.setFavorite("socks", to: true))
        if startsAgain {
            _ = try await start(for: "anna")
            ben = try await start(for: "ben")
        }

        try await first.removeAll()

        #expect(ben.changes.map(\.edit) == [.setFavorite("socks", to: true)])
        try await ben.save(.setFavorite("hats", to: true))
        let anna = try await start(for: "anna")
        #expect(anna.changes.map(\.edit) == (startsAgain ? [.setFavorite("boots", to: true)] : []))
        ben = try await start(for: "ben")
        #expect(ben.changes.count == 2)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `an erasure that fails can be repeated after another start`() async throws {
        let storage = OutboxStorage.inMemory()
        let isBroken = Mutex(false)
        let outbox = Outbox(storage: { user in
            if isBroken.withLock(\.self) { throw OutboxError(.inUse) }
            return user == "anna" ? storage : .inMemory()
        })
        let anna = outbox.start(for: "anna") { _ in throw NetworkError(.unreachable) }
        try await anna.save(.setFavorite("boots", to: true))
        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unreachable) }
        try await ben.open()
        isBroken.withLock { $0 = true }

        await #expect(throws: OutboxError(.inUse)) { try await anna.removeAll() }
        isBroken.withLock { $0 = false }
        try await anna.removeAll()

        try #expect(!String(decoding: storage.load(), as: UTF8.self).contains("boots"))
    }

    // Rule: outbox/events-report-each-step (55)
    @Test func `the events of a session end with it, and are those of its user`() async throws {
        var storage = OutboxStorage.inMemory()
        let isDamaged = Mutex(false)
        let load = storage.load
        storage.load = {
            isDamaged.withLock(\.self) ? try load() + Data("damage".utf8) : try load()
        }
        let outbox = Outbox(storage: { [storage] in $0 == "anna" ? storage : .inMemory() })
        let anna = outbox.start(for: "anna") { _ in throw NetworkError(.unauthorized) }
        let (all, events) = (outbox.events(), anna.events())
        try await anna.save(.setFavorite("boots", to: true))
        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        let own = ben.events()
        try await ben.save(.setFavorite("socks", to: true))
        isDamaged.withLock { $0 = true }
        // Signing out reads the file of Anna, and reports the damage.
        try await anna.removeAll()
        await ben.stop()

        func summaries(of events: AsyncStream<Outbox.Event>) async -> [String] {
            var summaries: [String] = []
            for await event in events { summaries.append(event.summary) }
            return summaries
        }
        let (first, second) = await (summaries(of: events), summaries(of: own))
        #expect(first.first == "saved setFavorite(boots, to: true)")
        #expect(first.allSatisfy { $0.contains("boots") })
        #expect(second.first == "saved setFavorite(socks, to: true)")
        #expect(second.allSatisfy { $0.contains("socks") })
        for await event in anna.events() { Issue.record("\(event)") }
        var damages = all.makeAsyncIterator()
        while let event = await damages.next() {
            if case .damaged = event { break }
        }
    }

    // Rule: outbox/sign-out-can-keep-changes (58)
    @Test(arguments: [false, true])
    func `changes that a sign-out keeps stay after another one`(isReplaced: Bool) async throws {
        let outbox = Outbox()
        func start(for user: String) -> Outbox.Session {
            outbox.start(for: user) { _ in throw NetworkError(.unauthorized) }
        }
        let first = start(for: "anna")
        try await first.save(.setFavorite("boots", to: true))
        if isReplaced { _ = start(for: "ben") }

        await first.stop()
        try await first.removeAll()

        let anna = start(for: "anna")
        try await anna.open()
        #expect(anna.changes.map(\.edit) == [.setFavorite("boots", to: true)])
    }

    // Rule: outbox/sign-out-can-keep-changes (58)
    @Test func `stopping leaves the changes for the next start`() async throws {
        let server = OutboxServer()
        let outbox = Outbox.controlled()
        var session = outbox.start { _ in throw NetworkError(.unreachable) }
        try await session.save(.setFavorite("boots", to: true))

        await session.stop()
        #expect(session.changes.isEmpty)
        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [.setFavorite("boots", to: true)])
    }
}
