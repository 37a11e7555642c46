/// Counts arrivals, such as calls of an action, and lets tests wait for them.
///
/// Each arrival counts for one waiting task. Tasks are served in the order in which they wait.
final class ArrivalCounter: Sendable {
    private struct State {
        /// The arrivals that no task has waited for.
        var arrivals = 0
        var waits: [(count: Int, end: ActionGate<Void>)] = []
    }

    private let state = Locked(State())

    /// Counts an arrival.
    func add() {
        serve { $0.arrivals += 1 }
    }

    /// Waits for a number of arrivals that no other call has counted, or until the task is cancelled.
    func wait(for count: Int) async {
        precondition(count >= 0, "count is \(count); use zero or more")
        let wait = (count: count, end: ActionGate<Void>())
        serve { $0.waits.append(wait) }
        do { try await wait.end.hold() } catch {
            serve { state in
                if let index = state.waits.firstIndex(where: { $0.end === wait.end }) {
                    // The waits behind this one may be complete now.
                    state.waits.remove(at: index)
                } else {
                    state.arrivals += wait.count
                }
            }
        }
    }

    /// Changes the state, and ends the waits that are complete afterwards.
    private func serve(after change: (inout State) -> Void) {
        let served = state.withLock { state in
            change(&state)
            var served: [ActionGate<Void>] = []
            while let first = state.waits.first, first.count <= state.arrivals {
                state.arrivals -= first.count
                served.append(state.waits.removeFirst().end)
            }
            return served
        }
        for end in served { end.open() }
    }
}
