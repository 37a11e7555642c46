import Dispatch
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxSendingTests {
    private let server = OutboxServer()
    private let events = Lines()
    private let gate = ActionGate<Outbox.Confirmation>()
    private let edit = Outbox.Edit.setFavorite("boots", to: true)

    // Rule: outbox/saving-triggers-sending (18)
    @Test func `a saved edit is sent without another call`() async throws {
        let outbox = Outbox.controlled(report: { [events] in events.add($0.summary) })
            .start(with: server)

        try await outbox.save(edit)

        #expect(await eventually { events.all.count == 2 })
        #expect(events.all == ["saved \(edit)", "sent \(edit)"])
    }

    // Rule: outbox/targets-send-concurrently (3)
    @Test func `four targets are sent at once, and a hanging one delays no other`() async throws {
        let outbox = Outbox.controlled().start { [edit, gate, server] change in
            change.edit == edit ? try await gate.hold() : try server.receive(change)
        }
        try await outbox.save(edit)
        await gate.waitForCalls(1)

        for number in 0..<20 { _ = try await outbox.perform(.setFavorite("\(number)", to: true)) }

        #expect(server.edits.count == 20 && outbox.edits == [edit])
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/attempt-ends-after-two-minutes (46)
    @Test func `an attempt that ignores its cancellation delays its product only`() async throws {
        let clock = ManualClock()
        let gate = ActionGate<Outbox.Confirmation>(ignoresCancellation: true)
        let outbox = Outbox.controlled(clock: clock).start { [edit, server] change in
            change.edit.target == edit.target
                ? try await gate.hold() : try server.receive(change)
        }
        try await outbox.save(edit)
        await gate.waitForCalls(1)
        await clock.waitForSleeps(1)
        clock.advance(by: .seconds(120))

        // The limit of the attempt has passed, so nothing is counted as in flight.
        try await outbox.save(.setFavorite("boots", to: false))
        let waiting = try await outbox.promptSendAll()
        let other = try await outbox.promptOutcome(of: .setFavorite("socks", to: true))

        #expect(waiting >= 1 && gate.count == 1)
        #expect(other.confirmation != nil)
        gate.open(returning: Outbox.Confirmation())
        #expect(await outbox.reaches(\.changes.isEmpty))
    }

    // Rule: outbox/attempt-ends-after-two-minutes (46)
    @Test func `an attempt that hangs ends after two minutes`() async throws {
        let clock = ManualClock()
        let outbox = Outbox.controlled(clock: clock).start { [gate] _ in try await gate.hold() }
        let caller = Task { try await outbox.perform(edit) }
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

        try await Self.$screen.withValue("product") { try await outbox.perform(edit) }

        #expect(values.all == ["none"])
    }

    @TaskLocal private static var screen: String?

    // Rule: outbox/attempts-retain-the-outbox (52)
    @Test func `an outbox in use by no one is released, and a change in flight ends`() async throws
    {
        var outbox: Outbox? = .controlled(report: { [events] in events.add($0.summary) })
        let released = { [weak outbox] in outbox }
        var session = outbox?.start { [gate] _ in try await gate.hold() }
        try await session?.save(edit)
        await gate.waitForCalls(1)

        (outbox, session) = (nil, nil)

        #expect(released() == nil)
        gate.open(returning: Outbox.Confirmation())
        #expect(await eventually { events.all.last == "sent \(edit)" })
    }

    // Rule: outbox/wake-ups-resume-sending (53)
    @Test func `a wake-up ends the delays`() async throws {
        let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self)
        server.fail(with: NetworkError(.unreachable))
        let outbox = Outbox(
            storage: { [storage = OutboxStorage.inMemory()] _ in storage },
            effects: ManualClock().effects(random: { $0.upperBound }),
            wakeUps: { wakeUps }
        ).start(with: server)
        #expect(try await outbox.perform(edit) == .saved)

        wakeUp.yield()

        #expect(await outbox.reaches(\.changes.isEmpty))
        #expect(server.edits == [edit, edit])
    }

    // Rule: outbox/sign-in-resumes-sending (42)
    @Test func `a wake-up does not end the wait for a sign-in`() async throws {
        let wakeUps = ActionGate<Void>()
        let outbox = Outbox(
            storage: { [storage = OutboxStorage.inMemory()] _ in storage },
            effects: ManualClock().effects(random: { $0.upperBound }),
            wakeUps: { AsyncStream { try? await wakeUps.hold() } }
        ).start(with: server)
        server.failure = NetworkError(.unauthorized)
        #expect(try await outbox.perform(edit) == .saved)
        await wakeUps.waitForCalls(1)

        try wakeUps.release()

        // The outbox waits for the next one, so it has finished with this one.
        await wakeUps.waitForCalls(1)
        #expect(try await outbox.perform(.setFavorite("socks", to: true)) == .saved)
        #expect(server.edits == [edit])
    }

    // Rule: outbox/saved-is-reported-first (104)
    @Test func `nothing is sent before it was reported as saved`() async throws {
        let held = HeldReport()
        let outbox = held.outbox.start(with: server)
        let (save, plans) = try await held.save(edit, in: outbox)
        let id = outbox.changes.first?.id ?? ""

        outbox.resume()
        #expect(await eventually { held.plans.count > plans })

        // Only a change that is not in flight can be discarded.
        let executor = SerialTaskExecutor()
        let discard = Task(executorPreference: executor) { try await outbox.discard(id) }
        await executor.waitUntilIdle()
        held.release()
        #expect(try await discard.value)
        _ = try await save.value
        #expect(server.edits.isEmpty)
    }

    // Rule: outbox/saved-is-reported-first (104)
    @Test func `nothing is sent again before it was reported as postponed`() async throws {
        let held = HeldReport(of: "postponed")
        server.failure = NetworkError(.unreachable)
        let outbox = held.outbox.start(with: server)
        try await outbox.save(edit)
        #expect(await eventually { held.reported.count == 1 })
        let (plans, id) = (held.plans.count, outbox.changes.first?.id ?? "")

        outbox.resume()
        #expect(await eventually { held.plans.count > plans })

        // Only a change that is not in flight can be discarded.
        let executor = SerialTaskExecutor()
        let discard = Task(executorPreference: executor) { try await outbox.discard(id) }
        await executor.waitUntilIdle()
        held.release()
        #expect(try await discard.value)
        #expect(server.edits == [edit])
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `a call that sends everything waits until a saved change was reported`()
        async throws
    {
        let held = HeldReport()
        let outbox = held.outbox.start(with: server)
        let (save, plans) = try await held.save(edit, in: outbox)

        let sending = Task { try await outbox.sendAll() }
        #expect(await eventually { held.plans.count > plans })
        held.release()

        #expect(try await sending.value == 0)
        _ = try await save.value
        #expect(server.edits == [edit])
    }

    // Rule: outbox/sent-change-leaves-file (64)
    @Test func `a change that was sent is not sent again after a restart`() async throws {
        let outbox = Outbox.controlled()
        var session = outbox.start { [edit] change in
            guard change.edit == edit else {
                throw NetworkError(NetworkResponse(statusCode: 500))
            }
            return Outbox.Confirmation()
        }
        try await session.saveAndSend(.setFavorite("socks", to: true), edit)
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [.setFavorite("socks", to: true)])
    }

    // Rule: outbox/failed-change-leaves-replaced (9)
    @Test func `a change that was in flight leaves at a restart if a later one replaces it`()
        async throws
    {
        let outbox = Outbox.controlled()
        var session = outbox.start { [gate] _ in try await gate.hold() }
        let addition = Outbox.Edit.addProduct("boots", toList: "winter")
        for edit in [edit, addition] { try await session.save(edit) }
        await gate.waitForCalls(2)
        let later = [.setFavorite("boots", to: false), addition]
        for edit in later { try await session.save(edit) }
        #expect(session.changes.count == 4)
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits.count == 2 && Set(server.edits) == Set(later))
    }

    // Rule: outbox/target-sends-in-order (2)
    @Test func `a list that was created twice is created before its products after a restart`()
        async throws
    {
        let outbox = Outbox.controlled()
        var session = outbox.start { [gate] _ in try await gate.hold() }
        let creation = Outbox.Edit.createList("winter", name: "Winter")
        let addition = Outbox.Edit.addProduct("boots", toList: "winter")
        try await session.save(creation)
        await gate.waitForCalls(1)
        for edit in [addition, creation] { try await session.save(edit) }
        await session.stop()

        session = outbox.start(with: server)
        try await session.sendAll()

        #expect(server.edits == [creation, addition])
    }

    // Rule: outbox/rejections-stay-until-dismissed (54)
    @Test func `a rejection stays until it is dismissed, also after a restart`() async throws {
        server.failure = ProductError.notFound("boots")
        let outbox = Outbox.controlled()
        var session = outbox.start(with: server)
        let id = try await session.save(edit)
        try await session.sendAll()
        await session.stop()
        session = outbox.start(with: server)
        try await session.open()

        let rejection = try #require(session.rejections.first)
        #expect(rejection.id == id && rejection.change.edit == edit)
        #expect(rejection.message.hasPrefix("This product is not in the shop."))
        #expect(session.changes.isEmpty)

        #expect(session.dismiss(id))
        #expect(!session.dismiss(id))
        await session.stop()
        session = outbox.start(with: server)
        try await session.open()
        #expect(session.rejections.isEmpty && server.edits.count == 1)
    }

    // Rule: outbox/rejections-stay-until-dismissed (54)
    @Test func `a dismissal is written without a further call`() async throws {
        let file = OutboxStorage.inMemory()
        let (operations, operated) = AsyncStream.makeStream(of: Void.self)
        let storage = file.observed(after: { _ in operated.yield() })
        let session = Outbox.controlled(storage: storage).start { _ in
            throw ProductError.notFound("boots")
        }
        let id = try await session.save(edit)
        try await session.sendAll()

        #expect(session.dismiss(id))

        // The session does not end, as in a crash.
        for await _ in operations {
            let copy = OutboxStorage.inMemory()
            try copy.append(file.load())
            let next = try await Outbox.controlled(storage: copy).open()
            if next.changes.isEmpty, next.rejections.isEmpty { break }
        }
    }

    // Rule: outbox/rejections-stay-until-dismissed (54)
    @Test func `as many rejections are preserved as changes may wait`() async throws {
        let outbox = Outbox.controlled(limit: 2).start { _ in throw ListError.notFound("winter") }

        for number in 1...3 {
            _ = try? await outbox.perform(.setFavorite("\(number)", to: true))
        }

        let edits = outbox.rejections.map(\.change.edit)
        #expect(edits == [.setFavorite("2", to: true), .setFavorite("3", to: true)])
    }

    // Rule: outbox/events-report-each-step (55)
    @Test func `each stream of events has all events from then on`() async throws {
        let opposite = Outbox.Edit.setFavorite("boots", to: false)
        let events: AsyncStream<Outbox.Event>
        do {
            let source = Outbox.controlled()
            let outbox = source.start(with: server)
            _ = try await outbox.perform(edit)
            events = source.events()
            server.failure = NetworkError(.unreachable)
            try await outbox.saveAndSend(opposite)
            try await outbox.save(edit)
            server.failure = ProductError.notFound("boots")
            try await outbox.sendAll()
            await outbox.stop()
        }

        var received: [String] = []
        for await event in events { received.append(event.summary) }
        #expect(received.first == "saved \(opposite)" && received.last == "rejected \(edit)")
        #expect(received.contains("postponed \(opposite)"))
        #expect(received.contains("removed \(opposite)"))
    }

    // Rule: outbox/events-report-each-step (55); outbox/failed-change-leaves-replaced (9)
    @Test func `changes that a later one replaces at a restart are not reported as loaded`()
        async throws
    {
        let loaded = Lines()
        let outbox = Outbox.controlled(report: { event in
            guard case .loaded(let changes) = event else { return }
            loaded.add(changes.map { "\($0.edit)" }.joined(separator: ", "))
        })
        let session = outbox.start { [gate] _ in try await gate.hold() }
        try await session.save(edit)
        await gate.waitForCalls(1)
        let opposite = Outbox.Edit.setFavorite("boots", to: false)
        try await session.save(opposite)
        await session.stop()

        try await outbox.open().stop()

        #expect(loaded.all == ["\(opposite)"])
    }

    // Rule: outbox/events-report-each-step (55)
    @Test func `a reader of events is resumed outside of the lock that its cancellation needs`()
        async throws
    {
        let source = Outbox.controlled()
        let outbox = source.start(with: server)
        // A new stream needs the lock, too.
        let executor = SerialTaskExecutor { _ = source.events() }
        let reader = Task(executorPreference: executor) {
            await outbox.events().first { _ in true }
        }
        await executor.waitUntilIdle()

        try await outbox.save(edit)

        #expect(await reader.value?.summary == "saved \(edit)")
    }
}

