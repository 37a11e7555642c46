import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryCancellationTests {
    private let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
    private let sends = Counter()

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `a cancellation during a delay sends nothing more`() async {
        let gate = ActionGate<Void>()
        let retry = RetryBehavior(effects: SystemEffects(sleep: { _ in try await gate.hold() }))
        let task = Task {
            try await retry.send { _ in
                sends.next()
                return NetworkResponse(statusCode: 503)
            }
        }
        await gate.waitForCalls(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `a cancellation during a delay releases the cost of the retry`() async throws {
        let gate = ActionGate<Void>()
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: SystemEffects(sleep: { _ in try await gate.hold() })
        )
        for _ in 0..<3 {
            let task = Task { try await retry.send { _ in NetworkResponse(statusCode: 503) } }
            await gate.waitForCalls(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        gate.open()

        let sends = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(sends == 2)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `a delay that ignores the cancellation costs nothing`() async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: SystemEffects(sleep: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        )
        let task = Task {
            try await retry.send { _ in
                sends.next()
                return NetworkResponse(statusCode: 503)
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) {
            try await Task { try await retry.send { _ in NetworkResponse(statusCode: 503) } }.value
        }
        #expect(sends.count == 1)
    }

    // Rule: retry/cancellation-ends-delay (7); cancellation/not-treated-as-failure (2)
    @Test(arguments: [
        CancellationError() as any Error, URLError(.cancelled), NetworkError(.connectionLost),
    ])
    func `a cancelled attempt is not retried`(error: any Error) async {
        let task = Task {
            try await retry.send { _ in
                sends.next()
                withUnsafeCurrentTask { $0?.cancel() }
                throw error
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    // Rule: retry/cancellation-ends-delay (7); cancellation/not-treated-as-failure (2)
    @Test func `a cancelled task whose attempt got a response sends nothing more`() async {
        let task = Task {
            try await retry.send { _ in
                sends.next()
                withUnsafeCurrentTask { $0?.cancel() }
                return NetworkResponse(statusCode: 503)
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    // Rule: cancellation/final-outcome-stays (3)
    @Test func `a successful response is returned although the task was cancelled`() async throws {
        let task = Task {
            try await retry.send { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return NetworkResponse(statusCode: 201)
            }
        }

        #expect(try await task.value == NetworkResponse(statusCode: 201))
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test(arguments: [CancellationError() as any Error, URLError(.cancelled)])
    func `a cancellation error without a cancelled task is not retried`(error: any Error) async {
        #expect(await retry.sends { _ in throw error } == 1)
    }

    // Rule: cancellation/final-outcome-stays (3)
    @Test func `a permanent error is thrown although the task was cancelled`() async throws {
        let task = Task {
            try await retry.send { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw NetworkError(.untrusted)
            }
        }

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await task.value }
        )

        #expect(error.code == .untrusted)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `the default sleep throws when the task is cancelled`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await SystemEffects().sleep(.seconds(3_600))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
