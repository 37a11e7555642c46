import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ManualClockTests {
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
        #expect(ManualClock().date.formatted(.iso8601) == "1994-11-06T08:49:37Z")
    }

    // Rule: testing/clock-moves-by-test (5)
    @Test func `a changed date advances with the clock and changes no durations`() {
        let clock = ManualClock()
        clock.advance(by: .seconds(10))

        clock.date = Date(timeIntervalSince1970: 500)
        clock.advance(by: .seconds(1))

        #expect(clock.date == Date(timeIntervalSince1970: 501) && clock.elapsed == .seconds(11))
    }

    // Rule: testing/clock-moves-by-test (5)
    @MainActor @Test func `sleeps end exactly when their time has come`() async throws {
        let clock = ManualClock()
        var ended: Set<Int> = []
        var sleeps: [Task<Void, any Error>] = []
        for seconds in [3, 1, 2, 1] {
            sleeps.append(
                await started {
                    try await clock.sleep(for: .seconds(seconds))
                    ended.insert(seconds)
                }
            )
        }
        #expect(clock.delays == [.seconds(3), .seconds(1), .seconds(2), .seconds(1)])

        clock.advance(by: .milliseconds(999))
        #expect(await remainsFalse { !ended.isEmpty })
        clock.advance(by: .milliseconds(1))
        for index in [1, 3] { try await sleeps[index].promptValue }
        #expect(await remainsFalse { ended != [1] })
        clock.advance(by: .seconds(5))

        for sleep in sleeps { try await sleep.promptValue }
        #expect(ended == [1, 2, 3])
    }

    // Rule: testing/clock-moves-by-test (5)
    @MainActor @Test(arguments: [0, -1])
    func `a sleep until a time that has passed ends at once`(seconds: Int) async throws {
        let clock = ManualClock()

        let sleep = Task<Void, any Error> {
            try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
        }

        try await sleep.promptValue
        #expect(clock.elapsed == .zero)
    }

    // Rule: testing/clock-moves-by-test (5)
    @MainActor @Test func `a cancelled sleep throws and leaves the others`() async throws {
        let clock = ManualClock()
        let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
        let other = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleeps(2)

        cancelled.cancel()

        await #expect(throws: CancellationError.self) { try await cancelled.promptValue }
        clock.advance(by: .seconds(1))
        try await other.promptValue
    }

    // Rule: testing/delays-can-be-skipped (6)
    @MainActor @Test func `a clock that skips delays advances by them`() async throws {
        let clock = ManualClock(skipsDelays: true)
        let effects = clock.effects()

        try await started { try await effects.sleep(.seconds(2)) }.promptValue
        try await started { try await effects.sleep(.seconds(3)) }.promptValue

        #expect(clock.elapsed == .seconds(5) && clock.delays == [.seconds(2), .seconds(3)])
        #expect(effects.elapsed() == .seconds(5) && effects.now() == clock.date)
        clock.advance(by: .seconds(1))
        #expect(clock.elapsed == .seconds(6))
    }

    // Rule: testing/delays-can-be-skipped (6)
    @MainActor @Test func `a sleep of a cancelled task throws, counts and skips nothing`()
        async throws
    {
        let clock = ManualClock(skipsDelays: true)

        let sleep = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }

        await #expect(throws: CancellationError.self) { try await sleep.promptValue }
        #expect(clock.elapsed == .zero && clock.delays == [.seconds(1)])
        try await started { await clock.waitForSleeps(1) }.promptValue
    }

    // Rule: testing/delays-can-be-skipped (6)
    @Test func `concurrent sleeps have the durations that were given`() async throws {
        let clock = ManualClock(skipsDelays: true)
        let effects = clock.effects()

        try await withThrowingTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { try await effects.sleep(.milliseconds(50)) } }
            try await group.waitForAll()
        }

        #expect(clock.delays.allSatisfy { $0 == .milliseconds(50) })
        #expect(clock.elapsed == .seconds(50) && clock.delays.count == 1_000)
    }

    // Rule: testing/delays-can-be-skipped (6)
    @MainActor @Test func `a sleep until a time that has passed skips nothing`() async throws {
        let clock = ManualClock(skipsDelays: true)
        let start = clock.now
        clock.advance(by: .seconds(2))

        try await started {
            try await clock.sleep(until: start.advanced(by: .seconds(1)))
        }.promptValue

        #expect(clock.elapsed == .seconds(2) && clock.delays == [.seconds(-1)])
    }

    // Rule: testing/calls-are-counted-once (3)
    @MainActor @Test func `each sleep is counted once`() async throws {
        let clock = ManualClock(skipsDelays: true)
        for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) }

        try await Task<Void, any Error> { await clock.waitForSleeps(2) }.promptValue
        try await Task<Void, any Error> { await clock.waitForSleeps(1) }.promptValue

        let wait = await started { await clock.waitForSleeps(1) }
        try await clock.sleep(for: .seconds(1))
        try await wait.promptValue
    }

    @Test func `the random numbers of a clock are the lower bounds, or those given`() {
        let id = UUID()

        #expect(ManualClock().effects().random(2...5) == 2)
        let effects = ManualClock().effects(random: { $0.upperBound }, uuid: { id })
        #expect(effects.random(2...5) == 5 && effects.uuid() == id)
    }
}
