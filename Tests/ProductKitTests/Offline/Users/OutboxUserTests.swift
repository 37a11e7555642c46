import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxUserTests {
    private let server = OutboxServer()
    private let events = Lines()
    private let boots = Outbox.Edit.setFavorite("boots", to: true)
    private let socks = Outbox.Edit.setFavorite("socks", to: true)

    // Rule: outbox/same-user-continues-changes (56)
    @Test func `another start of the same user sends with the new closure`() async throws {
        let outbox = Outbox.controlled()
        try await outbox.start { _ in throw NetworkError(.unreachable) }.saveAndSend(boots)

        let session = outbox.start(with: server)

        #expect(try await session.sendAll() == 0)
        #expect(server.edits == [boots])
    }

    // Rule: outbox/same-user-continues-changes (56)
    @Test func `the changes of another user stay on disk until that user starts again`()
        async throws
    {
        let ben = OutboxServer()
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox()
        var session = outbox.start(for: "anna", with: server)
        let id = try await session.save(boots)
        try await session.sendAll()

        session = outbox.start(for: "ben", with: ben)
        #expect(session.changes.isEmpty)
        try await session.sendAll()
        #expect(ben.edits.isEmpty)

        session = outbox.start(for: "anna", with: server)
        try await session.open()
        #expect(session.changes.map(\.id) == [id])
        try await session.sendAll()
        server.failure = nil
        try await session.sendAll()
        #expect(server.changes.last?.id == id && session.changes.isEmpty)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `removing all ends the session, the attempts and the waiting callers`() async throws
    {
        let (storage, gate) = (OutboxStorage.inMemory(), ActionGate<Outbox.Confirmation>())
        let ends = Counter()
        let outbox = Outbox.controlled(
            storage: storage,
            report: { [events] in events.add($0.summary) }
        )
        var session = outbox.start { _ in
            defer { ends.next() }
            return try await gate.hold()
        }
        let caller = Task { [session] in try await session.perform(boots) }
        await gate.waitForCalls(1)
        try await session.save(.setFavorite("boots", to: false))

        try await session.removeAll()

        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(await eventually { ends.count == 1 })
        #expect(session.changes.isEmpty)
        await #expect(throws: OutboxError(.notStarted)) { try await session.save(boots) }
        session = outbox.start(with: server)
        #expect(try await session.sendAll() == 0)
        #expect(server.edits.isEmpty && events.all.allSatisfy { $0.hasPrefix("saved") })
        #expect(try !storage.text.contains("boots"))
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `an outcome of an earlier session is dropped`() async throws {
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let outbox = Outbox.controlled(report: { [events] in events.add($0.summary) })
        var session = outbox.start { _ in try await gate.hold() }
        try await session.save(boots)
        await gate.waitForCalls(1)
        try await session.removeAll()
        server.failure = NetworkError(.unreachable)
        session = outbox.start(with: server)
        let later = Outbox.Edit.setFavorite("boots", to: false)
        try await session.saveAndSend(later)

        gate.open(returning: Outbox.Confirmation())
        server.failure = nil
        try await session.sendAll()

        #expect(events.all.filter { $0.hasPrefix("sent") } == ["sent \(later)"])
        #expect(session.changes.isEmpty)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test(arguments: [false, true])
    func `removing all reports a file that could not be emptied, and empties the memory`(
        startsAgain: Bool
    ) async throws {
        let files = FailingStorage()
        let outbox = Outbox.controlled(storage: files.storage)
        let session = try await outbox.open()
        try await session.saveAndSend(boots)
        files.failing = [.truncate, .writeReplacement]

        for _ in 0..<2 {
            await #expect(throws: OutboxError.self) { try await session.removeAll() }
        }
        #expect(session.changes.isEmpty)
        files.failing = []
        if startsAgain {
            #expect(try await outbox.open().changes.isEmpty)
        } else {
            try await session.removeAll()
        }
        #expect(try !files.storage.text.contains("boots"))
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test(arguments: [false, true])
    func `removing all also removes the changes that another start has left on disk`(
        startsAgain: Bool
    ) async throws {
        let outbox = Outbox()
        let first = try await outbox.open()
        try await first.save(boots)
        var ben = try await outbox.open(for: "ben")
        try await ben.save(socks)
        if startsAgain {
            _ = try await outbox.open()
            ben = try await outbox.open(for: "ben")
        }

        try await first.removeAll()

        #expect(ben.edits == [socks])
        try await ben.save(.setFavorite("hats", to: true))
        #expect(try await outbox.open().edits == (startsAgain ? [boots] : []))
        #expect(try await outbox.open(for: "ben").changes.count == 2)
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `an erasure that fails can be repeated after another start`() async throws {
        let files = FailingStorage()
        let outbox = Outbox(storage: { $0 == "anna" ? try files.open() : .inMemory() })
        let anna = try await outbox.open()
        try await anna.save(boots)
        _ = try await outbox.open(for: "ben")
        files.failing = [.open]

        await #expect(throws: OutboxError(.inUse)) { try await anna.removeAll() }
        files.failing = []
        try await anna.removeAll()

        #expect(try !files.storage.text.contains("boots"))
    }

    // Rule: outbox/events-report-each-step (55)
    @Test func `the events of a session end with it, and are those of its user`() async throws {
        var storage = OutboxStorage.inMemory()
        let isDamaged = Mutex(false)
        storage.load = { [load = storage.load] in
            isDamaged.withLock(\.self) ? try load() + Data("damage".utf8) : try load()
        }
        let outbox = Outbox.controlled(storage: storage)
        let anna = outbox.start { _ in throw NetworkError(.unauthorized) }
        let (all, events) = (outbox.events(), anna.events())
        try await anna.save(boots)
        let ben = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) }
        let own = ben.events()
        try await ben.save(socks)
        isDamaged.withLock { $0 = true }
        // Signing out reads the file of Anna, and reports the damage.
        try await anna.removeAll()
        await ben.stop()

        func summaries(of events: AsyncStream<Outbox.Event>) async -> [String] {
            await events.reduce(into: []) { $0.append($1.summary) }
        }
        for (events, edit) in [(events, boots), (own, socks)] {
            let summaries = await summaries(of: events)
            #expect(summaries.first == "saved \(edit)")
            #expect(summaries.allSatisfy { $0.hasSuffix("\(edit)") })
        }
        #expect(await summaries(of: anna.events()).isEmpty)
        for await case .damaged in all { break }
    }

    // Rule: outbox/sign-out-can-keep-changes (58)
    @Test(arguments: [false, true])
    func `changes that a sign-out keeps stay after another one`(isReplaced: Bool) async throws {
        let outbox = Outbox()
        let first = try await outbox.open()
        try await first.save(boots)
        if isReplaced { _ = outbox.start(for: "ben") { _ in throw NetworkError(.unauthorized) } }

        await first.stop()
        try await first.removeAll()

        #expect(try await outbox.open().edits == [boots])
    }
}
