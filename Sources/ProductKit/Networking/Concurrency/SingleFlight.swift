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

    private let executions = Locked(Executions<Key, Waiter>())
    /// Whether an operation is cancelled when all callers that wait for it are cancelled; otherwise it
    /// runs to its end, and later callers can still join it.
    private let cancelsWhenAbandoned: Bool

    init(cancelsWhenAbandoned: Bool) {
        self.cancelsWhenAbandoned = cancelsWhenAbandoned
    }

    /// Waits for the operation of a key, and starts it if it is not running.
    ///
    /// ``end(startedFor:throwing:)`` ends the operations that were started for an object.
    func value(
        for key: Key?,
        startedFor owner: (any AnyObject & Sendable)? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let caller = executions.withLock { $0.makeCallerID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                if executions.withLock({
                    $0.join(key, caller, waiter, owner.map { ObjectIdentifier($0) })
                }) {
                    start(operation, as: caller)
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
        as execution: Int
    ) {
        let run: @isolated(any) @Sendable () async -> Void = { [self] in
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            let waiters = executions.withLock { $0.complete(execution) }
            for waiter in waiters { waiter.resume(with: result) }
        }
        // An immediate task runs on the current thread until it first suspends. Starting it is much
        // faster than starting a task on another thread.
        let task =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediate(operation: run)
            } else {
                Task(operation: run)
            }
        let isRunning = executions.withLock { $0.setCancel(of: execution) { task.cancel() } }
        // It has completed, or all callers have left before the closure above was stored.
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

    private func end(_ owner: ObjectIdentifier?, throwing error: any Error) {
        let (waiters, cancels) = executions.withLock { $0.removeAll(startedFor: owner) }
        for waiter in waiters { waiter.resume(throwing: error) }
        for cancel in cancels { cancel() }
    }

    private func leave(_ caller: Int) {
        let (waiter, cancel) = executions.withLock {
            $0.leave(caller, cancelsWhenAbandoned: cancelsWhenAbandoned)
        }
        waiter?.resume(throwing: CancellationError())
        cancel?()
    }
}

/// The running executions and their waiters: the rules of ``SingleFlight`` without tasks or locks.
///
/// An execution has the number of the caller that started it.
struct Executions<Key: Hashable, Waiter> {
    private struct Execution {
        let key: Key?
        let owner: ObjectIdentifier?
        var waiters: [Int: Waiter] = [:]
        var cancel: (@Sendable () -> Void)?
    }

    private var executions: [Int: Execution] = [:]
    /// The execution that new callers of a key join.
    private var current: [Key: Int] = [:]
    /// The execution that each caller waits for.
    private var joined: [Int: Int] = [:]
    private var lastCaller = 0

    /// Returns a unique number for a caller.
    mutating func makeCallerID() -> Int {
        lastCaller += 1
        return lastCaller
    }

    /// Adds a caller to the execution of a key.
    ///
    /// - Returns: Whether the key had no execution, so that the caller must start one.
    mutating func join(
        _ key: Key?,
        _ caller: Int,
        _ waiter: Waiter,
        _ owner: ObjectIdentifier? = nil
    ) -> Bool {
        let execution = key.flatMap { current[$0] } ?? caller
        let isFirst = execution == caller
        if isFirst, let key { current[key] = execution }
        executions[execution, default: Execution(key: key, owner: owner)].waiters[caller] = waiter
        joined[caller] = execution
        return isFirst
    }

    /// Stores the closure that cancels an execution.
    ///
    /// - Returns: Whether the execution is still running. It may have completed, or all of its
    ///   callers may have left, before this call.
    mutating func setCancel(
        of execution: Int,
        _ cancel: @escaping @Sendable () -> Void
    ) -> Bool {
        executions[execution]?.cancel = cancel
        return executions[execution] != nil
    }

    /// Removes an execution that has completed.
    ///
    /// - Returns: Its waiters in the order in which they joined.
    mutating func complete(_ execution: Int) -> [Waiter] {
        guard let completed = executions.removeValue(forKey: execution) else { return [] }
        removeCurrent(execution, of: completed.key)
        for caller in completed.waiters.keys { joined[caller] = nil }
        return completed.waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Removes a caller that was cancelled, unless its execution has no key.
    ///
    /// Does nothing for a caller that has left already or whose execution has completed. With
    /// `cancelsWhenAbandoned`, an execution without waiters is removed, so that the next caller of its
    /// key starts a new one.
    ///
    /// - Returns: The waiter of the caller if it was removed, and the closure that cancels the execution
    ///   if that was removed or has no key.
    mutating func leave(
        _ caller: Int,
        cancelsWhenAbandoned: Bool
    ) -> (waiter: Waiter?, cancel: (@Sendable () -> Void)?) {
        guard let execution = joined[caller] else { return (nil, nil) }
        guard let key = executions[execution]?.key else {
            return (nil, executions[execution]?.cancel)
        }
        joined[caller] = nil
        let waiter = executions[execution]?.waiters.removeValue(forKey: caller)
        guard cancelsWhenAbandoned, executions[execution]?.waiters.isEmpty == true else {
            return (waiter, nil)
        }
        let abandoned = executions.removeValue(forKey: execution)
        removeCurrent(execution, of: key)
        return (waiter, abandoned?.cancel)
    }

    /// Removes the executions that were started for an object; with `nil`, all of them.
    ///
    /// - Returns: Their waiters in the order in which they joined, and the closures that cancel
    ///   them.
    mutating func removeAll(
        startedFor owner: ObjectIdentifier? = nil
    ) -> (waiters: [Waiter], cancels: [@Sendable () -> Void]) {
        let removed = executions.filter { owner == nil || $0.value.owner == owner }
        for execution in removed.keys { _ = complete(execution) }
        let waiters = removed.values.flatMap(\.waiters).sorted { $0.key < $1.key }
        return (waiters.map(\.value), removed.values.compactMap(\.cancel))
    }

    /// Ends the joining of an execution, unless a newer one of the key has started.
    private mutating func removeCurrent(_ execution: Int, of key: Key?) {
        if let key, current[key] == execution { current[key] = nil }
    }
}
