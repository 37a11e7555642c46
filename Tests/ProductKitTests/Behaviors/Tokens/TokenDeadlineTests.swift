import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests the deadline of a refresh.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenDeadlineTests {
    private let refreshes = Counter()
    private let deadline = ActionGate<Void>()

    /// Effects whose first sleep ends when the test opens ``deadline``; later ones never end.
    private var effects: SystemEffects {
        let sleeps = Counter()
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { _ in
            try await sleeps.next() == 1 ? deadline.hold() : ActionGate<Void>().hold()
        }
        return effects
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test(arguments: [nil, Date.distantPast])
    func `a refresh that waits for its own request from another task times out`(
        expiry: Date?
    ) async throws {
        let itself = Mutex<TokenBehavior?>(nil)
        let detached = Mutex<Task<NetworkResponse?, any Error>?>(nil)
        let executor = SerialTaskExecutor()
        let started = ActionGate<Void>()
        started.open()
        let sendAgain: @Sendable () async throws -> NetworkResponse? = {
            try await started.hold()
            return try await itself.withLock { $0 }?
                .send { _ in NetworkResponse(statusCode: 401) }
        }
        let behavior = TokenBehavior(
            effects: effects,
            token: { AccessToken("old", expiry: expiry) },
            refresh: { _ in
                // The test reads the task when it has started, which may be before it is returned here.
                let task = detached.withLock { detached in
                    let task = Task.detached(executorPreference: executor) { try await sendAgain() }
                    detached = task
                    return task
                }
                _ = try await task.value
                return "new"
            }
        )
        itself.withLock { $0 = behavior }

        let request = Task { try await behavior.send { _ in NetworkResponse(statusCode: 401) } }
        await started.waitForCalls(1)
        await executor.waitUntilIdle()
        deadline.open()

        await #expect(throws: TokenError.refreshTimedOut) { try await request.value }
        let inner = try #require(detached.withLock { $0 })
        await #expect(throws: TokenError.refreshTimedOut) { try await inner.value }
        itself.withLock { $0 = nil }
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test(arguments: [nil, Duration.milliseconds(1_500)])
    func `a refresh has 30 seconds or the given time`(limit: Duration?) async throws {
        let sleeps = Mutex<[Duration]>([])
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { limit in sleeps.withLock { $0.append(limit) } }
        let token: @Sendable () -> AccessToken? = { "old" }
        let refresh: @Sendable (AccessToken) async throws -> AccessToken = { _ in
            try await ActionGate<Void>().hold()
            return "new"
        }
        let behavior =
            if let limit {
                TokenBehavior(
                    refreshDeadline: limit,
                    effects: effects,
                    token: token,
                    refresh: refresh
                )
            } else {
                TokenBehavior(effects: effects, token: token, refresh: refresh)
            }

        await #expect(throws: TokenError.refreshTimedOut) {
            try await behavior.send { _ in NetworkResponse(statusCode: 401) }
        }

        #expect(sleeps.withLock { $0 } == [limit ?? .seconds(30)])
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test func `the deadline cancels the refresh and ends all requests that wait`() async throws {
        let (server, endpoint) = (ActionGate<Void>(), ActionGate<Void>())
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let behavior = TokenBehavior(
            effects: effects,
            token: { "old" },
            refresh: { _ in
                refreshes.next()
                defer { end.yield(Task.isCancelled) }
                try await endpoint.hold()
                return "new"
            }
        )

        let executor = SerialTaskExecutor()
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask(executorPreference: executor) {
                    await #expect(throws: TokenError.refreshTimedOut) {
                        try await behavior.send { _ in
                            try await server.hold()
                            return NetworkResponse(statusCode: 401)
                        }
                    }
                }
            }
            await server.waitForCalls(10)
            server.open()
            await endpoint.waitForCalls(1)
            // All requests wait for the refresh then.
            for _ in 0..<10 { await executor.waitUntilIdle() }
            deadline.open()
        }

        endpoint.open()
        #expect(await ends.first { _ in true } == true)
        #expect(refreshes.count == 1)
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test func `the request after a time-out starts another refresh`() async throws {
        let current = Mutex<AccessToken>("old")
        let endpoint = ActionGate<Void>()
        let behavior = TokenBehavior(
            effects: effects,
            token: { current.withLock { $0 } },
            refresh: { _ in
                if refreshes.next() == 1 { try await endpoint.hold() }
                current.withLock { $0 = "new" }
                return "new"
            }
        )
        let first = Task { try await behavior.send { .init(to: $0, accepting: ["new"]) } }
        await endpoint.waitForCalls(1)
        deadline.open()
        await #expect(throws: TokenError.refreshTimedOut) { try await first.value }

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }

        #expect(response.statusCode == 200)
        #expect(refreshes.count == 2)
    }
}
