/// Lets concurrent callers with the same key share one execution of an operation.
///
/// The first caller of a key starts the operation. Callers that arrive while it runs wait for the
/// same value or error. Nothing is stored: a caller that arrives after the operation has completed
/// starts it again.
///
/// The operation runs in its own task, which inherits the task-local values of the first caller.
/// Each caller waits on its own continuation. A cancelled caller, even the first one, throws
/// `CancellationError` immediately, and the others keep waiting.
///
/// With a key of `nil` an operation is shared with no one, but ``cancelAll()`` ends it as well. When its
/// caller is cancelled, so is the operation, and the caller waits for the outcome.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    /// A running operation; its number is that of the caller that started it.
    private struct Execution {
        let key: Key?
        let owner: ObjectIdentifier?
        var waiters: [Int: Waiter] = [:]
        /// Cancels the task; `nil` until the task was started.
        var cancel: (@Sendable () -> Void)?
    }

    private struct State {
        var executions: [Int: Execution] = [:]
        /// The execution that new callers of a key join.
        var current: [Key: Int] = [:]
        /// The execution that each caller waits for.
        var joined: [Int: Int] = [:]
        var lastCaller = 0

        /// Removes an execution, and returns its waiters in the order in which they joined; none if it was
        /// removed before.
        mutating func remove(_ execution: Int) -> [Waiter] {
            guard let removed = executions.removeValue(forKey: execution) else { return [] }
            if let key = removed.key { current[key] = nil }
            for caller in removed.waiters.keys { joined[caller] = nil }
            return removed.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private let state = Locked(State())
    /// Whether an operation is cancelled when all callers that wait for it are cancelled; otherwise it
    /// runs to its end, and later callers can still join it.
    private let cancelsWhenAbandoned: Bool

    init(cancelsWhenAbandoned: Bool) {
        self.cancelsWhenAbandoned = cancelsWhenAbandoned
    }

    /// Returns the value of a key's operation, and starts the operation if it is not running.
    ///
    /// With an owner, ``end(startedFor:throwing:)`` can end an operation that this call starts.
    func value(
        for key: Key?,
        startedFor owner: (any AnyObject & Sendable)? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let caller = state.withLock { state in
            state.lastCaller += 1
            return state.lastCaller
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let new = Execution(key: key, owner: owner.map { ObjectIdentifier($0) })
                let execution = state.withLock { state in
                    let execution = key.flatMap { state.current[$0] } ?? caller
                    if execution == caller, let key { state.current[key] = caller }
                    state.executions[execution, default: new].waiters[caller] = waiter
                    state.joined[caller] = execution
                    return execution
                }
                if execution == caller {
                    start(operation, as: execution, mayBeJoined: key != nil)
                }
                // If the task was cancelled before it joined, `onCancel` found no waiter to remove.
                if Task.isCancelled { leave(caller) }
            }
        } onCancel: {
            leave(caller)
        }
    }

    private func start(
        _ operation: @escaping @Sendable () async throws -> Value,
        as execution: Int,
        mayBeJoined: Bool
    ) {
        let run: @isolated(any) @Sendable () async -> Void = { [self] in
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            let waiters = state.withLock { $0.remove(execution) }
            for waiter in waiters { waiter.resume(with: result) }
        }
        // An immediate task runs on the current thread until it first suspends. Starting it is much
        // faster than starting a task on another thread.
        // A caller with a higher priority may join, and waits without raising that of the task.
        let priority = mayBeJoined ? max(Task.currentPriority, .medium) : nil
        let task =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediate(priority: priority, operation: run)
            } else {
                Task(priority: priority, operation: run)
            }
        let isRunning = state.withLock { state in
            state.executions[execution]?.cancel = { task.cancel() }
            return state.executions[execution] != nil
        }
        // It has completed, was ended, or has lost all callers before the closure above was stored.
        if !isRunning { task.cancel() }
    }

    /// Cancels all operations.
    ///
    /// Their callers throw `CancellationError` immediately. Later callers start operations as
    /// usual.
    func cancelAll() {
        end(nil, throwing: CancellationError())
    }

    /// Cancels the operations that were started for an object.
    ///
    /// Their callers throw an error immediately, also those of other objects that have joined.
    func end(startedFor owner: any AnyObject & Sendable, throwing error: any Error) {
        end(ObjectIdentifier(owner), throwing: error)
    }

    /// Ends the operations of an owner, or all operations if the owner is `nil`.
    private func end(_ owner: ObjectIdentifier?, throwing error: any Error) {
        let (waiters, cancels) = state.withLock { state in
            let ended = state.executions.filter { owner == nil || $0.value.owner == owner }
            let waiters = ended.keys.sorted().flatMap { state.remove($0) }
            return (waiters, ended.values.compactMap(\.cancel))
        }
        for waiter in waiters { waiter.resume(throwing: error) }
        for cancel in cancels { cancel() }
    }

    /// Ends the wait of a caller that was cancelled, unless it has left or the operation has completed.
    ///
    /// With `cancelsWhenAbandoned`, an operation without waiters is removed, so that the next caller of its
    /// key starts a new one. The caller of an operation without a key stays.
    private func leave(_ caller: Int) {
        let (waiter, cancel) = state.withLock { state -> (Waiter?, (@Sendable () -> Void)?) in
            guard let execution = state.joined[caller] else { return (nil, nil) }
            guard state.executions[execution]?.key != nil else {
                return (nil, state.executions[execution]?.cancel)
            }
            state.joined[caller] = nil
            let waiter = state.executions[execution]?.waiters.removeValue(forKey: caller)
            guard cancelsWhenAbandoned, state.executions[execution]?.waiters.isEmpty == true else {
                return (waiter, nil)
            }
            let cancel = state.executions[execution]?.cancel
            _ = state.remove(execution)
            return (waiter, cancel)
        }
        waiter?.resume(throwing: CancellationError())
        cancel?()
    }
}
