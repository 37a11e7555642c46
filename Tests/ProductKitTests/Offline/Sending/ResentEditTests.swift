import ProductKit
import Testing

/// Edits that the server has refused, and that are sent again.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ResentEditTests {
    private let server = OutboxServer()
    private let edit = Outbox.Edit.setFavorite("boots", to: true)

    // Rule: outbox/rejection-can-be-resent (102)
    @Test(arguments: [
        NetworkError(NetworkResponse(statusCode: 400)), NetworkError(.notFound),
        NetworkError(.forbidden), NetworkError(NetworkResponse(statusCode: 501)),
    ])
    func `a refused edit is sent again once`(refusal: NetworkError) async throws {
        let outbox = Outbox.controlled().start(with: server)
        let rejection = try await rejection(in: outbox, refusal)

        let id = try await outbox.resend(rejection.id)
        let second = try await outbox.resend(rejection.id)
        _ = try await outbox.sendAll()

        #expect(id != nil && id != rejection.id && second == nil)
        #expect(server.edits == [edit, edit])
        #expect(outbox.rejections.isEmpty && outbox.changes.isEmpty)
    }

    // Rule: outbox/rejection-can-be-resent (102)
    @Test func `a refused edit is sent again after a restart, and survives another one`()
        async throws
    {
        let outbox = Outbox.controlled()
        var session = outbox.start(with: server)
        let id = try await rejection(in: session).id
        await session.stop()
        session = outbox.start { _ in throw NetworkError(.unreachable) }
        try await session.resend(id)
        try await session.sendAll()
        await session.stop()

        session = outbox.start(with: server)
        try await session.open()
        #expect(session.rejections.isEmpty)
        try await session.sendAll()
        await session.stop()
        session = outbox.start(with: server)
        try await session.open()

        #expect(server.edits == [edit, edit])
        #expect(session.rejections.isEmpty && session.changes.isEmpty)
    }

    // Rule: outbox/rejection-can-be-resent (102)
    @Test func `an edit that is refused again has one rejection`() async throws {
        let outbox = Outbox.controlled().start(with: server)
        let id = try await rejection(in: outbox).id
        server.failure = NetworkError(.notFound, reason: "Unknown.")

        try await outbox.saveAndSend(edit)

        #expect(outbox.rejections.map(\.message) == ["Unknown."])
        #expect(outbox.rejections.first?.id != id)
    }

    // Rule: outbox/rejection-can-be-resent (102)
    @Test func `an equal edit that is carried out removes the rejection, and another does not`()
        async throws
    {
        let outbox = Outbox.controlled().start(with: server)
        _ = try await rejection(in: outbox)

        _ = try await outbox.perform(.setFavorite("boots", to: false))
        #expect(outbox.rejections.count == 1)
        _ = try await outbox.perform(edit)

        #expect(outbox.rejections.isEmpty)
    }

    // Rule: outbox/rejection-can-be-resent (102)
    @Test func `a rejection stays if its edit cannot be saved`() async throws {
        let outbox = Outbox.controlled(limit: 1).start(with: server)
        let id = try await rejection(in: outbox).id
        server.failure = NetworkError(.unreachable)
        try await outbox.save(.setFavorite("socks", to: true))

        await #expect(throws: OutboxError.self) { try await outbox.resend(id) }
        #expect(outbox.rejections.map(\.id) == [id])
        await outbox.stop()
        await #expect(throws: OutboxError(.notStarted)) { try await outbox.resend(id) }
    }

    /// Returns the rejection of the edit.
    private func rejection(
        in outbox: Outbox.Session,
        _ refusal: NetworkError = NetworkError(.forbidden)
    ) async throws -> Outbox.Rejection {
        server.fail(with: refusal)
        _ = try? await outbox.perform(edit)
        return try #require(outbox.rejections.first)
    }
}
