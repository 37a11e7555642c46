/// The order in which targets are sent, and the delays after failures.
///
/// A value without effects: the current time and the random numbers are parameters. Each step takes
/// a time that does not depend on the number of targets, except for those that end all waits.
package struct OutboxSchedule {
    /// A delay before the next attempt.
    package struct Wait: Equatable {
        /// The time at which it ends, on the monotonic clock.
        package let end: Duration
        /// Whether the server has required it, so that only time or a person ends it.
        package let isRequired: Bool
    }

    private struct Failures {
        /// The number of attempts in a row that have failed for a reason of the target.
        var count = 0
        /// The number of attempts in a row that have ended with a conflict.
        var conflicts = 0
        /// The number of the key with which the first change is sent next.
        var keyNumber = 0
        var waitEnd: Duration?
        /// The number of the first change, when the wait ends.
        var number = 0
    }

    /// The number of conflicts in a row after which a change is rejected.
    private static let maximumConflicts = 4

    /// The targets that may be sent, as a binary heap with the oldest change first.
    private var ready: [(number: Int, target: Outbox.Edit.Target)] = []
    private var isReady: Set<Outbox.Edit.Target> = []
    private var failures: [Outbox.Edit.Target: Failures] = [:]
    /// The targets with a wait of their own.
    private var waiting: Set<Outbox.Edit.Target> = []
    /// A time at which none of these waits has ended yet; `nil` if there are none.
    private var earliestWaitEnd: Duration?
    /// The number of pauses in a row.
    private var pauses = 0

    /// The delay before the next attempt of any target.
    package private(set) var pause: Wait?
    /// Whether nothing is sent until the user has signed in.
    package private(set) var needsSignIn = false
    /// Counts the pauses, so that attempts that fail together count once.
    package private(set) var round = 0

    /// Creates a schedule without targets.
    package init() {}

    /// Adds a target whose first change may be sent, or as soon as its wait has ended.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - number: The number of its first change in the order of saving.
    package mutating func add(_ target: Outbox.Edit.Target, number: Int) {
        guard !waiting.contains(target) else {
            failures[target]?.number = number
            return
        }
        if isReady.insert(target).inserted { insert((number, target)) }
    }

    /// Removes the target with the oldest change of those that may be sent.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - endsWaits: Whether delays end that have passed.
    /// - Returns: The target; `nil` if none may be sent now.
    package mutating func next(
        at now: Duration,
        endsWaits: Bool = true
    ) -> Outbox.Edit.Target? {
        guard !needsSignIn else { return nil }
        if let pause {
            guard endsWaits, now >= pause.end else { return nil }
            self.pause = nil
        }
        if endsWaits, let end = earliestWaitEnd, now >= end { self.endWaits(until: now) }
        guard let target = removeFirst() else { return nil }
        isReady.remove(target)
        return target
    }

    private mutating func insert(_ element: (number: Int, target: Outbox.Edit.Target)) {
        ready.append(element)
        var index = ready.count - 1
        while index > 0, ready[index].number < ready[(index - 1) / 2].number {
            ready.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeFirst() -> Outbox.Edit.Target? {
        guard let first = ready.first?.target else { return nil }
        ready.swapAt(0, ready.count - 1)
        ready.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < ready.count }
            guard let least = children.min(by: { ready[$0].number < ready[$1].number }),
                ready[least].number < ready[index].number
            else { return first }
            ready.swapAt(index, least)
            index = least
        }
    }

    /// Removes what is known of a target of which no change waits any longer.
    package mutating func remove(_ target: Outbox.Edit.Target) {
        failures[target] = nil
        waiting.remove(target)
    }

    /// Whether a target has a wait of its own.
    package func isWaiting(_ target: Outbox.Edit.Target) -> Bool { waiting.contains(target) }
}

// MARK: - Ends of waits

extension OutboxSchedule {
    /// A time at which a wait may end; `nil` if none ends by time.
    package var nextWaitEnd: Duration? {
        needsSignIn ? nil : pause?.end ?? earliestWaitEnd
    }

    /// Whether nothing can be sent before a delay of the server ends or the user has signed in.
    package func isBlocked(at now: Duration) -> Bool {
        needsSignIn || pause.map { $0.isRequired && now < $0.end } ?? false
    }

