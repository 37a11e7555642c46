/// Lets callers take turns, first come first served, in one line for every key.
///
/// Whoever waits can be cancelled and leaves at once. Each caller does its work in its own task; the
/// only task made here is the hop that a cancellation needs to reach the main actor.
@MainActor
final class Turns<Key: Hashable & Sendable> {
    private struct Waiter {
        typealias Continuation = CheckedContinuation<Void, any Error>

        let number: Int
        let continuation: Continuation
    }

    /// The callers who wait behind the one whose turn it is; no entry means that it is nobody's.
    private var lines: [Key: [Waiter]] = [:]
    private var lastNumber = 0

    /// Waits until it is the caller's turn, which then lasts until ``Turn/end()``.
    ///
    /// - Throws: `CancellationError` when the task was cancelled or the lines were dissolved.
    func take(_ key: Key) async throws -> Turn<Key> {
        try Task.checkCancellation()
        if lines[key] == nil {
            lines[key] = []
        } else {
            try await wait(for: key)
            // Whoever was called may have been cancelled or sent away before being able to come.
            guard !Task.isCancelled, lines[key] != nil else {
                next(key)
                throw CancellationError()
            }
        }
        return Turn(turns: self, key: key)
    }

    /// Sends everybody who waits away with `CancellationError`; turns that are taken end in vain.
    ///
    /// This ends the lines for good: whoever comes later needs new ones.
    func dissolve() {
        let waiters = lines.values.joined()
        lines = [:]
        for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
    }

    fileprivate func next(_ key: Key) {
        guard let waiters = lines[key] else { return }
        guard let first = waiters.first else {
            lines[key] = nil
            return
        }
        lines[key] = Array(waiters.dropFirst())
        first.continuation.resume()
    }

    private func wait(for key: Key) async throws {
        lastNumber += 1
        let number = lastNumber
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Waiter.Continuation) in
                guard !Task.isCancelled else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                lines[key]?.append(Waiter(number: number, continuation: continuation))
            }
        } onCancel: {
            Task { @MainActor in leave(key, number: number) }
        }
    }

    private func leave(_ key: Key, number: Int) {
        guard let index = lines[key]?.firstIndex(where: { $0.number == number }) else { return }
        lines[key]?.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}

/// A turn that somebody has taken and must end.
@MainActor
struct Turn<Key: Hashable & Sendable> {
    fileprivate let turns: Turns<Key>
    fileprivate let key: Key

    /// Passes the turn to whoever waits next.
    func end() {
        turns.next(key)
    }
}
