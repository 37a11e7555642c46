/// A lock for each key, which a task holds across `await`, for example while it sends a request.
///
/// Work with the same key runs one task at a time, in the order of the calls of ``acquire(_:isolation:onCancel:)``.
/// The caller works in its own task, on any actor, and does not suspend if the key is free.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        /// Whether it locks the key when it continues.
        let acquires: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// Waiters for each key, in FIFO order; a missing key means that the lock is free.
        var waiters: [Key: [Waiter]] = [:]
        var lastNumber = 0

        /// Locks a key if it is free, and returns whether it was.
        mutating func lockIfFree(_ key: Key) -> Bool {
            guard waiters[key] == nil else { return false }
            waiters[key] = []
            return true
        }

        /// Passes a key to the first waiter that acquires it, or frees it; returns those that continue.
        mutating func unlock(_ key: Key) -> [Waiter] {
            let next = waiters[key]?.firstIndex(where: \.acquires)
            if let waiter = next.flatMap({ waiters[key]?.remove(at: $0) }) { return [waiter] }
            return waiters.removeValue(forKey: key) ?? []
        }
    }

    private let state = Locked(State())

    /// Waits until the key is free, and holds its lock during the work.
    func withLock<Value>(_ key: Key, _ work: () async throws -> Value) async throws -> Value {
        let lock = try await acquire(key)
        defer { lock.release() }
        return try await work()
    }

    /// Waits until the key is free, and locks it until ``HeldLock/release()`` is called.
    ///
    /// `onCancel` is called when the task is cancelled while it waits. The task keeps its place among the waiters until
    /// then, and leaves before any other code of the main actor runs.
    ///
    /// - Throws: `CancellationError` immediately when the task is cancelled, or the lock is closed.
    func acquire(
        _ key: Key,
        isolation: isolated (any Actor)? = #isolation,
        onCancel: (@MainActor () -> Void)? = nil
    ) async throws -> HeldLock<Key> {
        if let lock = try acquireIfFree(key) { return lock }
        try await wait(for: key, acquires: true, isolation, onCancel)
        // After the waiter was resumed, the task may have been cancelled or the lock closed.
        guard !Task.isCancelled, state.withLock({ $0.waiters[key] != nil }) else {
            release(key)
            throw CancellationError()
        }
        return HeldLock(owner: self, key: key)
    }

    /// Waits until the key is free, and does not lock it.
    ///
    /// Tasks that wait to acquire the key lock it first, and another one may lock it before this returns.
    /// It throws as ``acquire(_:isolation:onCancel:)`` does.
    func waitUntilFree(
        _ key: Key,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await wait(for: key, acquires: false, isolation)
        try Task.checkCancellation()
    }

    /// Locks the key if it is free, otherwise returns `nil`; throws `CancellationError` when the task is cancelled.
    func acquireIfFree(_ key: Key) throws -> HeldLock<Key>? {
        try Task.checkCancellation()
        return state.withLock { $0.lockIfFree(key) } ? HeldLock(owner: self, key: key) : nil
    }

    /// Cancels all waiters, and makes later calls of ``HeldLock/release()`` do nothing.
    ///
    /// Replace a closed lock by a new one: a late release of an earlier holder would free a key that another task holds.
    func close() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap(\.self)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
    }

    fileprivate func release(_ key: Key) {
        for waiter in state.withLock({ $0.unlock(key) }) { waiter.continuation.resume() }
    }

    private func wait(
        for key: Key,
        acquires: Bool,
        _ isolation: isolated (any Actor)?,
        _ onCancel: (@MainActor () -> Void)? = nil
    ) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            // Keeps the closure on the caller's actor: other code could run there before the task is among the waiters.
            _ = isolation
            try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    if acquires ? state.lockIfFree(key) : state.waiters[key] == nil { return true }
                    let waiter = Waiter(
                        number: number,
                        acquires: acquires,
                        continuation: continuation
                    )
                    state.waiters[key]?.append(waiter)
                    return false
                }
                if isFree { continuation.resume() }
                // If the task was cancelled before it waited, the handler found no waiter, unless it runs later.
                if Task.isCancelled, onCancel == nil { removeWaiter(number, for: key) }
            }
        } onCancel: {
            guard let onCancel else { return removeWaiter(number, for: key) }
            Task { @MainActor in
                removeWaiter(number, for: key) { onCancel() }
            }
        }
    }

    /// Removes a cancelled waiter, unless it has got the lock; calls `onRemoval` before the waiter continues.
    private func removeWaiter(_ number: Int, for key: Key, _ onRemoval: () -> Void = {}) {
        let waiter = state.withLock { state -> Waiter? in
            let index = state.waiters[key]?.firstIndex { $0.number == number }
            return index.flatMap { state.waiters[key]?.remove(at: $0) }
        }
        guard let waiter else { return }
        onRemoval()
        waiter.continuation.resume(throwing: CancellationError())
    }
}

/// A key of a ``KeyedLock`` that the caller has locked, and must release once.
struct HeldLock<Key: Hashable & Sendable>: Sendable {
    fileprivate let owner: KeyedLock<Key>
    let key: Key

    /// Passes the lock to the first waiter, or frees the key if there is none.
    func release() {
        owner.release(key)
    }
}
