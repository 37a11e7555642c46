import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenRefreshFailureTests {
    private let refreshes = Counter()

    // Rule: tokens/rejected-refresh-ends-session (4); tokens/refresh-is-not-signed (6)
    @Test(
        arguments: [
            NetworkError.invalidGrant(), NetworkError.invalidGrant(statusCode: 401),
            TokenError.sessionEnded,
        ] as [any Error]
    )
    func `a rejected refresh ends the session for all waiting requests`(failure: any Error) async {
        let (server, endpoint) = (ActionGate<Void>(), ActionGate<Void>())
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { _ in
                refreshes.next()
                try await endpoint.hold()
                throw failure
            }
        )

        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    await #expect(throws: TokenError.sessionEnded) {
                        try await behavior.send { request in
                            try await server.hold()
                            return NetworkResponse(to: request, accepting: [])
                        }
                    }
                }
            }
            await server.waitForCalls(20)
            server.open()
            await endpoint.waitForCalls(1)
            endpoint.open()
        }

        #expect(refreshes.count == 1)
    }

    // Rule: tokens/rejected-refresh-ends-session (4)
    @Test func `an ended session fails immediately until there is a new token`() async throws {
        let current = Mutex<AccessToken>("old")
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                refreshes.next()
                throw NetworkError.invalidGrant()
            }
        )
        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { _ in NetworkResponse(statusCode: 401) }
        }

        for _ in 0..<10 {
            await #expect(throws: TokenError.sessionEnded) {
                try await behavior.send { _ in
                    Issue.record("A request was sent.")
                    return NetworkResponse()
                }
            }
        }
        #expect(refreshes.count == 1)
        current.withLock { $0 = "new" }

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }
        #expect(response.statusCode == 200)
    }

    // Rule: tokens/rejected-refresh-ends-session (4); tokens/refresh-is-not-signed (6)
    @Test(arguments: [
        NetworkError(.timedOut), NetworkError(.unreachable), NetworkError(.connectionLost),
        NetworkError(NetworkResponse(statusCode: 500)),
        NetworkError(NetworkResponse(statusCode: 503)),
        NetworkError(NetworkResponse(statusCode: 429)),
        NetworkError(NetworkResponse(statusCode: 403)),
        NetworkError(NetworkResponse(statusCode: 400)),
        NetworkError(NetworkResponse(statusCode: 401)), NetworkError(.webPage(statusCode: 401)),
        NetworkError(.json(#"{"error": "temporarily_unavailable"}"#, statusCode: 400)),
        NetworkError(.json(#"{"error": "invalid_client"}"#, statusCode: 401)),
        NetworkError(.json(#"{"error": {"code": "invalid_grant"}}"#, statusCode: 400)),
        NetworkError(.json(#"{"error": "invalid_grant"}"#, statusCode: 500)),
        NetworkError(.json("invalid_grant", statusCode: 400)),
    ])
    func `a temporary refresh failure reaches all waiting requests and keeps the session`(
        failure: NetworkError
    ) async throws {
        let current = Mutex<AccessToken>("old")
        let endpoint = ActionGate<Void>()
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                let number = refreshes.next()
                try await endpoint.hold()
                guard number > 1 else { throw failure }
                current.withLock { $0 = "new" }
                return "new"
            }
        )

        try await with20Waiting(behavior, endpoint: endpoint) { task in
            let error = try #require(
                await #expect(throws: NetworkError.self) { try await task.value }
            )
            #expect(error.code == failure.code)
        }
        #expect(refreshes.count == 1)

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }
        #expect(response.statusCode == 200)
        #expect(refreshes.count == 2)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `the sixth refresh in 30 seconds throws tooManyRefreshes`() async throws {
        let time = ManualClock()
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { "old" },
            refresh: { _ in
                refreshes.next()
                return "new"
            }
        )
        for second in 0..<5 {
            let response = try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            #expect(response.statusCode == 401)
            #expect(refreshes.count == second + 1)
            time.advance(by: .seconds(1))
        }
        time.advance(by: .milliseconds(24_999))

        await #expect(throws: TokenError.tooManyRefreshes) {
            try await behavior.send { _ in NetworkResponse(statusCode: 401) }
        }
        #expect(refreshes.count == 5)
        time.advance(by: .milliseconds(1))

        _ = try await behavior.send { _ in NetworkResponse(statusCode: 401) }
        #expect(refreshes.count == 6)
        await #expect(throws: TokenError.tooManyRefreshes) {
            try await behavior.send { _ in NetworkResponse(statusCode: 401) }
        }
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test(
        arguments: [
            NetworkError(.timedOut), NetworkError(NetworkResponse(statusCode: 400)),
            NetworkError(NetworkResponse(statusCode: 401)),
            NetworkError(NetworkResponse(statusCode: 429)),
            NetworkError(NetworkResponse(statusCode: 500)),
        ]
    )
    func `refreshes that have reached a server are limited, whatever their failure`(
        failure: NetworkError
    ) async throws {
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { _ in
                refreshes.next()
                throw failure
            }
        )

        for _ in 0..<20 {
            await #expect(throws: (any Error).self) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        }

        #expect(refreshes.count == 5)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `a refresh whose first attempt reached the server counts`() async throws {
        let clock = ManualClock(skipsDelays: true)
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { _ in
                refreshes.next()
                let attempts = Counter()
                _ = try await RetryBehavior(attempts: 2, effects: clock.effects()).send { _ in
                    guard attempts.next() == 1 else { throw NetworkError(.unreachable) }
                    return NetworkResponse(statusCode: 429)
                }
                return "new"
            }
        )

        for _ in 1...20 {
            await #expect(throws: (any Error).self) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        }

        #expect(refreshes.count == 5)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test(arguments: [true, false])
    func `a refresh that reached no server does not count`(isOfSystem: Bool) async throws {
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { _ in
                guard refreshes.next() <= 20 else { return "new" }
                throw isOfSystem
                    ? URLError(.notConnectedToInternet) : NetworkError(.unreachable)
            }
        )
        for _ in 1...20 {
            await #expect(throws: (any Error).self) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        }

        let response = try await behavior.send { request in
            let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return NetworkResponse(statusCode: isNew ? 200 : 401)
        }

        #expect(response.statusCode == 200 && refreshes.count == 21)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `a token that was replaced meanwhile does not count as a refresh`() async throws {
        let time = ManualClock()
        let reads = Counter()
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { AccessToken("\(reads.next() / 3)") },
            refresh: { _ in "refreshed" }
        )

        for _ in 0..<100 {
            let response = try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            #expect(response.statusCode == 401)
        }
    }

    @Test func `error descriptions advise the user`() {
        #expect(TokenError.sessionEnded.localizedDescription.contains("Sign in again"))
        #expect(TokenError.tooManyRefreshes.localizedDescription.contains("Wait a minute"))
        #expect(TokenError.refreshTimedOut.localizedDescription.contains("Try again"))
    }

    /// Starts 20 requests that wait for one refresh, and passes each of them to a check.
    private func with20Waiting(
        _ behavior: TokenBehavior,
        endpoint: ActionGate<Void>,
        check: (Task<NetworkResponse, any Error>) async throws -> Void
    ) async throws {
        let executor = SerialTaskExecutor()
        let tasks = (0..<20).map { _ in
            Task(executorPreference: executor) {
                try await behavior.send { NetworkResponse(to: $0, accepting: []) }
            }
        }
        await executor.waitUntilIdle()
        await endpoint.waitForCalls(1)
        endpoint.open()
        for task in tasks { try await check(task) }
    }
}
