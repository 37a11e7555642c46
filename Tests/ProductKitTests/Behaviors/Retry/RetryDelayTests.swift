import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryDelayTests {
    private let time = ManualClock(skipsDelays: true)

    // Rule: retry/random-delay (4)
    @Test func `the maximum delay doubles with each attempt up to 20 seconds`() async {
        let ranges = Mutex<[ClosedRange<Double>]>([])
        let effects = time.effects { range in
            ranges.withLock { $0.append(range) }
            return range.upperBound
        }
        let retry = RetryBehavior(attempts: 12, deadline: .seconds(3_600), effects: effects)

        _ = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        let expected = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20, 20]
        #expect(ranges.withLock { Array($0.prefix(11)) } == expected.map { 0...$0 })
        #expect(time.delays == expected.map { .seconds($0) })
    }

    // Rule: retry/random-delay (4)
    @Test func `the delay of the hundredth attempt does not overflow`() async {
        let retry = RetryBehavior(
            attempts: 100,
            deadline: .seconds(1e9),
            budget: 100_000,
            effects: time.effects { $0.upperBound }
        )

        _ = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(time.delays.count == 99)
        #expect(time.delays.last == .seconds(20))
    }

    // Rule: retry/random-delay (4)
    @Test func `default random numbers are spread over the whole range`() {
        let random = SystemEffects().random

        let numbers = (0..<10_000).map { _ in random(0...20) }

        #expect(numbers.allSatisfy { (0...20).contains($0) })
        #expect((9...11).contains(numbers.reduce(0, +) / 10_000))
        #expect(numbers.contains { $0 < 1 })
        #expect(numbers.contains { $0 > 19 })
    }

    @Test func `there is no delay after the last attempt or a success`() async {
        let retry = RetryBehavior(effects: time.effects { $0.upperBound })

        _ = await retry.sends { _ in NetworkResponse(statusCode: 200) }
        _ = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(time.delays == [.milliseconds(50), .milliseconds(100)])
    }
}
