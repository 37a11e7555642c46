import ProductKit
import Synchronization

/// Something in the way of tasks: whoever comes waits until it is opened, or leaves when cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [@Sendable (Result<Void, any Error>) -> Void] = []
    }

    private let state = Mutex(State())
    private let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)

    /// Waits for the gate to be open.
    func pass() async throws {
        try await withCancellableCompletion { finish in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(finish) }
                return state.isOpen
            }
            if isOpen { finish(.success(())) }
            arrive.yield()
            return {}
        }
    }

    /// Lets everyone pass, those who come later included.
    func open() {
        let waiting = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for finish in waiting { finish(.success(())) }
    }

    /// Waits until so many more have come.
    func arrival(of count: Int = 1) async {
        for await _ in arrivals.prefix(count) {}
    }
}
