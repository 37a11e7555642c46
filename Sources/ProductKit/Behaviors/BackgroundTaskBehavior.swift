import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Asks the system for time to finish a request when the app goes to the background.
///
/// Put it first in the list of behaviors, so that retries and delays are covered too.
public struct BackgroundTaskBehavior: RequestBehavior {
    private let begin:
        @Sendable (_ expire: @escaping @Sendable () -> Void) async -> @Sendable () -> Void

    /// Creates a behavior over the system's way to begin and end a background task.
    ///
    /// - Parameters:
    ///   - begin: Begins a task and returns what names it. Its closure is for the system to call
    ///     when the time is up.
    ///   - end: Ends a task. It is called exactly once for each `begin`: after the answer, a failure
    ///     or a cancellation, or when the time is up, whichever comes first. The request goes on.
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

    /// Holds a background task for as long as the exchange lasts.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let task = BackgroundTask()
        task.didBegin(end: await begin { task.end() })
        defer { task.end() }
        return try await next(request)
    }
}

/// One background task, which may expire before the system has even told its name.
private final class BackgroundTask: Sendable {
    private enum State {
        case beginning
        case running(end: @Sendable () -> Void)
        case ended
    }

    private let state = Mutex(State.beginning)

    func didBegin(end: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .running(end: end)
            return false
        }
        if hasEnded { end() }
    }

    func end() {
        let end: (@Sendable () -> Void)? = state.withLock { state in
            defer { state = .ended }
            guard case .running(let end) = state else { return nil }
            return end
        }
        end?()
    }
}
