import Foundation
import ProductKit
import Testing

/// The fences of “Behaviours”.
@Suite(.timeLimit(.minutes(1))) struct BehaviourSamples {
    @Test func `the recommended stack can be made`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let session = SignedSession()
        let spinner = Spinner()
        let client = NetworkClient(
            baseURL: api,
            behaviors: [
                LoggingBehavior { event in print(event) },
                ActivityBehavior { isActive in spinner.show(isActive) },
                IdempotencyKeyBehavior(),
                CoalescingBehavior(),
                RetryBehavior(),
                TokenBehavior(
                    token: { session.token },
                    refresh: { old in try await session.refresh(old) }
                ),
            ]
        )

        #expect(client.baseURL == api)
    }

    @Test func `a behaviour of your own is asked`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { request in
                try NetworkResponse(json: request.value(forHTTPHeaderField: "X-Request-ID"))
            },
            behaviors: [TracingBehavior { "7" }]
        )

        let seen: String = try await client.send(.get("anything"))

        #expect(seen == "7")
    }
}

/// Stands for what a host keeps about its user.
struct SignedSession {
    let token: AccessToken = "fresh"

    func refresh(_ old: AccessToken) async throws -> AccessToken { old }
}
