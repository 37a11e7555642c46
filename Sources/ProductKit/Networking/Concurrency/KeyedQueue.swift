/// Carries out work with the same key one after another, in the order of the calls.
///
/// Work with different keys runs concurrently. The caller works in its own task, on any actor;
/// ``KeyedLock`` is for the main actor, and its caller decides when to release it.
final class KeyedQueue<Key: Hashable & Sendable>: Sendable {
    private typealias Waiter = (number: Int, continuation: CheckedContinuation<Void, any Error>)

    private struct State {
        /// The waiting callers of each key; a missing key has no work in progress.
        var waiters: [Key: [Waiter]] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Waits for the earlier work of a key, and carries out work.
    ///
    /// - Throws: `CancellationError` immediately if the task is cancelled while it waits, otherwise
    ///   the error of the work.
    func run<Value>(_ key: Key, _ work: () async throws -> Value) async throws -> Value {
        try await begin(key)
        defer { end(key) }
        try Task.checkCancellation()
        return try await work()
    }

    private func begin(_ key: Key) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let begins = state.withLock { state in
                    guard state.waiters[key] != nil else {
                        state.waiters[key] = []
                        return true
                    }
                    state.waiters[key]?.append((number, continuation))
                    return false
                }
                if begins { continuation.resume() }
                // If the task was cancelled before it waited, `onCancel` found no waiter.
                if Task.isCancelled { cancel(number, key) }
            }
        } onCancel: {
            cancel(number, key)
        }
    }

    private func cancel(_ number: Int, _ key: Key) {
        let waiter = state.withLock { state -> Waiter? in
            let index = state.waiters[key]?.firstIndex { $0.number == number }
            return index.flatMap { state.waiters[key]?.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func end(_ key: Key) {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters[key]?.isEmpty == false else {
                state.waiters[key] = nil
                return nil
            }
            return state.waiters[key]?.removeFirst()
        }
        next?.continuation.resume()
    }
}
