/// The delays after failures, of each target and of all.
///
/// A value without effects: the current time and the random numbers are parameters.
package struct OutboxSchedule {
    private struct Failures {
        /// The number of attempts in a row that have failed for a reason of the target.
        var count = 0
        /// The number of attempts in a row that have ended with a conflict.
        var conflicts = 0
        /// The number of the idempotency key for the next attempt: 0, unless the server has failed to carry out the change.
        var keyNumber = 0
        /// The end of the delay; `nil` if it has ended.
        var waitEnd: Duration?
    }

    /// The number of conflicts in a row after which a change is rejected.
    private static let maximumConflicts = 4

    private var failures: [Outbox.Edit.Target: Failures] = [:]
    /// The number of pauses in a row.
    private var pauses = 0

    /// The delay before the next attempt of any target: its end on the monotonic clock, and whether the server
    /// has required it, so that only time or a person ends it.
    private var pause: (end: Duration, isRequired: Bool)?
    /// Whether nothing is sent until the user has signed in.
    private(set) var needsSignIn = false
    /// Counts the pauses, so that attempts that fail together count once.
    package private(set) var round = 0

    package init() {}

    /// Whether targets without a delay of their own may be sent.
    package var permitsSending: Bool { pause == nil && !needsSignIn }

    /// Whether a target has a delay of its own.
    package func isWaiting(_ target: Outbox.Edit.Target) -> Bool {
        failures[target]?.waitEnd != nil
    }

    /// Removes what is known of a target of which no change waits any longer.
    mutating func remove(_ target: Outbox.Edit.Target) {
        failures[target] = nil
    }
}

// MARK: - Ends of waits

extension OutboxSchedule {
    /// The time at which the next wait ends; `nil` if none ends by time.
    package var nextWaitEnd: Duration? {
        needsSignIn ? nil : pause?.end ?? failures.values.compactMap(\.waitEnd).min()
    }

    /// Whether nothing can be sent before a delay of the server ends or the user has signed in.
    package func isBlocked(at now: Duration) -> Bool {
        needsSignIn || pause.map { $0.isRequired && now < $0.end } ?? false
    }

    /// Ends all delays, and the wait for a sign-in.
    ///
    /// A delay that the server has required ends only with `includingRequired`, the wait only with `includingSignIn`.
    package mutating func endWaits(
        includingRequired: Bool = false,
        includingSignIn: Bool = true
    ) {
        if includingSignIn { needsSignIn = false }
        if includingRequired || pause?.isRequired == false { pause = nil }
        for target in failures.keys { failures[target]?.waitEnd = nil }
    }

    /// Ends the waits that the server has not required and that delay a target.
    package mutating func endWaits(of target: Outbox.Edit.Target) {
        if pause?.isRequired == false { pause = nil }
        failures[target]?.waitEnd = nil
    }

    /// Ends the waits whose time has passed.
    package mutating func endWaits(until now: Duration) {
        if let pause, now >= pause.end { self.pause = nil }
        for (target, failure) in failures where failure.waitEnd.map({ now >= $0 }) == true {
            failures[target]?.waitEnd = nil
        }
    }
}

// MARK: - Outcomes

extension OutboxSchedule {
    /// Ends the failures in a row, because the server has carried out or refused a change.
    package mutating func succeed(_ target: Outbox.Edit.Target) {
        pauses = 0
        failures[target] = nil
    }

    /// Ends the conflicts in a row, because an attempt has failed in another way.
    package mutating func endConflicts(of target: Outbox.Edit.Target) {
        failures[target]?.conflicts = 0
    }

    /// Forgets the conflicts and the renewed key of a target, because its next attempt is that of another change.
    mutating func firstChangeDidLeave(_ target: Outbox.Edit.Target) {
        failures[target]?.conflicts = 0
        failures[target]?.keyNumber = 0
    }

    /// Delays the next attempt of a target after a failure.
    package mutating func delay(
        _ target: Outbox.Edit.Target,
        at now: Duration,
        random: (ClosedRange<Double>) -> Double
    ) {
        let count = failures[target]?.count ?? 0
        failures[target, default: Failures()].count += 1
        failures[target]?.waitEnd = now + Self.delay(after: count, random: random)
    }

    /// Delays the next attempt of a target after a conflict; returns `false` if there were too many.
    package mutating func delayAfterConflict(
        _ target: Outbox.Edit.Target,
        at now: Duration,
        random: (ClosedRange<Double>) -> Double
    ) -> Bool {
        let conflicts = failures[target]?.conflicts ?? 0
        guard conflicts < Self.maximumConflicts else { return false }
        failures[target, default: Failures()].conflicts += 1
        delay(target, at: now, random: random)
        return true
    }

    package func keyNumber(of target: Outbox.Edit.Target) -> Int {
        failures[target]?.keyNumber ?? 0
    }

    /// Lets the next attempt of a target have a new idempotency key.
    package mutating func renewKey(of target: Outbox.Edit.Target) {
        failures[target, default: Failures()].keyNumber += 1
    }

    /// Delays all attempts after a failure of the network or of the whole server.
    ///
    /// A required delay of zero does not count: the edits would be sent without a pause. Attempts that
    /// started in one ``round`` and fail together count as one failure.
    package mutating func delayAll(
        required: Duration?,
        round: Int,
        at now: Duration,
        random: (ClosedRange<Double>) -> Double
    ) {
        if let required, required > .zero {
            pause = (max(now + required, pause?.end ?? .zero), isRequired: true)
        } else if round == self.round, pause?.isRequired != true {
            pause = (now + Self.delay(after: pauses, random: random), isRequired: false)
        }
        guard round == self.round else { return }
        pauses += 1
        self.round += 1
    }

    /// Sends nothing until ``endWaits()`` is called.
    package mutating func waitForSignIn() {
        needsSignIn = true
    }

    /// Returns a random delay between 0.1 and 1, 2, 4 … 300 seconds.
    private static func delay(
        after failures: Int,
        random: (ClosedRange<Double>) -> Double
    ) -> Duration {
        .seconds(random(0.1...(failures < 9 ? Double(1 << failures) : 300)))
    }
}
