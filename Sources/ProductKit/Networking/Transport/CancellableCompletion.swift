import Dispatch
import Synchronization

/// Waits for work that calls back, and stops waiting at once when the calling task is cancelled.
///
/// ```swift
/// let value = try await withCancellableCompletion { finish in
///     let job = engine.start { result in finish(result) }
///     return { job.stop() }
/// }
/// ```
///
/// - Parameter start: Begins the work and returns a closure that stops it. It is not called in a
///   task that is cancelled already. `finish` may be called from anywhere and more than once; the
///   first call counts. The stop closure runs at most once, on a dispatch queue and never inside
///   the task's cancellation, where calling into a locked engine can deadlock.
/// - Returns: What `finish` was given.
/// - Throws: `CancellationError` at once when the task is cancelled, else what `start` threw or
///   `finish` was given.
public func withCancellableCompletion<Value: Sendable>(
    _ start: (
        _ finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) throws -> @Sendable () -> Void
) async throws -> Value {
    try Task.checkCancellation()
    let completion = CancellableCompletion<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            guard completion.await(with: continuation) else { return }
            do {
                completion.started(stop: try start(completion.finish))
            } catch {
                completion.finish(.failure(error))
            }
        }
    } onCancel: {
        completion.cancel()
    }
}

/// One wait: whoever ends it first takes the continuation out, and resumes it outside the lock.
private final class CancellableCompletion<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>, stop: (@Sendable () -> Void)?)
        case finished
        case cancelled
    }

    private let state = Mutex(State.new)

    /// Returns whether the work should start; when it should not, the continuation has been resumed.
    func await(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isCancelled = state.withLock { state in
            guard case .new = state else { return true }
            state = .waiting(continuation, stop: nil)
            return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    func started(stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if case .waiting(let continuation, _) = state {
                state = .waiting(continuation, stop: stop)
            }
            if case .cancelled = state { return true }
            return false
        }
        if isCancelled { DispatchQueue.global().async(execute: stop) }
    }

    @Sendable func finish(_ result: Result<Value, any Error>) {
        leave(to: .finished)?.continuation.resume(with: result)
    }

    func cancel() {
        guard let wait = leave(to: .cancelled) else { return }
        wait.continuation.resume(throwing: CancellationError())
        if let stop = wait.stop { DispatchQueue.global().async(execute: stop) }
    }

    private func leave(
        to end: State
    ) -> (continuation: CheckedContinuation<Value, any Error>, stop: (@Sendable () -> Void)?)? {
        state.withLock { state in
            switch state {
            case .waiting(let continuation, let stop):
                state = end
                return (continuation, stop)
            case .new:
                state = end
                return nil
            case .finished, .cancelled:
                return nil
            }
        }
    }
}
