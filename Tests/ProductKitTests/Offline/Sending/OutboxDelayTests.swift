import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDelayTests {
    private let server = OutboxServer()
    private let clock = ManualClock()
    private let failures = Counter()
    private let gate = ActionGate<Outbox.Confirmation>()
    private let edit = Outbox.Edit.setFavorite("boots", to: true)

    // Rule: outbox/outage-delays-everything (38)
    @Test func `a change is sent again when the delay ends`() async throws {
        server.fail(with: NetworkError(.unreachable))
        let outbox = Outbox.controlled(clock: clock).start(with: server)

        #expect(try await outbox.perform(edit) == .saved)
        // One sleep is the limit of the attempt, the other one is the delay.
        await clock.waitForSleeps(2)
        #expect(server.edits.count == 1)
        clock.advance(by: .seconds(1))

        #expect(await outbox.reaches(\.changes.isEmpty))
        #expect(server.edits.count == 2 && Set(server.changes.map(\.id)).count == 1)
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test func `a delay that the server requires lasts for a day at most`() async throws {
        let response = NetworkResponse(statusCode: 503, headers: ["Retry-After": "999999999"])
        server.fail(with: NetworkError(response))
        let outbox = Outbox.controlled(clock: clock).start(with: server)
        try await outbox.saveAndSend(edit)
        await clock.waitForSleeps(2)

        clock.advance(by: .seconds(86_399))
        try await outbox.sendAll()
        #expect(server.edits.count == 1)
        clock.advance(by: .seconds(1))

        #expect(await outbox.reaches(\.changes.isEmpty))
    }

    // Rule: outbox/server-delay-is-kept (40)
    @MainActor @Test(arguments: [429, 503])
    func `a person ends the delay that the server requires`(statusCode: Int) async throws {
        let headers: NetworkHeaders = ["Retry-After": "86400"]
        server.failure = NetworkError(NetworkResponse(statusCode: statusCode, headers: headers))
        let outbox = Outbox.controlled(clock: clock).start(with: server)
        try await outbox.saveAndSend(edit)
        outbox.resume()
        #expect(try await outbox.sendAll() == 1 && server.edits.count == 1)

        #expect(try await outbox.sendAll(ignoringRetryAfter: true) == 1)
        #expect(server.edits.count == 2)
        #expect(try await outbox.sendAll() == 1 && server.edits.count == 2)
        server.failure = nil
        let screen = PendingChangesViewModel(actions: .init(outbox: outbox))
        #expect(try await screen.send() == 0 && server.edits.count == 3)
    }

    // Rule: outbox/no-failure-count-removes (44)
    @Test func `no number of failures removes a change`() async throws {
        server.failure = NetworkError(NetworkResponse(statusCode: 500))
        let outbox = Outbox.controlled().start(with: server)

        try await outbox.saveAndSend(edit, times: 50)

        #expect(server.edits.count >= 50)
        #expect(outbox.edits == [edit] && outbox.rejections.isEmpty)
    }

    // Rule: outbox/conflict-repeats-four-times (43)
    @Test(arguments: [401, 500, 503])
    func `a change is rejected after the fifth conflict in a row`(otherStatus: Int) async throws {
        server.failure = NetworkError(NetworkResponse(statusCode: 409))
        let outbox = Outbox.controlled().start(with: server)

        // It waits for the first attempt, which a call of `sendAll` would join or repeat.
        _ = try await outbox.perform(edit)
        for _ in 0..<3 { try await outbox.sendAll() }
        server.fail(with: NetworkError(NetworkResponse(statusCode: otherStatus)))
        for _ in 0..<5 { try await outbox.sendAll() }
        #expect(outbox.edits == [edit])
        try await outbox.sendAll()

        #expect(server.edits.count == 10)
        #expect(outbox.changes.isEmpty && outbox.rejections.count == 1)
    }

    // Rule: outbox/conflict-repeats-four-times (43); outbox/failure-decides-disposition (19)
    @Test func `an addition waits if the lines of its list change at every attempt`() async throws {
        let writes = Counter()
        let lines = ListLines(
            read: { id in ListLines.Contents(id: id, name: "Camp", lines: [], version: "1") },
            add: { _, _ in if writes.next() <= 3 { throw NetworkError(.conflict) } },
            remove: { _, _ in }
        )
        let outbox = Outbox.controlled().start(
            sending: Outbox.sending(.only(), .only(addProduct: lines.add, list: lines.list))
        )

        #expect(try await outbox.perform(.addProduct("boots", toList: "camp")) == .saved)
        #expect(writes.count == 3 && outbox.rejections.isEmpty)
        try await outbox.sendAll()

        #expect(writes.count == 4 && outbox.changes.isEmpty && outbox.rejections.isEmpty)
    }

    // Rule: outbox/failure-decides-disposition (19)
    @Test(
        arguments: [
            (.setFavorite("boots", to: true), false), (.addProduct("boots", toList: "a"), false),
            (.removeProduct("boots", fromList: "a"), false), (.createList("a", name: "A"), true),
            (.renameList("a", name: "A"), true),
        ] as [(Outbox.Edit, Bool)]
    )
    func `a list that has changed refuses only an edit of the list itself`(
        edit: Outbox.Edit,
        isRefused: Bool
    ) async throws {
        let changed = ListError.changed(current: ProductList(id: "a", name: "B"))
        let outbox = Outbox.controlled().start(
            sending: Outbox.sending(
                .only(setFavorite: { _, _ in throw changed }),
                .only(
                    addProduct: { _, _ in throw changed },
                    removeProduct: { _, _ in throw changed },
                    create: { _, _ in throw changed },
                    rename: { _, _, _ in throw changed }
                )
            )
        )

        _ = try? await outbox.perform(edit)

        #expect(outbox.rejections.count == (isRefused ? 1 : 0))
        #expect(outbox.changes.count == (isRefused ? 0 : 1))
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `a delay that has passed starts no timer while a caller waits for the rest`()
        async throws
    {
        let (sleeps, sleep) = AsyncStream.makeStream(of: Void.self)
        do {
            let (outbox, caller) = try await callerThatWaits(onSleep: sleep.closure())

            clock.advance(by: .seconds(60))
            // Another attempt begins and fails, while the delay of the socks has passed.
            try await outbox.save(.setFavorite("hats", to: true))
            #expect(await eventually { failures.count >= 3 })

            gate.open(returning: Outbox.Confirmation())
            #expect(try await caller.value == 2)
        }
        // Each timer sleeps, and the last one ends with the outbox.
        for await _ in sleeps {}
        #expect(clock.delays.allSatisfy { $0 > .zero })
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `a caller that waits for the rest throws when the session ends`() async throws {
        let (outbox, caller) = try await callerThatWaits()

        try await outbox.removeAll()

        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    /// Calls `sendAll()`, which waits for the boots after the socks have failed again.
    private func callerThatWaits(
        onSleep: @escaping @Sendable () -> Void = {}
    ) async throws -> (Outbox.Session, Task<Int, any Error>) {
        var effects = clock.effects(random: { $0.upperBound })
        effects.sleep = { [clock] duration in
            onSleep()
            try await clock.sleep(for: duration)
        }
        let outbox = Outbox(
            effects: effects,
            report: { [failures] in if case .postponed = $0 { failures.next() } }
        ).start { [edit, gate] change in
            if change.edit == edit { return try await gate.hold() }
            throw NetworkError(NetworkResponse(statusCode: 500))
        }
        try await outbox.save(edit)
        try await outbox.save(.setFavorite("socks", to: true))
        try #require(await eventually { failures.count == 1 })
        let caller = Task { try await outbox.sendAll() }
        // The call ends the delay of the socks when it begins to wait.
        try #require(await eventually { failures.count == 2 })
        return (outbox, caller)
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `sendAll returns when nothing more can be sent`() async throws {
        server.failure = NetworkError(NetworkResponse(statusCode: 503))
        let outbox = Outbox.controlled().start(with: server)
        for number in 0..<10 { try await outbox.save(.setFavorite("\(number)", to: true)) }
        let ofList: [Outbox.Edit] = [
            .createList("winter", name: "Winter"), .addProduct("boots", toList: "winter"),
        ]
        for edit in ofList { try await outbox.save(edit) }

        #expect(try await outbox.sendAll() == 12)
        server.failure = nil
        #expect(try await outbox.sendAll() == 0)

        #expect(outbox.changes.isEmpty)
        #expect(server.edits.filter { $0.target == .list("winter") }.suffix(2) == ofList[...])
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `a cancelled sendAll leaves at once, and sending continues`() async throws {
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        let sending = Task { try await outbox.sendAll() }

        sending.cancel()

        await #expect(throws: CancellationError.self) { try await sending.value }
        gate.open(returning: Outbox.Confirmation())
        #expect(try await outbox.sendAll() == 0)
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `sendAll ends although attempts fail again and again at different times`()
        async throws
    {
        let attempts = Counter()
        let outbox = Outbox(effects: clock.effects()).start { [gate] _ in
            let number = attempts.next()
            // An outbox that attempts again and again would not return before.
            if number > 10 { return Outbox.Confirmation() }
            if number == 1 { return try await gate.hold() }
            throw NetworkError(.unreachable)
        }
        let executor = SerialTaskExecutor()
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        let sending = Task(executorPreference: executor) { try await outbox.sendAll() }
        await executor.waitUntilIdle()
        try await outbox.save(.setFavorite("socks", to: true))
        #expect(await eventually { attempts.count >= 2 })

        try gate.release(throwing: NetworkError(.unreachable))

        #expect(try await sending.value == 2)
    }
}