    /// Ends all waits, and the wait for a sign-in.
    ///
    /// - Parameter includingRequired: Whether a wait that the server has required ends, too.
    package mutating func endWaits(includingRequired: Bool = false) {
        needsSignIn = false
        if includingRequired { pause = nil } else { endPause() }
        for target in waiting { endWait(of: target) }
        earliestWaitEnd = nil
    }

    /// Ends the waits that the server has not required and that delay a target.
    package mutating func endWaits(of target: Outbox.Edit.Target) {
        endPause()
        endWait(of: target)
    }

    private mutating func endWaits(until now: Duration) {
        for target in waiting where failures[target]?.waitEnd.map({ now >= $0 }) ?? true {
            endWait(of: target)
        }
        earliestWaitEnd = waiting.compactMap { failures[$0]?.waitEnd }.min()
    }

    private mutating func endPause() {
        if pause?.isRequired == false { pause = nil }
    }

    private mutating func endWait(of target: Outbox.Edit.Target) {
        guard waiting.remove(target) != nil else { return }
        failures[target]?.waitEnd = nil
        add(target, number: failures[target]?.number ?? 0)
    }
}

// MARK: - Outcomes

extension OutboxSchedule {
    /// Ends the failures in a row, because the server has carried out or refused a change.
    package mutating func succeed(_ target: Outbox.Edit.Target) {
        pauses = 0
        failures[target] = nil
    }

    /// Delays the next attempt of a target after a failure.
    package mutating func delay(
        _ target: Outbox.Edit.Target,
        at now: Duration,
        random: (ClosedRange<Double>) -> Double
    ) {
        let count = failures[target]?.count ?? 0
        let end = now + Self.delay(after: count, random: random)
        failures[target, default: Failures()].count = count + 1
        failures[target]?.waitEnd = end
        waiting.insert(target)
        earliestWaitEnd = min(end, earliestWaitEnd ?? end)
    }

    /// Delays the next attempt of a target after a conflict; returns `false` if there were too many.
    package mutating func delayAfterConflict(
        _ target: Outbox.Edit.Target,
        at now: Duration,
        random: (ClosedRange<Double>) -> Double
    ) -> Bool {
        let conflicts = failures[target]?.conflicts ?? 0
        guard conflicts < Self.maximumConflicts else { return false }
        failures[target, default: Failures()].conflicts = conflicts + 1
        delay(target, at: now, random: random)
        return true
    }

    /// The number of the idempotency key for the next attempt of a target: 0, unless the server has
    /// failed to carry out the change.
    package func keyNumber(of target: Outbox.Edit.Target) -> Int {
        failures[target]?.keyNumber ?? 0
    }

    /// Lets the next attempt of a target have a new idempotency key.
    package mutating func renewKey(of target: Outbox.Edit.Target) {
        failures[target, default: Failures()].keyNumber += 1
    }

    /// Delays all attempts after a failure of the network or of the whole server.
    ///
    /// - Parameters:
    ///   - required: The delay that the server requires, if any.
    ///   - round: The ``round`` in which the attempt started. Attempts that fail together count as
    ///     one failure.
    ///   - now: The current time.
    ///   - random: Returns a random number in a range.
    package mutating func delayAll(
        required: Duration?,
        round: Int,
        at now: Duration,
        random: (ClosedRange<Double>) -> Double
    ) {
        if let required {
            pause = Wait(end: max(now + required, pause?.end ?? .zero), isRequired: true)
        } else if round == self.round, pause?.isRequired != true {
            pause = Wait(end: now + Self.delay(after: pauses, random: random), isRequired: false)
        }
        guard round == self.round else { return }
        pauses += 1
        self.round += 1
    }

    /// Sends nothing until ``endWaits()`` is called.
    package mutating func waitForSignIn() {
        needsSignIn = true
    }

    /// Returns a random delay of at most 1, 2, 4 … 300 seconds.
    private static func delay(
        after failures: Int,
        random: (ClosedRange<Double>) -> Double
    ) -> Duration {
        .seconds(random(0...(failures < 9 ? Double(1 << failures) : 300)))
    }
}
