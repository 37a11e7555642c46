import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryDeadlineTests {
    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `the timeout of each attempt is the time left`() async {
        let timeouts = await timeouts(
            deadline: .seconds(25),
            each: .seconds(10),
            delay: 0.05
        )

        #expect(timeouts == [25, 14.95, 4.9])
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `a shorter timeout of the request is kept`() async {
        let timeouts = await timeouts(of: 8, deadline: .seconds(25), each: .seconds(10))

        #expect(timeouts == [8, 8, 5])
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `a longer timeout of the request is shortened`() async {
        #expect(await timeouts(of: 1e12, deadline: .seconds(2), each: .zero) == [2, 2, 2])
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `a deadline may be less than a second`() async {
        let timeouts = await timeouts(
            deadline: .milliseconds(300),
            each: .milliseconds(200)
        )

        #expect(timeouts.count == 2)
        #expect(timeouts.first == 0.3)
        #expect(abs((timeouts.last ?? 0) - 0.1) < 1e-9)
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test(arguments: [Duration.seconds(10), .seconds(11), .milliseconds(9_950)])
    func `an attempt is not made when no time is left`(each: Duration) async {
        #expect(await timeouts(deadline: .seconds(10), each: each, delay: 0.05) == [10])
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `an attempt is made when a little time is left`() async {
        let timeouts = await timeouts(deadline: .seconds(10), each: .seconds(9.9), delay: 0.05)

        #expect(timeouts.count == 2)
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `the last outcome is thrown when no time is left`() async throws {
        let time = ManualClock(skipsDelays: true)

        let error = try #require(
            await #expect(throws: NetworkError.self) {
                try await RetryBehavior(deadline: .seconds(15), effects: time.effects())
                    .send { _ in
                        time.advance(by: .seconds(8))
                        throw URLError(.networkConnectionLost)
                    }
            }
        )

        #expect(error.code == .connectionLost)
        #expect(error.attempts.map(\.failure) == [.connectionLost, .connectionLost])
        #expect(time.elapsed == .seconds(16))
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `a sleep beyond the deadline sends nothing more and costs nothing`() async {
        let time = ManualClock(skipsDelays: true)
        var effects = time.effects()
        effects.sleep = { _ in time.advance(by: .seconds(60)) }
        let retry = RetryBehavior(budget: RetryBudget(capacity: 14), effects: effects)

        for _ in 0..<3 {
            #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
        }

        #expect(time.elapsed == .seconds(180))
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `the deadline starts with each request`() async {
        let time = ManualClock(skipsDelays: true)
        let retry = RetryBehavior(deadline: .seconds(10), effects: time.effects())

        for _ in 0..<3 {
            let sends = await retry.sends { number in
                time.advance(by: .seconds(4))
                return NetworkResponse(statusCode: number < 3 ? 503 : 200)
            }
            #expect(sends == 3)
        }
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an invalid timeout is an error`(timeout: Duration) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) }),
            behaviors: [
                ClosureBehavior(modify: { $0.timeout = timeout }),
                RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
            ]
        )

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await client.send(.boots) }
        )

        #expect(error.code == .invalidRequest)
    }

    /// The timeout of each attempt when all of them fail.
    private func timeouts(
        of timeout: Double = 60,
        deadline: Duration,
        each: Duration,
        delay: Double = 0
    ) async -> [Double] {
        let time = ManualClock(skipsDelays: true)
        let timeouts = Mutex<[Double]>([])
        var request = OutgoingRequest("GET")
        request.timeout = .seconds(timeout)
        let retry = RetryBehavior(deadline: deadline, effects: time.effects { _ in delay })
        _ = try? await retry.send(request) { sent in
            timeouts.withLock { $0.append(sent.timeoutInterval) }
            time.advance(by: each)
            return NetworkResponse(statusCode: 503)
        }
        return timeouts.withLock { $0 }
    }
}
