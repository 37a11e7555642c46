import Dispatch

/// One request and its response, which must end before a deadline.
protocol TimedExchange: AnyObject, Sendable {
    var deadline: DispatchTime { get }
    /// Whether the exchange has completed, failed or been cancelled.
    var hasEnded: Bool { get }

    /// Ends the exchange with an error, unless it has ended already.
    func fail(_ code: NetworkError.Code)
}

/// Fails exchanges that have passed their deadline, with one timer for all of them.
///
/// The timer is set only when a new exchange has the earliest deadline. Most exchanges end in time
/// and therefore never touch it.
final class Deadlines: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: any TimedExchange] = [:]
        var next = DispatchTime.distantFuture
        var timer: (any DispatchSourceTimer)?
    }

    private let state = Locked(State())

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    /// Starts to watch the deadline of an exchange.
    func add(_ exchange: any TimedExchange) {
        state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            if exchange.deadline < state.next { setTimer(to: exchange.deadline, in: &state) }
        }
    }

    /// Stops watching the deadline of an exchange.
    func remove(_ exchange: any TimedExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    private func failExpired() {
        let now = DispatchTime.now()
        let expired = state.withLock { state in
            let expired = state.exchanges.values.filter { $0.deadline <= now }
            for exchange in expired { state.exchanges[ObjectIdentifier(exchange)] = nil }
            let next = state.exchanges.values.lazy.map(\.deadline).min() ?? .distantFuture
            setTimer(to: next, in: &state)
            return expired
        }
        for exchange in expired { exchange.fail(.timedOut) }
    }

    private func setTimer(to deadline: DispatchTime, in state: inout State) {
        state.next = deadline
        let timer = state.timer ?? makeTimer()
        timer.schedule(deadline: deadline, leeway: .milliseconds(1))
        state.timer = timer
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { [weak self] in self?.failExpired() }
        timer.activate()
        return timer
    }
}
