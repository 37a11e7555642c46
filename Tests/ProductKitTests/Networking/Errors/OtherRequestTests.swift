import Foundation
import ProductKit
import Testing

/// Errors of another request that a behavior sends, such as the refresh of a token.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OtherRequestTests {
    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [400, 401, 403, 404, 409, 410, 412, 422, 501, 505])
    func `a refusal of a refresh is unexpected for the request, and keeps a saved edit`(
        statusCode: Int
    ) async throws {
        for isSentByClient in [false, true] {
            let failure = NetworkError(NetworkResponse(statusCode: statusCode))
            let other = NetworkClient { _ in NetworkResponse(statusCode: statusCode) }
            let error = try await error {
                if isSentByClient { try await other.send(.post("token")) }
                throw failure
            }

            #expect(error.code == .unexpected)
            #expect((error.underlying as? NetworkError)?.statusCode == statusCode)
            #expect(Outbox.Disposition(error) == .retryLater)
        }
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(
        arguments: [
            NetworkError(.unreadable, response: NetworkResponse()),
            NetworkError(.tooLarge, response: NetworkResponse()),
            NetworkError(.incomplete, response: NetworkResponse()), URLError(.badURL),
            URLError(.dataLengthExceedsMaximum), URLError(.userAuthenticationRequired),
        ] as [any Error]
    )
    func `another error of a refresh neither refuses nor confirms an edit`(
        failure: any Error
    ) async throws {
        let error = try await error { throw failure }

        #expect(error.code == .unexpected && Outbox.Disposition(error) == .retryLater)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [NetworkError.Code.unreachable, .timedOut, .connectionLost, .unavailable])
    func `a refresh that fails for a moment has its own code`(code: NetworkError.Code) async throws
    {
        #expect(try await error { throw NetworkError(code) }.code == code)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [true, false])
    func `the error of a token closure refuses nothing`(isSentByClient: Bool) async throws {
        let refusal = NetworkResponse(statusCode: 403)
        let login = NetworkClient { _ in refusal }
        let signing = TokenBehavior(
            effects: .stopped,
            token: {
                if isSentByClient { try await login.send(.post("token")) }
                throw NetworkError(refusal)
            },
            refresh: nil
        )
        let client = NetworkClient(behaviors: [signing]) { _ in NetworkResponse() }

        let error = await client.error(of: .post("a"))
        #expect(error?.code == .unexpected)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [400, 401, 403, 404, 409, 501])
    func `a refusal of a request that a networking sends before is unexpected`(
        statusCode: Int
    ) async throws {
        let other = NetworkClient { _ in NetworkResponse(statusCode: statusCode) }
        let client = NetworkClient(behaviors: [RetryBehavior(effects: .skippingDelays)]) { _ in
            try await other.send(.post("token"))
            return NetworkResponse()
        }

        let error = try #require(await client.error(of: .delete("a")))
        #expect(error.code == .unexpected && Outbox.Disposition(error) == .retryLater)
        #expect((error.underlying as? NetworkError)?.statusCode == statusCode)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [false, true])
    func `another request that cannot be sent, or has an error of its own, refuses nothing`(
        isSent: Bool
    ) async throws {
        let other = NetworkClient { _ in NetworkResponse(statusCode: 404) }
        let nonce: NetworkRequest<Void> =
            isSent
            ? .post("nonces").throwing(NetworkError(.forbidden), for: .notFound)
            : .post("nonces", "")
        let behavior = ClosureBehavior(intercept: { request, next in
            try await other.send(nonce)
            return try await next(request)
        })
        let client = NetworkClient(behaviors: [behavior]) { _ in NetworkResponse() }

        let error = try #require(await client.error(of: .post("a")))

        #expect(error.code == .unexpected && Outbox.Disposition(error) == .retryLater)
        #expect(await other.error(of: nonce)?.code == (isSent ? .forbidden : .invalidRequest))
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: ["abc\n", "a\u{0}"])
    func `a token that cannot be sent refuses nothing`(token: String) async throws {
        var second = AccessToken("abc")
        second.headers = ["X-Cart": token]
        for token in [AccessToken(token), second] {
            let signing = TokenBehavior(effects: .stopped, token: { token }, refresh: nil)
            let client = NetworkClient(behaviors: [signing]) { _ in NetworkResponse() }

            let error = try #require(await client.error(of: .post("a")))

            #expect(error.code == .unexpected && Outbox.Disposition(error) == .retryLater)
            #expect(!error.debugDescription.contains("abc"))
        }
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test func `an error that a networking creates itself is about the request`() async {
        let client = NetworkClient { _ in throw NetworkError(.forbidden) }

        #expect(await client.error(of: .post("a"))?.code == .forbidden)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [NetworkError.Code.unreachable, .connectionLost, .timedOut, .unavailable])
    func `another error of a networking that uses a client is about the request`(
        code: NetworkError.Code
    ) async throws {
        let inner = NetworkClient { _ in throw NetworkError(code) }
        let client = NetworkClient { _ in
            try await inner.send(.post("inner"))
            return NetworkResponse()
        }

        #expect(await client.error(of: .post("a"))?.code == code)
    }

    /// Returns the error of a request whose token is refreshed by a closure that fails.
    private func error(
        refresh: @escaping @Sendable () async throws -> Void
    ) async throws -> NetworkError {
        let signing = TokenBehavior(
            effects: .stopped,
            token: { "old" },
            refresh: { token in
                try await refresh()
                return token
            }
        )
        let client = NetworkClient(behaviors: [signing]) { _ in NetworkResponse(statusCode: 401) }
        return try #require(
            await #expect(throws: NetworkError.self) {
                try await client.send(.put("favorites", "a"))
            }
        )
    }
}
