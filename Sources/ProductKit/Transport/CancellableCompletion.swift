import Dispatch

/// Waits for work that reports its result to a completion handler, and supports cancellation.
///
/// Start the work in the closure, pass its result to `finish`, and return a closure that stops the
/// work:
///
/// ```swift
/// let value = try await withCancellableCompletion { finish in
///     let job = engine.start { result in finish(result) }
///     return { job.stop() }
/// }
/// ```
///
/// The same turns an HTTP client with completion handlers into a ``Networking``:
///
/// ```swift
/// let networking: any Networking = .closure { request in
///     try request.validate()
///     return try await withCancellableCompletion { finish in
///         let job = engine.send(request) { result in finish(result) }
///         return { job.stop() }
///     }
/// }
/// ```
///
/// When the calling task is cancelled, the function throws `CancellationError` immediately. It does
/// not wait for the work to stop, and ignores a later result.
///
/// - `finish` may be called on any thread, before `start` returns, and more than once. Only the
///   first call has an effect. It must be called at some time, or the function never returns,
///   unless the task is cancelled.
/// - The stop closure is called at most once, only after a cancellation, and on a global dispatch
///   queue. It never runs inside of `Task.cancel()`, where calling an engine that holds a lock can
///   deadlock.
/// - If the task is already cancelled, `start` is not called. If it is cancelled while `start`
///   runs, the stop closure is called as soon as `start` has returned it.
///
/// - Parameter start: Starts the work and returns a closure that stops it.
/// - Returns: The value that was passed to `finish`.
/// - Throws: `CancellationError` when the task is cancelled, otherwise the error that `start` threw
///   or that was passed to `finish`.
public func withCancellableCompletion<Value: Sendable>(
    _ start: (
        _ finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) throws -> @Sendable () -> Void
) async throws -> Value {
    try Task.checkCancellation()
    let completion = CancellableCompletion<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            completion.wait(with: continuation)
            // If the task was cancelled before it waited, `onCancel` found no continuation.
            guard !Task.isCancelled else { return completion.cancel() }
            do {
                completion.setStop(try start(completion.finish))
            } catch {
                completion.finish(.failure(error))
            }
        }
    } onCancel: {
        completion.cancel()
    }
}

/// The state of one call of ``withCancellableCompletion(_:)``.
///
/// The first of `finish` and `cancel` takes the continuation out of the state, and resumes it
/// outside of the lock.
private final class CancellableCompletion<Value: Sendable>: Sendable {
    private struct State {
        /// The caller, while it waits.
        var continuation: CheckedContinuation<Value, any Error>?
        /// Stops the work that the caller waits for.
        var stop: (@Sendable () -> Void)?
        /// Whether the wait has ended with a cancellation.
        var isCancelled = false
    }

    private let state = Locked(State())

    func wait(with continuation: CheckedContinuation<Value, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Stores the closure that stops the work, or calls it if the task was cancelled meanwhile.
    func setStop(_ stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if state.continuation != nil { state.stop = stop }
            return state.isCancelled
        }
        if isCancelled { DispatchQueue.global().async(execute: stop) }
    }

    @Sendable func finish(_ result: Result<Value, any Error>) {
        endWait().continuation?.resume(with: result)
    }

    /// Ends the wait; does nothing before it and after its end.
    func cancel() {
        let wait = endWait(isCancelled: true)
        wait.continuation?.resume(throwing: CancellationError())
        if let stop = wait.stop { DispatchQueue.global().async(execute: stop) }
    }

    /// Ends the wait, and returns the state before that; the continuation is `nil` if it had ended before.
    private func endWait(isCancelled: Bool = false) -> State {
        state.withLock { state in
            defer { (state.continuation, state.stop) = (nil, nil) }
            if state.continuation != nil { state.isCancelled = isCancelled }
            return state
        }
    }
}
