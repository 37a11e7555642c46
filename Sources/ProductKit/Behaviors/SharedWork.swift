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

/// Who waits for which work: the rules of sharing, as a value without tasks or locks.
///
/// A flight is named by the ticket of the caller who began it.
struct Flights<Key: Hashable, Waiter> {
    private struct Flight {
        let key: Key
        var waiters: [Int: Waiter] = [:]
        var cancel: (@Sendable () -> Void)?
    }

    private var flights: [Int: Flight] = [:]
    /// The flight that a new caller of a key joins.
    private var boarding: [Key: Int] = [:]
    /// The flight that each caller is in.
    private var seats: [Int: Int] = [:]
    private var lastTicket = 0

    /// A number for one caller.
    mutating func ticket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Seats a caller in the flight of a key.
    ///
    /// - Returns: Whether there was none, so that the caller must begin it.
    mutating func join(_ key: Key, _ ticket: Int, _ waiter: Waiter) -> Bool {
        let flight = boarding[key] ?? ticket
        let isFirst = flight == ticket
        if isFirst { boarding[key] = flight }
        flights[flight, default: Flight(key: key)].waiters[ticket] = waiter
        seats[ticket] = flight
        return isFirst
    }

    /// Remembers how a flight is cancelled.
    ///
    /// - Returns: Whether there still is such a flight. Everybody may have left it already.
    mutating func track(_ flight: Int, cancel: @escaping @Sendable () -> Void) -> Bool {
        flights[flight]?.cancel = cancel
        return flights[flight] != nil
    }

    /// Ends a flight.
    ///
    /// - Returns: The callers who waited for it, in the order in which they came.
    mutating func land(_ flight: Int) -> [Waiter] {
        guard let landed = flights.removeValue(forKey: flight) else { return [] }
        if boarding[landed.key] == flight { boarding[landed.key] = nil }
        for ticket in landed.waiters.keys { seats[ticket] = nil }
        return landed.waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Lets a caller go; a caller who has left or landed already is nobody.
    ///
    /// - Parameters:
    ///   - ticket: The caller's number.
    ///   - abandoning: Whether a flight that the last caller leaves is given up.
    /// - Returns: The caller, and how to cancel the flight if it is given up. Whoever comes afterwards
    ///   begins anew.
    mutating func leave(
        _ ticket: Int,
        abandoning: Bool
    ) -> (waiter: Waiter?, cancel: (@Sendable () -> Void)?) {
        guard let flight = seats.removeValue(forKey: ticket),
            let waiter = flights[flight]?.waiters.removeValue(forKey: ticket)
        else { return (nil, nil) }
        guard abandoning, let left = flights[flight], left.waiters.isEmpty else {
            return (waiter, nil)
        }
        flights[flight] = nil
        if boarding[left.key] == flight { boarding[left.key] = nil }
        return (waiter, left.cancel)
    }
}
