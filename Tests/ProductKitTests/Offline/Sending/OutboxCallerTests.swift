import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxCallerTests {
    private let server = OutboxServer()

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `perform returns the confirmation, and throws a rejection`() async throws {
        let outbox = Outbox.controlled().start { change in
            guard case .setFavorite(let id, let status) = change.edit else {
                throw ListError.notFound("")
            }
            return Outbox.Confirmation(product: Product(id: id, name: "Boots", isFavorite: status))
        }

        let outcome = try await outbox.perform(.setFavorite("boots", to: true))

        #expect(outcome.confirmation?.product?.isFavorite == true)
        await #expect(throws: ListError.notFound("")) {
            try await outbox.perform(.deleteList("winter"))
        }
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `sendAll waits for an edit that is being saved`() async throws {
        let (held, gate) = (HeldStorage(), ActionGate<Outbox.Confirmation>())
        let boots = Outbox.Edit.setFavorite("boots", to: true)
        let outbox = Outbox.controlled(storage: held.storage).start { [server] change in
            guard change.edit == boots else { return try await gate.hold() }
            return try server.receive(change)
        }
        try await outbox.save(.setFavorite("tent", to: true))
        await gate.waitForCalls(1)
        let sending = Task { try await outbox.sendAll() }
        let save = try await held.hold { try await outbox.save(boots) }

        try gate.release(returning: Outbox.Confirmation())
        #expect(await outbox.reaches(\.changes.isEmpty))
        held.release()

        #expect(try await sending.value == 0)
        #expect(server.edits == [boots])
        _ = try await save.value
    }

    // Rule: outbox/send-all-waits-for-rest (45)
    @Test func `a caller of sendAll that is cancelled holds back no delay`() async throws {
        let (postponed, hung, clock) = (Counter(), ActionGate<Outbox.Confirmation>(), ManualClock())
        let boots = Outbox.Edit.setFavorite("boots", to: true)
        let timers = ActionGate<Void>()
        var effects = clock.effects(random: { $0.upperBound })
        effects.sleep = { _ in try await timers.hold() }
        let controlled = Outbox(
            effects: effects,
            report: { event in
                if case .postponed = event { postponed.next() }
            }
        )
        let outbox = controlled.start { change in
            guard change.edit == boots else { return try await hung.hold() }
            throw NetworkError(NetworkResponse(statusCode: 500))
        }
        try await outbox.save(.setFavorite("tent", to: true))
        await hung.waitForCalls(1)
        try await outbox.save(boots)
        #expect(await eventually { postponed.count == 1 })
        let sending = Task { try await outbox.sendAll() }
        #expect(await eventually { postponed.count == 2 })

        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        clock.advance(by: .seconds(60))
        timers.open()

        #expect(await eventually { postponed.count == 3 })
    }

    // Rule: outbox/direct-caller-gets-response (48); outbox/user-ends-delays (39)
    @Test func `perform returns saved after the next attempt has failed`() async throws {
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox.controlled().start(with: server)

        // Each call is an attempt, because it ends the delay, also that of an edit that waits already.
        for count in 1...2 {
            let outcome = try await outbox.promptOutcome(of: .setFavorite("boots", to: true))
            #expect(outcome == .saved && server.edits.count == count)
        }
        let other = try await outbox.promptOutcome(of: .setFavorite("socks", to: true))

        #expect(other == .saved && server.edits.count > 2)
        try await outbox.sendAll()
        #expect(outbox.changes.count == 2)
        server.failure = nil
        #expect(try await outbox.sendAll() == 0)
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test(arguments: [
        NetworkResponse(statusCode: 503, headers: ["Retry-After": "3600"]),
        NetworkResponse(statusCode: 401),
    ])
    func `perform does not wait for a delay of the server or a sign-in`(
        response: NetworkResponse
    ) async throws {
        server.failure = NetworkError(response)
        let outbox = Outbox.controlled().start(with: server)
        try await outbox.saveAndSend(.setFavorite("boots", to: true))
        let count = server.edits.count

        let outcome = try await outbox.promptOutcome(of: .setFavorite("socks", to: true))

        #expect(outcome == .saved)
        #expect(server.edits.count == count && outbox.changes.count == 2)
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `a caller behind a change that must be sent later continues, too`() async throws {
        server.failure = NetworkError(NetworkResponse(statusCode: 500))
        let outbox = Outbox.controlled().start(with: server)
        try await outbox.saveAndSend(.createList("winter", name: "Winter"))

        let outcome = try await outbox.promptOutcome(of: .addProduct("boots", toList: "winter"))

        #expect(outcome == .saved && outbox.changes.count == 2)
        #expect(Set(server.edits) == [.createList("winter", name: "Winter")])
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `all callers continue when the server cannot be reached`() async throws {
        let gate = ActionGate<Outbox.Confirmation>()
        let outbox = Outbox.controlled().start { _ in try await gate.hold() }
        let ends = Counter()
        for number in 0..<6 {
            let edit = Outbox.Edit.setFavorite("\(number)", to: true)
            Task { if try await outbox.perform(edit) == .saved { ends.next() } }
        }
        await gate.waitForCalls(4)
        #expect(await outbox.reaches { $0.changes.count == 6 })

        for _ in 0..<4 { try gate.release(throwing: NetworkError(.unreachable)) }

        #expect(await eventually { ends.count == 6 })
        #expect(outbox.changes.count == 6)
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `a caller whose change is replaced gets the outcome of the later one`() async throws
    {
        let gate = ActionGate<Void>()
        let outbox = Outbox.controlled().start { [server] change in
            try await gate.hold()
            return try server.receive(change)
        }
        try await outbox.save(.renameList("winter", name: "First"))
        await gate.waitForCalls(1)
        let earlier = Task { try await outbox.perform(.deleteList("winter")) }
        #expect(await outbox.reaches { $0.changes.count == 2 })
        let earlierName = Task { try await outbox.perform(.renameList("winter", name: "Cold")) }
        #expect(await outbox.reaches { $0.changes.count == 3 })
        try await outbox.save(.renameList("winter", name: "Warm"))

        gate.open()

        #expect(try await earlier.value.confirmation != nil)
        #expect(try await earlierName.value.confirmation != nil)
        #expect(
            server.edits == [
                .renameList("winter", name: "First"), .deleteList("winter"),
                .renameList("winter", name: "Warm"),
            ]
        )
    }
}
