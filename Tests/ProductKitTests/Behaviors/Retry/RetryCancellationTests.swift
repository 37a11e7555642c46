import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryCancellationTests {
    private let retry = RetryBehavior(effects: .skippingDelays)
    private let sends = Counter()

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `a cancellation during a delay sends nothing more and costs nothing`() async throws {
        let gate = ActionGate<Void>()
        let retry = RetryBehavior(
            attempts: 2,
            budget: 14,
            effects: SystemEffects(sleep: { _ in try await gate.hold() })
        )
        for number in 1...3 {
            let task = Task {
                try await retry.send { _ in
                    sends.next()
                    return NetworkResponse(statusCode: 503)
                }
            }
            await gate.waitForCalls(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(sends.count == number)
        }
        gate.open()

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `a delay that ignores the cancellation costs nothing`() async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: 14,
            effects: SystemEffects(sleep: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        )

        for number in 1...2 {
            let task = Task {
                try await retry.send { _ in
                    sends.next()
                    return NetworkResponse(statusCode: 503)
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(sends.count == number)
        }
    }

    // Rule: retry/cancellation-ends-delay (7); cancellation/not-treated-as-failure (2)
    @Test(
        arguments: [
            .failure(CancellationError()), .failure(URLError(.cancelled)),
            .failure(NetworkError(.connectionLost)), .success(NetworkResponse(statusCode: 503)),
        ] as [Result<NetworkResponse, any Error>]
    )
    func `a cancelled attempt is not retried`(outcome: Result<NetworkResponse, any Error>) async {
        let task = sendCancelled { try outcome.get() }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test(arguments: [CancellationError() as any Error, URLError(.cancelled)])
    func `a cancellation error without a cancelled task is not retried`(error: any Error) async {
        #expect(await retry.sends { _ in throw error } == 1)
    }

    // Rule: cancellation/final-outcome-stays (3)
    @Test func `a final outcome is returned or thrown although the task was cancelled`()
        async throws
    {
        let success = sendCancelled { NetworkResponse(statusCode: 201) }
        let failure = sendCancelled { throw NetworkError(.untrusted) }

        #expect(try await success.value == NetworkResponse(statusCode: 201))
        let error = await #expect(throws: NetworkError.self) { try await failure.value }
        #expect(error?.code == .untrusted)
    }

    // Rule: retry/cancellation-ends-delay (7)
    @Test func `the default sleep throws when the task is cancelled`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await SystemEffects().sleep(.seconds(3_600))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Sends a request in a task that is cancelled during the first attempt.
    private func sendCancelled(
        _ respond: @escaping @Sendable () throws -> NetworkResponse
    ) -> Task<NetworkResponse, any Error> {
        Task {
            try await retry.send { _ in
                sends.next()
                withUnsafeCurrentTask { $0?.cancel() }
                return try respond()
            }
        }
    }
}
