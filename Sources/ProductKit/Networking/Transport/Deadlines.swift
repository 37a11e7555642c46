import Dispatch
import Synchronization

/// Ends the exchanges that last too long, with one timer for all of them.
///
/// The timer is set anew only for a deadline that comes before all others, so that an exchange that
/// ends in time costs none.
final class Deadlines: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: SessionExchange] = [:]
        var next = DispatchTime.distantFuture
        var timer: (any DispatchSourceTimer)?
    }

    private let state = Mutex(State())

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    func add(_ exchange: SessionExchange) {
        state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            if exchange.deadline < state.next { set(exchange.deadline, in: &state) }
        }
    }

    func remove(_ exchange: SessionExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    private func endWhatIsDue() {
        let now = DispatchTime.now()
        let due = state.withLock { state in
            let due = state.exchanges.values.filter { $0.deadline <= now }
            for exchange in due { state.exchanges[ObjectIdentifier(exchange)] = nil }
            set(state.exchanges.values.lazy.map(\.deadline).min() ?? .distantFuture, in: &state)
            return due
        }
        for exchange in due { exchange.fail(.timedOut) }
    }

    private func set(_ deadline: DispatchTime, in state: inout State) {
        state.next = deadline
        let timer = state.timer ?? makeTimer()
        timer.schedule(deadline: deadline, leeway: .milliseconds(1))
        state.timer = timer
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { [weak self] in self?.endWhatIsDue() }
        timer.activate()
        return timer
    }
}
