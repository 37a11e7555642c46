/// Lets concurrent callers with the same key share one execution of an operation.
///
/// The first caller of a key starts the operation, and callers that arrive while it runs wait for its value or error.
/// Nothing is stored: a later caller starts it again.
///
/// The operation runs in its own task, which inherits the task-local values of the first caller. A cancelled caller,
/// even the first one, throws `CancellationError` immediately, and the others keep waiting.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    /// A running operation, and the callers that wait for it, by their numbers.
    private struct Execution {
        /// The number of the caller that started it.
        let starter: Int
        let owner: ObjectIdentifier?
        var waiters: [Int: Waiter] = [:]
        /// `nil` until the task was started.
        var task: Task<Void, Never>?

        var waitersInOrder: [Waiter] { waiters.sorted { $0.key < $1.key }.map(\.value) }
    }

    private struct State {
        /// The executions that new callers join.
        var executions: [Key: Execution] = [:]
        var lastCaller = 0
    }

    private let state = Locked(State())
    /// Whether an operation is cancelled when all of its callers are; otherwise it goes on, and others can join it.
    private let cancelsWhenAbandoned: Bool

    init(cancelsWhenAbandoned: Bool) {
        self.cancelsWhenAbandoned = cancelsWhenAbandoned
    }

    /// Returns the value of a key's operation, and starts the operation if it is not running.
    ///
    /// With an owner, ``end(startedFor:throwing:)`` can end an operation that this call starts.
    func value(
        for key: Key,
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
                let new = Execution(starter: caller, owner: owner.map { ObjectIdentifier($0) })
                let isNew = state.withLock { state in
                    let isNew = state.executions[key] == nil
                    state.executions[key, default: new].waiters[caller] = waiter
                    return isNew
                }
                if isNew { start(operation, for: key, as: caller) }
                // If the task was cancelled before it joined, `onCancel` found no waiter to remove.
                if Task.isCancelled { leave(key, caller) }
            }
        } onCancel: {
            leave(key, caller)
        }
    }

    private func start(
        _ operation: @escaping @Sendable () async throws -> Value,
        for key: Key,
        as starter: Int
    ) {
        // A caller with a higher priority may join, and waits without raising that of the task.
        let priority = max(Task.currentPriority, .medium)
        let task = Task.startingAtOnce(priority: priority) { [self] in
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            let execution = state.withLock { state in
                state.executions[key]?.starter == starter
                    ? state.executions.removeValue(forKey: key) : nil
            }
            for waiter in execution?.waitersInOrder ?? [] { waiter.resume(with: result) }
        }
        let isRunning = state.withLock { state in
            guard state.executions[key]?.starter == starter else { return false }
            state.executions[key]?.task = task
            return true
        }
        // It has completed, was ended, or has lost all callers before the task was stored.
        if !isRunning { task.cancel() }
    }

    /// Cancels all operations; their callers throw `CancellationError` immediately.
    func cancelAll() { end(startedFor: nil, throwing: CancellationError()) }

    /// Cancels the operations that were started for an object, or all operations if it is `nil`.
    ///
    /// Their callers throw an error immediately, also those of other objects that have joined.
    func end(startedFor owner: (any AnyObject & Sendable)?, throwing error: any Error) {
        let owner = owner.map { ObjectIdentifier($0) }
        let ended = state.withLock { state in
            let ended = state.executions.filter { owner == nil || $0.value.owner == owner }
            for key in ended.keys { state.executions[key] = nil }
            return ended.values.sorted { $0.starter < $1.starter }
        }
        for waiter in ended.flatMap(\.waitersInOrder) { waiter.resume(throwing: error) }
        for execution in ended { execution.task?.cancel() }
    }

    /// Ends the wait of a caller that was cancelled, unless it has left or the operation has completed.
    ///
    /// With `cancelsWhenAbandoned`, an operation without waiters is removed, so that the next caller starts a new one.
    private func leave(_ key: Key, _ caller: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            let waiter = state.executions[key]?.waiters.removeValue(forKey: caller)
            let isAbandoned = state.executions[key]?.waiters.isEmpty == true
            guard cancelsWhenAbandoned, waiter != nil, isAbandoned else { return (waiter, nil) }
            return (waiter, state.executions.removeValue(forKey: key)?.task)
        }
        waiter?.resume(throwing: CancellationError())
        task?.cancel()
    }
}

extension Task where Success == Void, Failure == Never {
    /// Starts a task on the current thread until it first suspends; before version 26 on another one, which is slower.
    static func startingAtOnce(
        priority: TaskPriority? = nil,
        operation: @escaping @isolated(any) @Sendable () async -> Void
    ) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            .immediate(priority: priority, operation: operation)
        } else {
            Task(priority: priority, operation: operation)
        }
    }
}
