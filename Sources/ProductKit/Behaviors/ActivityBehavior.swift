import Synchronization

/// A behavior that reports whether any request is in progress, for an activity indicator.
///
/// ```swift
/// let activity = ActivityBehavior { isActive in spinner.show(isActive) }
/// ```
///
/// Each instance has its own counter. To count the requests of several clients together, give the
/// same instance to all of them.
public final class ActivityBehavior: RequestBehavior {
    private let count = Mutex(0)
    private let onChange: @Sendable (Bool) -> Void

    /// Creates a behavior with its own counter.
    ///
    /// - Parameter onChange: Called with `true` when the first request starts, and with `false`
    ///   when the last one has ended. The calls never overlap and come in order, from any thread.
    ///   They are made while a lock is held: return quickly, and do not wait for other requests.
    public init(onChange: @escaping @Sendable (Bool) -> Void) {
        self.onChange = onChange
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
