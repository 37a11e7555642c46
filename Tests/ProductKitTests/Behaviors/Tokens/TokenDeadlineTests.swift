import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests the deadline of a refresh.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenDeadlineTests {
    private let store = TokenStore()
    private let endpoint = ActionGate<Void>()
    private let deadline = ActionGate<Void>()

    /// Effects whose first deadline passes when the test opens ``deadline``; later ones never end.
    private var effects: SystemEffects {
        let sleeps = Counter()
        var effects = SystemEffects.stopped
        effects.sleepToDeadline = { _ in
            try await sleeps.next() == 1 ? deadline.hold() : ActionGate<Void>().hold()
        }
        return effects
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test(arguments: [nil, Date.distantPast])
    func `a refresh that waits for its own request from another task times out`(
        expiry: Date?
    ) async throws {
        store.current = AccessToken("old", expiry: expiry)
        let itself = Mutex<TokenBehavior?>(nil)
        let detached = Mutex<Task<NetworkResponse?, any Error>?>(nil)
        let executor = SerialTaskExecutor()
        let started = ActionGate<Void>()
        started.open()
        let sendAgain: @Sendable () async throws -> NetworkResponse? = {
            try await started.hold()
            return try await itself.withLock { $0 }?.send { store.response(to: $0) }
        }
        let behavior = store.behavior(effects: effects) { _ in
            // The test reads the task when it has started, which may be before it is returned here.
            let task = detached.withLock { detached in
                let task = Task.detached(executorPreference: executor) { try await sendAgain() }
                detached = task
                return task
            }
            _ = try await task.value
            return "new"
        }
        itself.withLock { $0 = behavior }

        let request = Task { try await behavior.send { store.response(to: $0) } }
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
        let time = ManualClock()
        let refresh: @Sendable (AccessToken) async throws -> AccessToken = { old in
            try await endpoint.hold()
            return old
        }
        let behavior =
            if let limit {
                TokenBehavior(
                    refreshDeadline: limit,
                    effects: time.effects(),
                    token: { store.current },
                    refresh: refresh
                )
            } else {
                store.behavior(effects: time.effects(), refresh: refresh)
            }

        let request = Task { try await behavior.send { store.response(to: $0) } }
        await time.waitForSleeps(1)
        #expect(time.delays == [limit ?? .seconds(30)])
        time.advance(by: limit ?? .seconds(30))

        await #expect(throws: TokenError.refreshTimedOut) { try await request.value }
    }

    // Rule: testing/delays-can-be-skipped (6); tokens/refresh-has-a-deadline (8)
    @Test(arguments: [false, true])
    func `where delays are skipped no refresh times out`(hasClock: Bool) async throws {
        let (clock, sleeps) = (ManualClock(skipsDelays: true), Counter())
        let effects = hasClock ? clock.effects() : SystemEffects(sleep: { _ in sleeps.next() })
        let behavior = store.behavior(effects: effects) { _ in
            try await endpoint.hold()
            return "new"
        }
        let request = Task {
            try await behavior.send { store.response(to: $0, accepting: ["new"]) }
        }
        await endpoint.waitForCalls(1)
        if hasClock { await clock.waitForSleeps(1) }
        try await effects.sleep(.seconds(60))

        endpoint.open()

        #expect(try await request.value.statusCode == 200)
        #expect(hasClock ? clock.elapsed == .seconds(60) : sleeps.count == 1)
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test func `the deadline cancels the refresh and ends all requests that wait`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let behavior = store.behavior(effects: effects) { old in
            defer { end.yield(Task.isCancelled) }
            try await endpoint.hold()
            return old
        }
        let executor = SerialTaskExecutor()
        let tasks = (0..<10).map { _ in
            Task(executorPreference: executor) {
                try await behavior.send { store.response(to: $0) }
            }
        }
        await endpoint.waitForCalls(1)
        await executor.waitUntilIdle()

        deadline.open()

        for task in tasks {
            await #expect(throws: TokenError.refreshTimedOut) { try await task.value }
        }
        endpoint.open()
        #expect(await ends.first { _ in true } == true)
        #expect(store.refreshes.count == 1)
    }

    // Rule: tokens/refresh-has-a-deadline (8)
    @Test func `the request after a time-out starts another refresh`() async throws {
        let behavior = store.behavior(effects: effects) { _ in
            if store.refreshes.count == 1 { try await endpoint.hold() }
            return "new"
        }
        let first = Task { try await behavior.send { .init(to: $0, accepting: ["new"]) } }
        await endpoint.waitForCalls(1)
        deadline.open()
        await #expect(throws: TokenError.refreshTimedOut) { try await first.value }

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["new"]) }

        #expect(response.statusCode == 200 && store.refreshes.count == 2)
    }
}
