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
            let other = NetworkClient(
                baseURL: .api,
                networking: .closure { _ in NetworkResponse(statusCode: statusCode) }
            )
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
    @Test(arguments: [NetworkError.Code.unreadable, .tooLarge, .incomplete])
    func `a refresh whose response cannot be read does not confirm an edit`(
        code: NetworkError.Code
    ) async throws {
        let error = try await error { throw NetworkError(code, response: NetworkResponse()) }

        #expect(error.code == .unexpected && Outbox.Disposition(error) == .retryLater)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [NetworkError.Code.unreachable, .timedOut, .connectionLost, .unavailable])
    func `a refresh that fails for a moment has its own code`(code: NetworkError.Code) async throws
    {
        #expect(try await error { throw NetworkError(code) }.code == code)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [URLError.Code.badURL, .dataLengthExceedsMaximum, .userAuthenticationRequired])
    func `an error of the system in a refresh refuses nothing`(code: URLError.Code) async throws {
        let error = try await error { throw URLError(code) }

        #expect(error.code == .unexpected && Outbox.Disposition(error) == .retryLater)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [true, false])
    func `the error of a token closure refuses nothing`(isSentByClient: Bool) async throws {
        let refusal = NetworkResponse(statusCode: 403)
        let login = NetworkClient(baseURL: .api, networking: .closure { _ in refusal })
        let signing = TokenBehavior(
            effects: ManualClock().effects(),
            token: {
                if isSentByClient { try await login.send(.post("token")) }
                throw NetworkError(refusal)
            },
            refresh: nil
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse() },
            behaviors: [signing]
        )

        let error = await #expect(throws: NetworkError.self) { try await client.send(.post("a")) }
        #expect(error?.code == .unexpected)
    }

    // Rule: errors/other-request-refuses-nothing (15)
    @Test(arguments: [400, 401, 403, 404, 409])
    func `the error of a transport that uses a client is about the request`(
        statusCode: Int
    ) async throws {
        let inner = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse(statusCode: statusCode) }
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                try await inner.send(.post("inner"))
                return NetworkResponse()
            },
            behaviors: [RetryBehavior(effects: ManualClock(skipsDelays: true).effects())]
        )

        let error = await #expect(throws: NetworkError.self) { try await client.send(.post("a")) }
        #expect(error?.code == NetworkError(NetworkResponse(statusCode: statusCode)).code)
    }

    /// Returns the error of a request whose token is refreshed by a closure that fails.
    private func error(
        refresh: @escaping @Sendable () async throws -> Void
    ) async throws -> NetworkError {
        let signing = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { token in
                try await refresh()
                return token
            }
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse(statusCode: 401) },
            behaviors: [signing]
        )
        return try #require(
            await #expect(throws: NetworkError.self) {
                try await client.send(.put("favorites", "a"))
            }
        )
    }
}
