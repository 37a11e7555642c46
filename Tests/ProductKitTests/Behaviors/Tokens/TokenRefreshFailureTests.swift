import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenRefreshFailureTests {
    private let store = TokenStore()
    private let endpoint = ActionGate<Void>()

    // Rule: tokens/rejected-refresh-ends-session (4); tokens/refresh-is-not-signed (6)
    @Test(
        arguments: [
            NetworkError.invalidGrant(), NetworkError.invalidGrant(statusCode: 401),
            TokenError.sessionEnded,
        ] as [any Error]
    )
    func `a rejected refresh ends the session for all waiting requests`(
        failure: any Error
    ) async throws {
        let behavior = store.behavior { _ in
            try await endpoint.hold()
            throw failure
        }

        for task in await twentyWaiting(for: behavior) {
            await #expect(throws: TokenError.sessionEnded) { try await task.value }
        }

        #expect(store.refreshes.count == 1)
    }

    // Rule: tokens/rejected-refresh-ends-session (4)
    @Test func `an ended session fails immediately until there is a new token`() async throws {
        let behavior = store.behavior { _ in throw NetworkError.invalidGrant() }
        for _ in 0..<10 {
            await #expect(throws: TokenError.sessionEnded) {
                try await behavior.send { store.response(to: $0) }
            }
        }
        #expect(store.sent == ["old"] && store.refreshes.count == 1)
        store.current = "new"

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }

        #expect(response.statusCode == 200)
    }

    // Rule: tokens/rejected-refresh-ends-session (4); tokens/token-stays-with-its-user (7)
    @Test(arguments: [nil, "ann"])
    func `a token that another process has replaced during a rejected refresh is used`(
        user: String?
    ) async throws {
        store.current = AccessToken("old", user: user)
        let behavior = store.behavior { _ in
            store.current = AccessToken("new", user: user)
            throw NetworkError.invalidGrant()
        }

        for _ in 0..<2 {
            let response = try await behavior.send { store.response(to: $0, accepting: ["new"]) }
            #expect(response.statusCode == 200)
        }

        #expect(store.sent == ["old", "new", "new"] && store.refreshes.count == 1)
    }

    // Rule: tokens/rejected-refresh-ends-session (4); tokens/token-stays-with-its-user (7)
    @Test func `another user's token does not replace one whose refresh was rejected`() async {
        store.current = AccessToken("old", user: "ann")
        let behavior = store.behavior { _ in
            store.current = AccessToken("new", user: "bob")
            throw NetworkError.invalidGrant()
        }

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { store.response(to: $0) }
        }

        #expect(store.sent == ["old"])
    }

    // Rule: tokens/rejected-refresh-ends-session (4)
    @Test func `a store that fails after a rejected refresh does not undo the rejection`() async {
        let reads = Counter()
        let behavior = TokenBehavior(
            effects: .stopped,
            token: {
                // The request, its 401 and the refresh have read the token before.
                if reads.next() == 4 { throw CocoaError(.fileReadUnknown) }
                return "old"
            },
            refresh: { _ in
                store.refreshes.next()
                throw NetworkError.invalidGrant()
            }
        )

        await #expect(throws: CocoaError.self) {
            try await behavior.send { store.response(to: $0) }
        }
        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { store.response(to: $0) }
        }

        #expect(store.sent == ["old"] && store.refreshes.count == 1)
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
        let behavior = store.behavior { _ in
            try await endpoint.hold()
            guard store.refreshes.count > 1 else { throw failure }
            return "new"
        }

        for task in await twentyWaiting(for: behavior) {
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.code == failure.code)
        }
        #expect(store.refreshes.count == 1)

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }
        #expect(response.statusCode == 200 && store.refreshes.count == 2)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `the sixth refresh in 30 seconds throws tooManyRefreshes`() async throws {
        let behavior = store.behavior { _ in "new" }
        for second in 0..<5 {
            let response = try await behavior.send { store.response(to: $0) }
            #expect(response.statusCode == 401 && store.refreshes.count == second + 1)
            store.time.advance(by: .seconds(1))
        }
        store.time.advance(by: .milliseconds(24_999))

        await #expect(throws: TokenError.tooManyRefreshes) {
            try await behavior.send { store.response(to: $0) }
        }
        #expect(store.refreshes.count == 5)
        store.time.advance(by: .milliseconds(1))

        _ = try await behavior.send { store.response(to: $0) }
        #expect(store.refreshes.count == 6)
        await #expect(throws: TokenError.tooManyRefreshes) {
            try await behavior.send { store.response(to: $0) }
        }
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test(arguments: [
        NetworkError(.timedOut), NetworkError(NetworkResponse(statusCode: 400)),
        NetworkError(NetworkResponse(statusCode: 401)),
        NetworkError(NetworkResponse(statusCode: 429)),
        NetworkError(NetworkResponse(statusCode: 500)),
    ])
    func `refreshes that have reached a server are limited, whatever their failure`(
        failure: NetworkError
    ) async throws {
        let behavior = store.behavior { _ in throw failure }

        await sendInVain(through: behavior)

        #expect(store.refreshes.count == 5)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `after five refreshes of which the last has failed, its error is thrown`()
        async throws
    {
        let behavior = store.behavior { _ in
            throw NetworkError(store.refreshes.count < 5 ? .timedOut : .connectionLost)
        }
        await sendInVain(through: behavior)

        await expectNetworkError(.connectionLost) {
            try await behavior.send { store.response(to: $0) }
        }
        #expect(store.refreshes.count == 5)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `a cancelled refresh is not the error of another request`() async throws {
        let behavior = store.behavior { _ in throw CancellationError() }
        await sendInVain(through: behavior)

        await #expect(throws: TokenError.tooManyRefreshes) {
            try await behavior.send { store.response(to: $0) }
        }
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `a refresh whose first attempt reached the server counts`() async throws {
        let behavior = store.behavior { _ in
            let attempts = Counter()
            _ = try await RetryBehavior(attempts: 2, effects: .skippingDelays).send { _ in
                guard attempts.next() == 1 else { throw NetworkError(.unreachable) }
                return NetworkResponse(statusCode: 429)
            }
            return "new"
        }

        await sendInVain(through: behavior)

        #expect(store.refreshes.count == 5)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test(
        arguments: [URLError(.notConnectedToInternet), NetworkError(.unreachable)] as [any Error]
    )
    func `a refresh that reached no server does not count`(failure: any Error) async throws {
        let behavior = store.behavior { _ in
            guard store.refreshes.count <= 20 else { return "new" }
            throw failure
        }
        await sendInVain(through: behavior)

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }

        #expect(response.statusCode == 200 && store.refreshes.count == 21)
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `a token that was replaced meanwhile does not count as a refresh`() async throws {
        let reads = Counter()
        let behavior = TokenBehavior(
            effects: .stopped,
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

    /// Sends 20 requests one after another, all of which fail.
    private func sendInVain(through behavior: TokenBehavior) async {
        for _ in 0..<20 {
            await #expect(throws: (any Error).self) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        }
    }

    /// Starts 20 requests that wait for one refresh, and then lets it end.
    private func twentyWaiting(
        for behavior: TokenBehavior
    ) async -> [Task<NetworkResponse, any Error>] {
        let executor = SerialTaskExecutor()
        let tasks = (0..<20).map { _ in
            Task(executorPreference: executor) {
                try await behavior.send { NetworkResponse(to: $0, accepting: []) }
            }
        }
        await executor.waitUntilIdle()
        await endpoint.waitForCalls(1)
        endpoint.open()
        return tasks
    }
}
