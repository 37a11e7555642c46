/// A behavior that requests background time from the system, so that a request can finish after the
/// app has moved to the background.
///
/// Place it first in the list of behaviors, so that the time also covers retries and their delays. In an app with UIKit,
/// create it with `BackgroundTaskBehavior()`, which uses `UIApplication.shared`.
public struct BackgroundTaskBehavior: RequestBehavior {
    private let begin:
        @Sendable (_ expire: @escaping @Sendable () -> Void) async -> @Sendable () -> Void

    /// Creates a behavior from two closures that begin and end a background task.
    ///
    /// - Parameters:
    ///   - begin: Begins a background task and returns its identifier. The system calls the closure
    ///     that it receives when the background time expires.
    ///   - end: Ends a background task. Called exactly once for each `begin`: when the request has
    ///     succeeded, failed or been cancelled, or when the background time expires, whichever
    ///     comes first. An expiry does not cancel the request.
    public init<Identifier: Sendable>(
        begin:
            @escaping @Sendable (_ expire: @escaping @Sendable () -> Void) async -> Identifier,
        end: @escaping @Sendable (Identifier) -> Void
    ) {
        self.begin = { expire in
            let identifier = await begin(expire)
            return { end(identifier) }
        }
    }

    /// Sends the request within a background task.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let task = BackgroundTask()
        task.didBegin(end: await begin { task.end() })
        defer { task.end() }
        return try await next(request)
    }
}

/// A background task that is ended once, even if it expires before the system has returned its identifier.
private final class BackgroundTask: Sendable {
    private struct State {
        /// Ends the task; `nil` before it has begun and after it has ended.
        var end: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state = Locked(State())

    func didBegin(end: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.end = end }
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    func end() {
        state.withLock { state in
            state.hasEnded = true
            return state.end.take()
        }?()
    }
}