/// An outbox whose report of an event waits until the test releases it.
private final class HeldReport: Sendable {
    /// Counts how often the outbox has decided what to send.
    let plans = Counter()
    let outbox: Outbox
    /// Counts the reports that were held.
    let reported: Counter
    private let released: DispatchSemaphore

    init(of event: String = "saved") {
        let (clock, reported, released) = (ManualClock(), Counter(), DispatchSemaphore(value: 0))
        (self.reported, self.released) = (reported, released)
        var effects = clock.effects()
        effects.elapsed = { [plans] in
            defer { plans.next() }
            return clock.elapsed
        }
        outbox = Outbox(
            effects: effects,
            report: {
                guard $0.summary.hasPrefix(event) else { return }
                reported.next()
                released.wait()
            }
        )
    }

    /// Begins to save an edit, and returns when the report of it is held.
    ///
    /// - Returns: The call, and the number of decisions until then.
    func save(
        _ edit: Outbox.Edit,
        in session: Outbox.Session
    ) async throws -> (Task<Outbox.Change.ID, any Error>, plans: Int) {
        // No decision is left for later.
        try await session.sendAll()
        // The executor has a thread of its own, which the report may block.
        let save = Task(executorPreference: SerialTaskExecutor()) { try await session.save(edit) }
        #expect(await eventually { reported.count == 1 })
        return (save, plans.count)
    }

    /// Lets the report return.
    func release() {
        released.signal()
    }
}
