public import Foundation

/// A clock for tests, whose time moves only when the test advances it.
///
/// One clock controls the time of a whole service: the age of cached responses, the delays of
/// retries, the expiry of tokens, the debounce interval of a search and the dates that screens show:
///
/// ```swift
/// let clock = ManualClock()
/// let backend = ProductBackend(
///     baseURL: api,
///     networking: .closure { _ in
///         try NetworkResponse(headers: ["Cache-Control": "max-age=60"], json: boots)
///     },
///     cache: ResponseCache(),
///     effects: clock.effects()
/// )
/// ```
///
/// A task that sleeps waits until the clock has been advanced to the end of its sleep:
///
/// ```swift
/// async let search: Void = catalog.search("boots")
/// await clock.waitForSleeps(1)
/// #expect(catalog.rows.isEmpty && catalog.phase == .loading)
///
/// clock.advance(by: .milliseconds(300))
/// try await search
/// ```
///
/// With a clock that skips delays, each sleep ends at once and advances the clock by its duration.
/// Use it where only the length of the delays matters; see ``delays``. The limits of a token refresh and
/// of an attempt of an outbox end only if the test advances the clock.
public final class ManualClock: Clock, Sendable {
    /// A point in time of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        let elapsed: Duration

        /// Returns the point in time after a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }

        /// Returns the time from this point to another one.
        public func duration(to other: Instant) -> Duration {
            other.elapsed - elapsed
        }

        /// Returns whether one point in time is before another.
        public static func < (one: Instant, other: Instant) -> Bool {
            one.elapsed < other.elapsed
        }
    }

    private struct State {
        /// The time of day at the start of the clock.
        var start: Date
        var elapsed = Duration.zero
        var delays: [Duration] = []
        var sleeps: [(end: Duration, gate: ActionGate<Void>)] = []
    }

    private let skipsDelays: Bool
    private let state: Locked<State>
    private let arrivals = ArrivalCounter()

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - date: The time of day at which it starts; 08:49:37 GMT on Sunday, 6 November 1994 by
    ///     default, as in the examples of RFC 9110 §5.6.7.
    ///   - skipsDelays: Whether a sleep ends at once and advances the clock by its duration.
    public init(date: Date = Date(timeIntervalSince1970: 784_111_777), skipsDelays: Bool = false) {
        state = Locked(State(start: date))
        self.skipsDelays = skipsDelays
    }

    /// The time since the clock was created.
    public var elapsed: Duration { state.withLock(\.elapsed) }

    /// The current point in time.
    public var now: Instant { Instant(elapsed: elapsed) }

    /// The time of day, which advances with the clock.
    ///
    /// Set it to test what happens when the date of the system is changed. No sleep ends by that.
    public var date: Date {
        get { state.withLock { $0.start.addingTimeInterval($0.elapsed / .seconds(1)) } }
        set {
            state.withLock { $0.start = newValue.addingTimeInterval(-($0.elapsed / .seconds(1))) }
        }
    }

    /// The duration of each sleep so far, also of the cancelled ones, in the order in which they began.
    public var delays: [Duration] { state.withLock(\.delays) }

    /// The smallest difference between two points in time.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Advances the clock, and wakes the tasks that have slept long enough.
    ///
    /// The tasks continue in no particular order, and see the new time: a sleep that one of them begins starts there. To
    /// end sleeps one after another, advance the clock in steps, with ``waitForSleeps(_:)`` between them.
    ///
    /// - Parameter duration: The duration, zero or more.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "duration is \(duration); use zero or more")
        let woken = state.withLock { state in
            state.elapsed += duration
            let woken = state.sleeps.filter { $0.end <= state.elapsed }
            state.sleeps.removeAll { $0.end <= state.elapsed }
            return woken
        }
        for sleep in woken { sleep.gate.open() }
    }

    /// Sleeps for a duration.
    ///
    /// - Parameters:
    ///   - duration: The duration. With zero or less, the method returns immediately.
    ///   - tolerance: Ignored: the sleep ends exactly when the clock reaches its end.
    /// - Throws: `CancellationError` immediately when the task is cancelled.
    public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        try await sleep(skipping: skipsDelays) { now in now + duration }
    }

    /// Sleeps until a point in time, if it has not passed; otherwise the same as ``sleep(for:tolerance:)``.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleep(skipping: skipsDelays) { _ in deadline.elapsed }
    }

    /// Sleeps until the end that a closure returns for the elapsed time, or skips this sleep.
    private func sleep(
        skipping isSkipped: Bool,
        until end: (_ now: Duration) -> Duration
    ) async throws {
        let isCancelled = Task.isCancelled
        let gate = state.withLock { state -> ActionGate<Void>? in
            let end = end(state.elapsed)
            state.delays.append(end - state.elapsed)
            if isCancelled { return nil }
            if isSkipped { state.elapsed = max(state.elapsed, end) }
            guard end > state.elapsed else { return nil }
            let gate = ActionGate<Void>()
            state.sleeps.append((end, gate))
            return gate
        }
        arrivals.add()
        if isCancelled { throw CancellationError() }
        do { try await gate?.hold() } catch {
            state.withLock { state in state.sleeps.removeAll { $0.gate === gate } }
            throw error
        }
    }

    /// Waits until tasks have begun to sleep.
    ///
    /// Each sleep is counted once, as in ``ActionGate/waitForCalls(_:)``. Returns early when the task is cancelled.
    ///
    /// - Parameter count: The number of sleeps that no earlier `waitForSleeps` has counted, zero or more.
    public func waitForSleeps(_ count: Int) async {
        await arrivals.wait(for: count)
    }

    /// Returns effects with the time of this clock.
    ///
    /// - Parameters:
    ///   - random: Returns a random number in a range; by default its lower bound, so that retries have no random delay.
    ///   - uuid: Returns a new unique identifier.
    /// - Returns: The effects.
    public func effects(
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { $0.lowerBound },
        uuid: @escaping @Sendable () -> UUID = { UUID() }
    ) -> SystemEffects {
        var effects = SystemEffects(
            elapsed: { self.elapsed },
            now: { self.date },
            sleep: { try await self.sleep(for: $0) },
            random: random,
            uuid: uuid
        )
        effects.sleepToDeadline = { duration in
            try await self.sleep(skipping: false) { now in now + duration }
        }
        return effects
    }
}
