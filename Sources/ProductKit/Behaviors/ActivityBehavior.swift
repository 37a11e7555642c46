/// A behavior that reports whether any request is in progress, for an activity indicator.
///
/// ```swift
/// let activity = ActivityBehavior { isActive in spinner.show(isActive) }
/// ```
///
/// Each instance has its own counter. To count the requests of several clients together, give the
/// same instance to all of them.
public final class ActivityBehavior: RequestBehavior {
    private let count = Locked(0)
    private let onChange: @Sendable (Bool) -> Void

    /// Creates a behavior with its own counter.
    ///
    /// - Parameter onChange: Called with `true` when the first request starts, and with `false` when the last one has
    ///   ended. The calls never overlap and come in order, from any thread. They are made while a lock is held: return
    ///   quickly, and do not wait for other requests.
    public init(onChange: @escaping @Sendable (Bool) -> Void) {
        self.onChange = onChange
    }

    /// Creates a behavior with its own counter that reports changes on the main actor.
    ///
    /// ```swift
    /// let activity = ActivityBehavior.onMainActor { isActive in status.isLoading = isActive }
    /// ```
    ///
    /// Requests do not wait for the main actor, so the last request may have ended before its start
    /// is reported.
    ///
    /// - Parameter show: Called with `true` after the first request has started, and with `false` after the last one has
    ///   ended, in this order also if the main actor was busy.
    /// - Returns: The behavior.
    public static func onMainActor(
        _ show: @escaping @MainActor @Sendable (Bool) -> Void
    ) -> ActivityBehavior {
        let indicator = Indicator()
        return ActivityBehavior { _ in
            Task { @MainActor in
                // Each change is the opposite of the one before it. So the order is right in whatever order the main
                // actor runs these tasks.
                indicator.isActive.toggle()
                show(indicator.isActive)
            }
        }
    }

    /// Adds one to the counter.
    public func beforeSend() { add(1) }

    /// Subtracts one from the counter.
    public func afterSuccess(result: any Sendable) { add(-1) }

    /// Subtracts one from the counter.
    public func afterFailure(error: any Error) { add(-1) }

    private func add(_ number: Int) {
        // `onChange` is called inside of the lock: otherwise two changes could be reported in the wrong order.
        count.withLock { count in
            let wasActive = count > 0
            count += number
            if wasActive != (count > 0) { onChange(!wasActive) }
        }
    }
}

/// The state that was last reported on the main actor.
@MainActor private final class Indicator {
    var isActive = false

    nonisolated init() {}
}
