import Synchronization

/// Tells when the first request begins and when the last one has ended, for an indicator.
///
/// One behavior has one counter: give the same one to every client whose requests should count
/// together.
///
/// ```swift
/// let activity = ActivityBehavior { isActive in spinner.show(isActive) }
/// ```
public final class ActivityBehavior: RequestBehavior {
    private let count = Mutex(0)
    private let onChange: @Sendable (Bool) -> Void

    /// Creates a behavior with a counter of its own.
    ///
    /// - Parameter onChange: Called with `true` when a request begins while none runs, and with
    ///   `false` when the last one has ended. The calls come one after another, from any thread;
    ///   keep them short and do not wait in them.
    public init(onChange: @escaping @Sendable (Bool) -> Void) {
        self.onChange = onChange
    }

    /// Counts up.
    public func beforeSend() {
        // Told under the lock, or two changes could be told in the wrong order.
        count.withLock { count in
            count += 1
            if count == 1 { onChange(true) }
        }
    }

    /// Counts down.
    public func afterSuccess(result: any Sendable) { countDown() }

    /// Counts down.
    public func afterFailure(error: any Error) { countDown() }

    private func countDown() {
        count.withLock { count in
            count -= 1
            if count == 0 { onChange(false) }
        }
    }
}
