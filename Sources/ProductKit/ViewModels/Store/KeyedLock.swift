/// A lock for each key, which a task holds across `await` while it sends a request.
///
/// Work of the same key runs one task at a time, in the order in which the tasks called
/// ``acquire(_:)``. Work of different keys runs concurrently. A waiter that is cancelled throws
/// `CancellationError` immediately.
///
/// The caller works in its own task. The lock creates a task only when a waiter is cancelled, to
/// reach the main actor from the cancellation handler.
@MainActor
final class KeyedLock<Key: Hashable & Sendable> {
    private struct Waiter {
        typealias Continuation = CheckedContinuation<Void, any Error>

        let number: Int
        let onCancel: () -> Void
        let continuation: Continuation
    }

    /// Waiters for each key, in FIFO order; a missing key means that the lock is free.
    private var waiters: [Key: [Waiter]] = [:]
    private var lastNumber = 0

    /// Waits until the key is free, and locks it until ``HeldLock/release()`` is called.
    ///
    /// - Parameters:
    ///   - key: The key to lock.
    ///   - onCancel: Called when the task is cancelled while it waits, before the lock passes to
    ///     any other task. The waiting task itself continues only later.
    /// - Returns: The locked key.
    /// - Throws: `CancellationError` when the task is cancelled, or when the lock is closed while
    ///   the task waits.
    func acquire(_ key: Key, onCancel: @escaping () -> Void = {}) async throws -> HeldLock<Key> {
        if let lock = try acquireIfFree(key) { return lock }
        try await wait(for: key, onCancel: onCancel)
        // The task may have been cancelled, or the lock closed, after the waiter was resumed and
        // before it ran.
        guard !Task.isCancelled, waiters[key] != nil else {
            release(key)
            throw CancellationError()
        }
        return HeldLock(owner: self, key: key)
    }

    /// Locks the key if it is free, otherwise returns `nil`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func acquireIfFree(_ key: Key) throws -> HeldLock<Key>? {
        try Task.checkCancellation()
        guard waiters[key] == nil else { return nil }
        waiters[key] = []
        return HeldLock(owner: self, key: key)
    }

    /// Cancels all waiters, and makes later calls of ``HeldLock/release()`` do nothing.
    ///
    /// Do not acquire a closed lock, but replace it by a new one: a late release of an earlier
    /// holder would free the key while another task holds it.
    func close() {
        let cancelled = waiters.values.joined()
        waiters = [:]
        for waiter in cancelled { waiter.continuation.resume(throwing: CancellationError()) }
    }

    fileprivate func release(_ key: Key) {
        guard waiters[key]?.isEmpty == false else {
            waiters[key] = nil
            return
        }
        waiters[key]?.removeFirst().continuation.resume()
    }

    private func wait(for key: Key, onCancel: @escaping () -> Void) async throws {
        lastNumber += 1
        let number = lastNumber
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Waiter.Continuation) in
                let waiter = Waiter(number: number, onCancel: onCancel, continuation: continuation)
                waiters[key]?.append(waiter)
            }
        } onCancel: {
            Task { @MainActor in cancelWaiter(number, for: key) }
        }
    }

    private func cancelWaiter(_ number: Int, for key: Key) {
        guard let index = waiters[key]?.firstIndex(where: { $0.number == number }),
            let waiter = waiters[key]?.remove(at: index)
        else { return }
        waiter.onCancel()
        waiter.continuation.resume(throwing: CancellationError())
    }
}

/// A key of a ``KeyedLock`` that the caller has locked, and must release once.
@MainActor
struct HeldLock<Key: Hashable & Sendable> {
    fileprivate let owner: KeyedLock<Key>
    let key: Key

    /// Passes the lock to the first waiter, or frees the key if there is none.
    func release() {
        owner.release(key)
    }
}
