import Foundation

/// Holds the calls of an action until a test releases them.
///
/// With a gate, a test inspects a screen while an action runs, and decides in which order several calls end:
///
/// ```swift
/// let gate = ActionGate<Product>()
/// let screen = ProductViewModel(
///     product: boots,
///     localUser: LocalUser(currency: "EUR"),
///     actions: .only(reload: { try await gate.hold() })
/// )
///
/// async let reload: Void = screen.reload()
/// await gate.waitForCalls(1)
/// #expect(screen.phase == .loading)
///
/// try gate.release(returning: boots)
/// try await reload
/// ```
///
/// A gate can be used from any task, so it also holds the closures of a service or of a ``Networking``.
public final class ActionGate<Value: Sendable>: Sendable {
    private struct State {
        /// The calls that are held, oldest first.
        var calls: [(id: Int, continuation: CheckedContinuation<Value, any Error>)] = []
        var lastID = 0
        /// The value that calls return at once; `nil` while the gate is closed.
        var openValue: Value?
    }

    private let state = Locked(State())
    private let arrivals = ArrivalCounter()
    private let ignoresCancellation: Bool

    /// Creates a closed gate.
    ///
    /// - Parameter ignoresCancellation: Whether a call whose task is cancelled is held until it is released. With
    ///   `false`, the default, it throws `CancellationError` immediately, like a request.
    public init(ignoresCancellation: Bool = false) {
        self.ignoresCancellation = ignoresCancellation
    }

    /// The number of calls that are held.
    public var count: Int { state.withLock(\.calls.count) }

    /// Holds a call until the test releases it; use it as the body of the action.
    ///
    /// - Parameter isolation: The actor of the caller; the call is held without leaving it.
    /// - Returns: The value that the call is released with.
    /// - Throws: The error that the call is released with; `CancellationError` when the task is cancelled, unless the
    ///   gate ignores cancellation.
    public func hold(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            // Using the parameter keeps the closure on its actor.
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                add(continuation, id: id)
                arrivals.add()
            }
        } onCancel: {
            guard !ignoresCancellation else { return }
            let call = state.withLock { state in
                state.calls.firstIndex { $0.id == id }.map { state.calls.remove(at: $0) }
            }
            call?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets a held call return a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - index: The position of the call among those that are held, oldest first.
    /// - Throws: A `LocalizedError` if no call is held at this position. Wait for it with ``waitForCalls(_:)`` first.
    public func release(returning value: Value, at index: Int = 0) throws {
        try remove(at: index).resume(returning: value)
    }

    /// Lets a held call throw an error; otherwise the same as ``release(returning:at:)``.
    public func release(throwing error: any Error, at index: Int = 0) throws {
        try remove(at: index).resume(throwing: error)
    }

    /// Lets all held calls return a value, and all later ones without holding them.
    public func open(returning value: Value) {
        let calls = state.withLock { state in
            defer { state.calls = [] }
            state.openValue = value
            return state.calls
        }
        for call in calls { call.continuation.resume(returning: value) }
    }

    /// Waits until the action has been called.
    ///
    /// Each call is counted once: after `waitForCalls(1)`, another `waitForCalls(1)` waits for the next call. Calls count
    /// also if they have been released meanwhile, or if the gate is open. Returns early when the task is cancelled.
    ///
    /// - Parameter count: The number of calls that no earlier `waitForCalls` has counted, zero or more.
    public func waitForCalls(_ count: Int) async {
        await arrivals.wait(for: count)
    }

    /// Holds a call, or resumes it if the gate is open or its task is cancelled.
    private func add(_ continuation: CheckedContinuation<Value, any Error>, id: Int) {
        let result: Result<Value, any Error>? = state.withLock { state in
            // A task that is cancelled later finds the call in the state.
            if !ignoresCancellation, Task.isCancelled { return .failure(CancellationError()) }
            if let value = state.openValue { return .success(value) }
            state.calls.append((id, continuation))
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func remove(at index: Int) throws -> CheckedContinuation<Value, any Error> {
        try state.withLock { state in
            guard state.calls.indices.contains(index) else {
                throw NoHeldCall(index: index, count: state.calls.count)
            }
            return state.calls.remove(at: index).continuation
        }
    }
}

extension ActionGate<Void> {
    /// Lets a held call return; otherwise the same as ``release(returning:at:)``.
    public func release(at index: Int = 0) throws {
        try release(returning: (), at: index)
    }

    /// Lets all held calls return, and all later ones without holding them.
    public func open() {
        open(returning: ())
    }
}

/// The error for releasing a call of an ``ActionGate`` that is not held.
package struct NoHeldCall: LocalizedError, Hashable, CustomStringConvertible {
    /// The position of the call that was to be released.
    package let index: Int
    /// The number of calls that were held.
    package let count: Int

    package var errorDescription: String? { description }

    package var description: String {
        """
        No call is held at position \(index): the gate holds \(count). Wait for the call with \
        waitForCalls before releasing it. An open gate and a cancelled task hold no call.
        """
    }
}
