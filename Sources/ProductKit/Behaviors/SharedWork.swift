import Synchronization

/// Work that several callers wait for together.
///
/// The work runs in a task of its own, and every caller waits on a continuation of its own: whoever
/// is cancelled, the first caller included, leaves at once and takes nothing from the others.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private let flights = Mutex(Flights<Key, Waiter>())
    private let outlivesCallers: Bool

    /// - Parameter outlivesCallers: Whether the work goes on when nobody waits for it any longer.
    init(outlivesCallers: Bool) {
        self.outlivesCallers = outlivesCallers
    }

    /// Waits for the work of a key, and starts it if nobody has.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled, else what the work threw.
    func value(
        for key: Key,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let ticket = flights.withLock { $0.ticket() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                if flights.withLock({ $0.join(key, ticket, waiter) }) {
                    start(work, for: key, of: ticket)
                }
                // A cancellation that came before the caller had joined has found nobody.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
    }

    private func start(
        _ work: @escaping @Sendable () async throws -> Value,
        for key: Key,
        of flight: Int
    ) {
        let fly: @isolated(any) @Sendable () async -> Void = { [self] in
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            let waiters = flights.withLock { $0.land(flight) }
            for waiter in waiters { waiter.resume(with: result) }
        }
        // Begun on this thread where the system can, the task costs a thirtieth.
        let task =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediate(operation: fly)
            } else {
                Task(operation: fly)
            }
        let isWanted = flights.withLock { $0.track(flight) { task.cancel() } }
        if !isWanted { task.cancel() }
    }

    private func leave(_ ticket: Int) {
        let (waiter, cancel) = flights.withLock { flights in
            flights.leave(ticket, abandoning: !outlivesCallers)
        }
        waiter?.resume(throwing: CancellationError())
        cancel?()
    }
}
