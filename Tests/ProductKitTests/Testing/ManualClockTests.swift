import Foundation
import ProductKit
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ManualClockTests {
    private let clock = ManualClock()
    private let skippingClock = ManualClock(skipsDelays: true)

    // Rule: testing/clock-moves-by-test (5)
    @Test func `the time moves only when the clock is advanced`() {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 1_000))
        let start = clock.now
        #expect(clock.elapsed == .zero && clock.date == Date(timeIntervalSince1970: 1_000))

        clock.advance(by: .milliseconds(1_500))

        #expect(clock.elapsed == .milliseconds(1_500))
        #expect(clock.date == Date(timeIntervalSince1970: 1_001.5))
        #expect(start.duration(to: clock.now) == .milliseconds(1_500) && start < clock.now)
        #expect(start.advanced(by: .milliseconds(1_500)) == clock.now)
    }

    // Rule: testing/clock-moves-by-test (5)
    @Test func `a clock starts at the date in the examples of RFC 9110`() {
        #expect(clock.date.formatted(.iso8601) == "1994-11-06T08:49:37Z")
    }

    // Rule: testing/clock-moves-by-test (5)
    @Test func `a changed date advances with the clock and changes no durations`() {
        clock.advance(by: .seconds(10))

        clock.date = Date(timeIntervalSince1970: 500)
        clock.advance(by: .seconds(1))

        #expect(clock.date == Date(timeIntervalSince1970: 501) && clock.elapsed == .seconds(11))
    }

    // Rule: testing/clock-moves-by-test (5)
    @Test func `sleeps end exactly when their time has come`() async throws {
        let (executor, ended) = (SerialTaskExecutor(), Lines())
        for seconds in [3, 1, 2, 1] {
            Task(executorPreference: executor) { [clock] in
                try await clock.sleep(for: .seconds(seconds))
                ended.add("\(seconds)")
            }
        }
        await executor.waitUntilIdle()
        #expect(clock.delays == [.seconds(3), .seconds(1), .seconds(2), .seconds(1)])

        clock.advance(by: .milliseconds(999))
        await executor.waitUntilIdle()
        #expect(ended.all.isEmpty)
        clock.advance(by: .milliseconds(1))
        await executor.waitUntilIdle()
        #expect(ended.all == ["1", "1"])
        clock.advance(by: .seconds(5))

        await executor.waitUntilIdle()
        #expect(ended.all.sorted() == ["1", "1", "2", "3"])
    }

    // Rule: testing/clock-moves-by-test (5); testing/delays-can-be-skipped (6)
    @Test(arguments: [0, -1], [true, false])
    func `a sleep until a time that has passed ends at once and skips nothing`(
        seconds: Int,
        skipsDelays: Bool
    ) async throws {
        let clock = skipsDelays ? skippingClock : clock

        try await started {
            try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
        }.promptValue

        #expect(clock.elapsed == .zero && clock.delays == [.seconds(seconds)])
    }

    // Rule: testing/clock-moves-by-test (5)
    @Test func `a cancelled sleep throws and leaves the others`() async throws {
        let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
        let other = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleeps(2)

        cancelled.cancel()

        await #expect(throws: CancellationError.self) { try await cancelled.promptValue }
        clock.advance(by: .seconds(1))
        try await other.promptValue
    }

    // Rule: testing/delays-can-be-skipped (6); testing/calls-are-counted-once (3)
    @Test func `a clock that skips delays advances by them`() async throws {
        let effects = skippingClock.effects()

        for seconds in [2, 3] {
            try await started { try await effects.sleep(.seconds(seconds)) }.promptValue
        }
        try await started { await skippingClock.waitForSleeps(2) }.promptValue

        #expect(skippingClock.delays == [.seconds(2), .seconds(3)])
        #expect(effects.elapsed() == .seconds(5) && effects.now() == skippingClock.date)
        skippingClock.advance(by: .seconds(1))
        #expect(skippingClock.elapsed == .seconds(6))
    }

    // Rule: testing/delays-can-be-skipped (6); testing/calls-are-counted-once (3)
    @Test func `a sleep of a cancelled task throws, counts and skips nothing`() async throws {
        let sleep = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await skippingClock.sleep(for: .seconds(1))
        }

        await #expect(throws: CancellationError.self) { try await sleep.promptValue }
        #expect(skippingClock.elapsed == .zero && skippingClock.delays == [.seconds(1)])
        try await started { await skippingClock.waitForSleeps(1) }.promptValue
    }

    // Rule: testing/delays-can-be-skipped (6)
    @Test func `concurrent sleeps have the durations that were given`() async throws {
        let effects = skippingClock.effects()

        try await withThrowingTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { try await effects.sleep(.milliseconds(50)) } }
            try await group.waitForAll()
        }

        #expect(skippingClock.delays == Array(repeating: .milliseconds(50), count: 1_000))
        #expect(skippingClock.elapsed == .seconds(50))
    }

    @Test func `the random numbers of a clock are the lower bounds, or those given`() {
        let id = UUID()

        #expect(clock.effects().random(2...5) == 2)
        let effects = clock.effects(random: { $0.upperBound }, uuid: { id })
        #expect(effects.random(2...5) == 5 && effects.uuid() == id)
    }
}
