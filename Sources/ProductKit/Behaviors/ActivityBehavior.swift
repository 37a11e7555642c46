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
    /// - Parameter onChange: Called with `true` when the first request starts, and with `false`
    ///   when the last one has ended. The calls never overlap and come in order, from any thread.
    ///   They are made while a lock is held: return quickly, and do not wait for other requests.
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
    /// - Parameter show: Called with `true` after the first request has started, and with `false`
    ///   after the last one has ended. The calls come in this order, also if the main actor was
    ///   busy.
    /// - Returns: The behavior.
    public static func onMainActor(
        _ show: @escaping @MainActor @Sendable (Bool) -> Void
    ) -> ActivityBehavior {
        let indicator = Indicator(show)
        return ActivityBehavior { _ in
            Task { @MainActor in indicator.change() }
        }
    }

    /// Adds one to the counter.
    public func beforeSend() {
        // Called inside of the lock: otherwise two changes could be reported in the wrong order.
        count.withLock { count in
            count += 1
            if count == 1 { onChange(true) }
        }
    }

    /// Subtracts one from the counter.
    public func afterSuccess(result: any Sendable) { decrement() }

    /// Subtracts one from the counter.
    public func afterFailure(error: any Error) { decrement() }

    private func decrement() {
        count.withLock { count in
            count -= 1
            if count == 0 { onChange(false) }
        }
    }
}

/// The state that was last reported on the main actor.
@MainActor private final class Indicator {
    private var isActive = false
    private let show: @MainActor @Sendable (Bool) -> Void

    nonisolated init(_ show: @escaping @MainActor @Sendable (Bool) -> Void) {
        self.show = show
    }

    /// Reports the next change.
    ///
    /// Each change is the opposite of the one before it. So the order is right in whatever order
    /// the main actor runs the tasks that call this method.
    func change() {
        isActive.toggle()
        show(isActive)
    }
}
