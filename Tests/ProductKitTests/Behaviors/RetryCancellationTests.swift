import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryCancellationTests {
    private let retry = RetryBehavior(effects: Timeline().effects())
    private let sends = Counter()

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `cancelling during a delay leaves at once and sends no more`() async {
        let gate = Gate()
        let retry = RetryBehavior(effects: BehaviorEffects(sleep: { _ in try await gate.pass() }))
        let task = Task {
            try await retry.send { _ in
                sends.next()
                return NetworkResponse(statusCode: 503)
            }
        }
        await gate.arrival()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `cancelling during a delay costs no budget`() async throws {
        let gate = Gate()
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: BehaviorEffects(sleep: { _ in try await gate.pass() })
        )
        for _ in 0..<3 {
            let task = Task { try await retry.send { _ in NetworkResponse(statusCode: 503) } }
            await gate.arrival()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        gate.open()

        let sends = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(sends == 2)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `a delay that overlooks the cancellation sends no more and costs nothing`() async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: BehaviorEffects(sleep: { _ in withUnsafeCurrentTask { $0?.cancel() } })
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
    func `a cancelled attempt is not repeated`(error: any Error) async {
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
    @Test func `a cancelled task whose attempt was answered sends no more`() async {
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
    @Test func `an answer that came before the cancellation is the caller's`() async throws {
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
    func `what somebody else cancelled is not repeated`(error: any Error) async {
        #expect(await retry.sends { _ in throw error } == 1)
    }

    // Rule: cancellation/final-outcome-stays (3)
    @Test func `a cancelled task's other errors stay what they are`() async throws {
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
    @Test func `the live delay ends with the task`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await BehaviorEffects().sleep(.seconds(3_600))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
