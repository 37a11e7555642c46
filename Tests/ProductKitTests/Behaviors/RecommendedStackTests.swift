import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests logging, activity, coalescing, retry and token together, above all with cancellations.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RecommendedStackTests {
    /// The step at which the first request waits.
    enum Step: CaseIterable {
        case response, delay, refresh
    }

    private let gate = ActionGate<Void>()
    private let sends = Counter()
    private let log = Lines()

    // Rule: cancellation/always-cancellation-error (1)
    @Test(arguments: Step.allCases)
    func `a cancelled request ends as a cancellation and nothing else`(step: Step) async throws {
        let client = client(waitingAt: step)
        let task = Task { try await client.send(.boots) }
        await gate.waitForCalls(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
        #expect(
            log.all == [
                "active", "GET https://api.example.com/v1/products/walking-boots started",
                "GET https://api.example.com/v1/products/walking-boots cancelled after 0.0 ms",
                "inactive", "failure CancellationError()",
            ]
        )
    }

    // Rule: cancellation/always-cancellation-error (1)
    @Test(arguments: Step.allCases)
    func `of two callers, the cancelled one throws and the other gets the product`(
        step: Step
    ) async throws {
        let client = client(waitingAt: step)
        let executor = SerialTaskExecutor()
        let first = Task(executorPreference: executor) { try await client.send(.boots) }
        let second = Task(executorPreference: executor) { try await client.send(.boots) }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()

        first.cancel()

        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == .boots)
        #expect(sends.count == (step == .response ? 1 : 2))
        #expect(log.all.count { $0.contains("cancelled") } == 1)
        #expect(log.all.count { $0.contains("received status 200") } == 1)
        #expect(!log.all.contains { $0.contains("failed") })
        #expect(log.all.last == "inactive")
    }

    // Rule: retry/three-attempts (3); tokens/one-refresh-for-all (1)
    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `a request passes retry and token refresh and succeeds`() async throws {
        let tokens = Lines()
        let client = NetworkClient(behaviors: behaviors(waitingAt: nil)) { request in
            tokens.add(request.token ?? "none")
            let statusCode = [503, 401, 200][tokens.all.count - 1]
            return try NetworkResponse(statusCode: statusCode, json: Product.boots)
        }

        #expect(try await client.send(.boots) == .boots)

        #expect(tokens.all == ["old", "old", "new"])
        #expect(log.all.contains { $0.hasSuffix("after 2 attempts") })
        #expect(log.all.last == "inactive")
    }

    /// A client whose first request waits for the gate at a step.
    private func client(waitingAt step: Step) -> NetworkClient {
        NetworkClient(behaviors: behaviors(waitingAt: step)) { _ in
            let number = sends.next()
            if step == .response { try await gate.hold() }
            switch (step, number) {
            case (.delay, 1): return NetworkResponse(statusCode: 503)
            case (.refresh, 1): return NetworkResponse(statusCode: 401)
            default: return try NetworkResponse(json: Product.boots)
            }
        }
    }

    private func behaviors(waitingAt step: Step?) -> [any RequestBehavior] {
        let token = Mutex<AccessToken>("old")
        var effects = SystemEffects.skippingDelays
        effects.sleep = { _ in if step == .delay { try await gate.hold() } }
        return [
            LoggingBehavior(effects: effects) { [log] event in log.add(event.description) },
            ClosureBehavior(afterFailure: { [log] error in log.add("failure \(error)") }),
            ActivityBehavior { [log] isActive in log.add(isActive ? "active" : "inactive") },
            IdempotencyKeyBehavior(),
            CoalescingBehavior { "" },
            RetryBehavior(effects: effects),
            TokenBehavior(
                effects: .stopped,
                token: { token.withLock { $0 } },
                refresh: { _ in
                    if step == .refresh { try await gate.hold() }
                    token.withLock { $0 = "new" }
                    return "new"
                }
            ),
        ]
    }
}
