import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDelayTests {
    // Rule: outbox/user-ends-delays (39)
    @Test func `an outage ends with the delay, a new edit, resume and sendAll`() async throws {
        let (server, clock) = (OutboxServer(), ManualClock())
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox.controlled(clock: clock).start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        let count = server.edits.count

        // The edit of another product ends the delay, too.
        let outcome = await outbox.outcome(of: .setFavorite("socks", to: true))
        #expect(try outcome?.get() == .saved)
        #expect(server.edits.count > count)

        server.failure = nil
        let waiting = try await outbox.sendAll()
        #expect(waiting == 0)
    }

    // Rule: outbox/outage-delays-everything (38)
    @Test func `a change is sent again when the delay ends`() async throws {
        let (server, clock) = (OutboxServer(), ManualClock())
        let (events, event) = AsyncStream.makeStream(of: String.self)
        server.fail(with: NetworkError(.unreachable))
        let outbox = Outbox.controlled(clock: clock, report: { event.yield($0.summary) }).start(
            with: server
        )

        try await outbox.save(.setFavorite("boots", to: true))
        var received: [String] = []
        for await event in events {
            received.append(event)
            if event.hasPrefix("postponed") {
                // One sleep is the limit of the attempt, the other one is the delay.
                await clock.waitForSleeps(2)
                #expect(server.edits.count == 1)
                clock.advance(by: .seconds(1))
            }
            if event.hasPrefix("sent") { break }
        }

        #expect(server.edits.count == 2)
        #expect(Set(server.changes.map(\.id)).count == 1)
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test func `a delay that the server requires lasts for a day at most`() async throws {
        let (server, clock) = (OutboxServer(), ManualClock())
        let response = NetworkResponse(statusCode: 503, headers: ["Retry-After": "999999999"])
        server.fail(with: NetworkError(response))
        let outbox = Outbox.controlled(clock: clock).start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        await clock.waitForSleeps(2)

        clock.advance(by: .seconds(86_399))
        try await outbox.sendAll()
        #expect(server.edits.count == 1)
        clock.advance(by: .seconds(1))

        let isSent = await eventually { outbox.changes.isEmpty }
        #expect(isSent)
    }

    // Rule: outbox/server-delay-is-kept (40)
    @MainActor @Test(arguments: [429, 503])
    func `a person ends the delay that the server requires`(statusCode: Int) async throws {
        let (server, clock) = (OutboxServer(), ManualClock())
        let headers: NetworkHeaders = ["Retry-After": "86400"]
        server.failure = NetworkError(NetworkResponse(statusCode: statusCode, headers: headers))
        let outbox = Outbox.controlled(clock: clock).start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))
        try await outbox.sendAll()
        outbox.resume()
        #expect(try await outbox.sendAll() == 1)
        #expect(server.edits.count == 1)

        #expect(try await outbox.sendAll(ignoringRetryAfter: true) == 1)
        #expect(server.edits.count == 2)
        #expect(try await outbox.sendAll() == 1)
        #expect(server.edits.count == 2)
        server.failure = nil
        let screen = PendingChangesViewModel(actions: .init(outbox: outbox))
        #expect(try await screen.send() == 0)

        #expect(server.edits.count == 3)
    }

    // Rule: outbox/no-failure-count-removes (44)
    @Test func `no number of failures removes a change`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(NetworkResponse(statusCode: 500))
        let outbox = Outbox.controlled().start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))

        for _ in 0..<50 { try await outbox.sendAll() }

        #expect(server.edits.count >= 50)
        #expect(outbox.changes.count == 1)
        #expect(outbox.rejections.isEmpty)
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test func `a change is rejected after the fifth conflict`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(NetworkResponse(statusCode: 409))
        let outbox = Outbox.controlled().start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))

        for _ in 0..<5 { try await outbox.sendAll() }

        #expect(server.edits.count == 5)
        #expect(outbox.changes.isEmpty)
        #expect(outbox.rejections.count == 1)
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test(arguments: [401, 500, 503])
    func `another failure ends the conflicts in a row`(status: Int) async throws {
        let server = OutboxServer()
        server.failure = NetworkError(NetworkResponse(statusCode: 409))
        let outbox = Outbox.controlled().start(with: server)
        try await outbox.save(.setFavorite("boots", to: true))

        for _ in 0..<4 { try await outbox.sendAll() }
        server.fail(with: NetworkError(NetworkResponse(statusCode: status)))
        for _ in 0..<5 { try await outbox.sendAll() }
        #expect(outbox.changes.count == 1)
        try await outbox.sendAll()

        #expect(server.edits.count == 10)
        #expect(outbox.changes.isEmpty && outbox.rejections.count == 1)
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `a delay that has passed starts no timer while a caller waits for the rest`()
        async throws
    {
        let (clock, failures) = (ManualClock(), Counter())
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled(
            clock: clock,
            report: { if case .postponed = $0 { failures.next() } }
        ).start { change in
            if change.edit == .setFavorite("boots", to: true) { return try await gate.hold() }
            throw NetworkError(NetworkResponse(statusCode: 500))
        }
        for product in ["boots", "socks"] as [Product.ID] {
            try await outbox.save(.setFavorite(product, to: true))
        }
        #expect(await eventually { failures.count == 1 })
        let caller = Task { try await outbox.sendAll() }
        #expect(await eventually { failures.count == 2 })
        let count = clock.delays.count

        clock.advance(by: .seconds(60))

        #expect(await remainsFalse { clock.delays.count > count + 2 })
        gate.open(returning: Outbox.Confirmation())
        #expect(try await caller.value == 1)
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `sendAll returns when nothing more can be sent`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(NetworkResponse(statusCode: 503))
        let outbox = Outbox.controlled().start(with: server)
        for number in 0..<10 { try await outbox.save(.setFavorite("\(number)", to: true)) }
        try await outbox.save(.createList("winter", name: "Winter"))
        try await outbox.save(.addProduct("boots", toList: "winter"))
        let unsent = try await outbox.sendAll()
        server.failure = nil

        let waiting = try await outbox.sendAll()

        #expect(unsent == 12)
        #expect(waiting == 0)
        #expect(outbox.changes.isEmpty)
        let ofList = server.edits.filter { $0.target == .list("winter") }.suffix(2)
        #expect(
            ofList == [
                .createList("winter", name: "Winter"), .addProduct("boots", toList: "winter"),
            ]
        )
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `a cancelled sendAll leaves at once, and sending continues`() async throws {
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        try await outbox.save(.setFavorite("boots", to: true))
        await gate.waitForCalls(1)
        let sending = Task { try await outbox.sendAll() }

        sending.cancel()

        await #expect(throws: CancellationError.self) { try await sending.value }
        gate.open(returning: Outbox.Confirmation())
        let waiting = try await outbox.sendAll()
        #expect(waiting == 0)
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `sendAll throws after the session`() async throws {
        let outbox = Outbox.controlled().start(with: OutboxServer())
        await outbox.stop()

        await #expect(throws: OutboxError(.notStarted)) { try await outbox.open() }
        await #expect(throws: OutboxError(.notStarted)) { try await outbox.sendAll() }
        await #expect(throws: OutboxError(.notStarted)) {
            try await outbox.save(.setFavorite("boots", to: true))
        }
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `sendAll ends although attempts fail again and again at different times`()
        async throws
    {
        let attempts = Counter()
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox(
            storage: { [storage = OutboxStorage.inMemory()] _ in storage },
            effects: ManualClock().effects(random: { $0.lowerBound })
        ).start { change in
            attempts.next()
            if case .setFavorite("hangs", _) = change.edit { return try await gate.hold() }
            throw NetworkError(.unreachable)
        }
        try await outbox.save(.setFavorite("hangs", to: true))
        await gate.waitForCalls(1)
        let sending = Task { try await outbox.sendAll() }
        try await outbox.save(.setFavorite("boots", to: true))
        let hasFailed = await eventually { attempts.count >= 2 }
        let isPatient = await remainsFalse { attempts.count > 4 }

        try gate.release(throwing: NetworkError(.unreachable))
        // An outbox that attempts again and again does not end before it is stopped.
        if !isPatient { await outbox.stop() }
        let waiting = try await sending.value
        #expect(hasFailed && isPatient)
        #expect(waiting == 2)
    }
}
