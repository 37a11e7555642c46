/// Carries out the writes to a list one after another, in the order of the calls.
///
/// Each write reads the list first. If they ran at the same time, each but one would meet a conflict.
/// Writes to different lists run concurrently.
final class ListWrites: Sendable {
    private typealias Waiter = (number: Int, continuation: CheckedContinuation<Void, any Error>)

    private struct State {
        /// The waiting writes to each list; a missing list has no write in flight.
        var waiters: [ProductList.ID: [Waiter]] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Waits for the earlier writes to a list, and carries out a write.
    ///
    /// - Throws: `CancellationError` immediately if the task is cancelled while it waits, otherwise
    ///   the error of the write.
    func run(on list: ProductList.ID, _ write: () async throws -> Void) async throws {
        try await begin(list)
        defer { end(list) }
        try Task.checkCancellation()
        try await write()
    }

    private func begin(_ list: ProductList.ID) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let begins = state.withLock { state in
                    guard state.waiters[list] != nil else {
                        state.waiters[list] = []
                        return true
                    }
                    state.waiters[list]?.append((number, continuation))
                    return false
                }
                if begins { continuation.resume() }
                // If the task was cancelled before it waited, `onCancel` found no waiter.
                if Task.isCancelled { cancel(number, list) }
            }
        } onCancel: {
            cancel(number, list)
        }
    }

    private func cancel(_ number: Int, _ list: ProductList.ID) {
        let waiter = state.withLock { state -> Waiter? in
            let index = state.waiters[list]?.firstIndex { $0.number == number }
            return index.flatMap { state.waiters[list]?.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func end(_ list: ProductList.ID) {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters[list]?.isEmpty == false else {
                state.waiters[list] = nil
                return nil
            }
            return state.waiters[list]?.removeFirst()
        }
        next?.continuation.resume()
    }
}
