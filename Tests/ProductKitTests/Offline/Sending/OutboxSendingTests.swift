import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSendingTests {
    // Rule: outbox/saving-triggers-sending (18)
    @Test func `a saved edit is sent without another call`() async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let (events, event) = AsyncStream.makeStream(of: String.self)
        let outbox = Outbox.controlled(report: { event.yield($0.summary) }).start { _ in
            try await gate.hold()
        }
        gate.open(returning: Outbox.Confirmation())

        try await outbox.save(.setFavorite("boots", to: true))

        var received: [String] = []
        for await event in events {
            received.append(event)
            if received.count == 2 { break }
        }
        #expect(
            received == ["saved setFavorite(boots, to: true)", "sent setFavorite(boots, to: true)"]
        )
    }

    // Rule: outbox/targets-send-concurrently (3)
    @Test func `four targets are sent at once, and a hanging one delays no other`() async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let server = OutboxServer()
        let outbox = Outbox.controlled().start { change in
            if case .setFavorite("hangs", _) = change.edit { return try await gate.hold() }
            return try server.receive(change)
        }
        try await outbox.save(.setFavorite("hangs", to: true))
        await gate.waitForCalls(1)

        for number in 0..<20 { _ = try await outbox.perform(.setFavorite("\(number)", to: true)) }

        #expect(server.edits.count == 20)
        #expect(outbox.changes.map(\.edit) == [.setFavorite("hangs", to: true)])
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/attempt-ends-after-two-minutes (46)
    @Test func `an attempt that ignores its cancellation delays its product only`() async throws {
        let (clock, gate) = (
            ManualClock(), ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        )
        let server = OutboxServer()
        let outbox = Outbox.controlled(clock: clock).start { change in
            if case .setFavorite("hangs", _) = change.edit { return try await gate.hold() }
            return try server.receive(change)
        }
        try await outbox.save(.setFavorite("hangs", to: true))
        await gate.waitForCalls(1)
        await clock.waitForSleeps(1)
        clock.advance(by: .seconds(120))

        // The limit of the attempt has passed, so nothing is counted as in flight.
        try await outbox.save(.setFavorite("hangs", to: false))
        let waiting = try #require(await outbox.promptSendAll())
        let other = await outbox.outcome(of: .setFavorite("boots", to: true))

        #expect(waiting >= 1)
        #expect(gate.count == 1)
        #expect(try other?.get().confirmation != nil)
        gate.open(returning: Outbox.Confirmation())
        let isSent = await eventually { outbox.changes.isEmpty }
        #expect(isSent)
    }

    // Rule: outbox/attempt-ends-after-two-minutes (46)
    @Test func `an attempt that hangs ends after two minutes`() async throws {
        let (clock, gate) = (ManualClock(), ActionGate<Outbox.Confirmation>())
        let outbox = Outbox.controlled(clock: clock).start { _ in try await gate.hold() }
        let caller = Task { try await outbox.perform(.setFavorite("boots", to: true)) }
        await gate.waitForCalls(1)
        await clock.waitForSleeps(1)
        try #require(clock.delays == [.seconds(120)])

        clock.advance(by: .seconds(120))

        #expect(try await caller.value == .saved)
        #expect(gate.count == 0)
    }

    // Rule: outbox/caller-does-not-own-attempt (47)
    @Test func `an attempt has no task-local values of the caller`() async throws {
        let values = Lines()
        let outbox = Outbox.controlled().start { _ in
            values.add(Self.$screen.get() ?? "none")
            return Outbox.Confirmation()
        }

        try await Self.$screen.withValue("product") {
            try await outbox.perform(.setFavorite("boots", to: true))
        }

        #expect(values.all == ["none"])
    }

    @TaskLocal private static var screen: String?

    // Rule: outbox/attempts-retain-the-outbox (52)
    @Test func `an outbox in use by no one is released, and a change in flight ends`() async throws
    {
        let gate = ActionGate<Outbox.Confirmation>()
        let (events, event) = AsyncStream.makeStream(of: String.self)
        var outbox: Outbox? = Outbox.controlled(report: { event.yield($0.summary) })
        weak let released = outbox
        var session = outbox?.start { _ in try await gate.hold() }
        try await session?.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)

        (outbox, session) = (nil, nil)

        #expect(released == nil)
        gate.open(returning: Outbox.Confirmation())
        for await event in events where event.hasPrefix("sent") { break }
    }

    // Rule: outbox/wake-ups-resume-sending (53)
    @Test func `a wake-up ends the delays`() async throws {
        let (server, storage) = (OutboxServer(), OutboxStorage.inMemory())
        let (events, event) = AsyncStream.makeStream(of: String.self)
        let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self)
        server.fail(with: NetworkError(.unreachable))
        let outbox = Outbox(
            storage: { _ in storage },
            effects: ManualClock().effects(random: { $0.upperBound }),
            wakeUps: { wakeUps },
            report: { event.yield($0.summary) }
        ).start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))

        for await event in events {
            // The wake-up comes when the delay has begun.
            if event.hasPrefix("postponed") { wakeUp.yield() }
            if event.hasPrefix("sent") { break }
        }

        #expect(server.edits.count == 2)
    }

    // Rule: outbox/sent-change-leaves-file (64)
    @Test func `a change that was sent is not sent again after a restart`() async throws {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        let outbox = Outbox.controlled(storage: storage)
        var session = outbox.start { change in
            guard change.edit == .setFavorite("boots", to: true) else {
                throw NetworkError(NetworkResponse(statusCode: 500))
            }
            return Outbox.Confirmation()
        }
        try await session.save(.setFavorite("socks", to: true))
        try await session.save(.setFavorite("boots", to: true))
        try await session.sendAll()
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [.setFavorite("socks", to: true)])
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a change that was in flight leaves at a restart if a later one replaces it`()
        async throws
    {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled(storage: storage)
        var session = outbox.start { _ in try await gate.hold() }
        try await session.save(.setFavorite("boots", to: true))
        try await session.save(.addProduct("boots", toList: "winter"))
        await gate.waitForCalls(2)
        try await session.save(.setFavorite("boots", to: false))
        try await session.save(.addProduct("boots", toList: "winter"))
        #expect(session.changes.count == 4)
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(
            Set(server.edits) == [
                .setFavorite("boots", to: false), .addProduct("boots", toList: "winter"),
            ]
        )
        #expect(server.edits.count == 2)
    }

    // Rule: outbox/target-sends-in-order (2)
    @Test func `a list that was created twice is created before its products after a restart`()
        async throws
    {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled(storage: storage)
        var session = outbox.start { _ in try await gate.hold() }
        try await session.save(.createList("winter", name: "Winter"))
        await gate.waitForCalls(1)
        try await session.save(.addProduct("boots", toList: "winter"))
        try await session.save(.createList("winter", name: "Winter"))
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(
            server.edits == [
                .createList("winter", name: "Winter"), .addProduct("boots", toList: "winter"),
            ]
        )
    }

    // Rule: outbox/rejections-stay-until-dismissed (54)
    @Test func `a rejection stays until it is dismissed, also after a restart`() async throws {
        let (storage, server) = (OutboxStorage.inMemory(), OutboxServer())
        server.failure = ProductError.notFound("boots")
        let outbox = Outbox.controlled(storage: storage)
        var session = outbox.start(with: server)
        let id = try await session.save(.setFavorite("boots", to: true))
        try await session.sendAll()
        await session.stop()
        session = outbox.start(with: server)
        try await session.open()

        let rejection = try #require(session.rejections.first)
        #expect(rejection.id == id)
        #expect(rejection.change.edit == .setFavorite("boots", to: true))
        #expect(rejection.message.hasPrefix("This product does not exist."))
        #expect(session.changes.isEmpty)

        #expect(session.dismiss(id))
        #expect(!session.dismiss(id))
        await session.stop()
        session = outbox.start(with: server)
        try await session.open()
        #expect(session.rejections.isEmpty)
        #expect(server.edits.count == 1)
    }

    // Rule: outbox/rejections-stay-until-dismissed (54)
    @Test func `as many rejections are preserved as changes may wait`() async throws {
        let outbox = Outbox.controlled(limit: 150).start { change in
            throw ListError.notFound("winter")
        }

        for number in 0..<151 {
            _ = try? await outbox.perform(.setFavorite("\(number)", to: true))
        }

        #expect(outbox.rejections.count == 150)
        #expect(outbox.rejections.first?.change.edit == .setFavorite("1", to: true))
    }

    // Rule: outbox/events-report-each-step (55)
    @Test func `each stream of events has all events from then on`() async throws {
        let server = OutboxServer()
        let events: AsyncStream<Outbox.Event>
        do {
            let source = Outbox.controlled()
            let outbox = source.start(with: server)
            _ = try await outbox.perform(.setFavorite("boots", to: true))
            events = source.events()
            server.failure = NetworkError(.unreachable)
            try await outbox.save(.setFavorite("boots", to: false))
            try await outbox.sendAll()
            try await outbox.save(.setFavorite("boots", to: true))
            server.failure = ProductError.notFound("boots")
            try await outbox.sendAll()
            await outbox.stop()
        }

        var received: [String] = []
        for await event in events { received.append(event.summary) }
        #expect(received.first == "saved setFavorite(boots, to: false)")
        #expect(received.contains("postponed setFavorite(boots, to: false)"))
        #expect(received.contains("removed setFavorite(boots, to: false)"))
        #expect(received.last == "rejected setFavorite(boots, to: true)")
    }
}
