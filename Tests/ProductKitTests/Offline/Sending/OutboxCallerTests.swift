import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxCallerTests {
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

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `perform returns saved after the next attempt has failed`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox.controlled().start(with: server)

        let first = await outbox.outcome(of: .setFavorite("boots", to: true))
        // Each call is an attempt, because it ends the delay.
        let second = await outbox.outcome(of: .setFavorite("boots", to: true))

        #expect(try first?.get() == .saved && second?.get() == .saved)
        #expect(server.edits.count == 2 && outbox.changes.count == 1)
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `perform does not wait for a delay of the server or a sign-in`() async throws {
        let responses = [
            NetworkResponse(statusCode: 503, headers: ["Retry-After": "3600"]),
            NetworkResponse(statusCode: 401),
        ]
        for response in responses {
            let server = OutboxServer()
            server.failure = NetworkError(response)
            let outbox = Outbox.controlled().start(with: server)
            try await outbox.save(.setFavorite("boots", to: true))
            try await outbox.sendAll()
            let count = server.edits.count

            let outcome = await outbox.outcome(of: .setFavorite("socks", to: true))

            #expect(try outcome?.get() == .saved)
            #expect(server.edits.count == count)
            #expect(outbox.changes.count == 2)
        }
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `a caller behind a change that must be sent later continues, too`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(NetworkResponse(statusCode: 500))
        let outbox = Outbox.controlled().start(with: server)
        try await outbox.save(.createList("winter", name: "Winter"))
        try await outbox.sendAll()

        let outcome = await outbox.outcome(of: .addProduct("boots", toList: "winter"))
        #expect(try outcome?.get() == .saved)
        #expect(outbox.changes.count == 2)
        #expect(server.edits.allSatisfy { $0 == .createList("winter", name: "Winter") })
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
        let haveSaved = await eventually { outbox.changes.count == 6 }
        #expect(haveSaved)

        for _ in 0..<4 { try gate.release(throwing: NetworkError(.unreachable)) }

        let haveEnded = await eventually { ends.count == 6 }
        #expect(haveEnded)
        #expect(outbox.changes.count == 6)
        gate.open(returning: Outbox.Confirmation())
    }

    // Rule: outbox/direct-caller-gets-response (48)
    @Test func `a caller whose change is replaced gets the outcome of the later one`() async throws
    {
        let server = OutboxServer()
        let gate = ActionGate<Void>()
        let outbox = Outbox.controlled().start { change in
            try await gate.hold()
            return try server.receive(change)
        }
        try await outbox.save(.renameList("winter", name: "First"))
        await gate.waitForCalls(1)
        let earlier = Task { try await outbox.perform(.deleteList("winter")) }
        let hasDeletion = await eventually { outbox.changes.count == 2 }
        #expect(hasDeletion)
        let earlierName = Task { try await outbox.perform(.renameList("winter", name: "Cold")) }
        let hasName = await eventually { outbox.changes.count == 3 }
        #expect(hasName)
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
