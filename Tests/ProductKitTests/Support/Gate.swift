import ProductKit
import Synchronization

/// A gate that tasks wait at until a test opens it, or until they are cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [@Sendable (Result<Void, any Error>) -> Void] = []
    }

    private let state = Mutex(State())
    private let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)

    /// Waits until the gate is open; returns immediately if it is.
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

    /// Opens the gate for all waiting tasks and for later ones.
    func open() {
        let waiting = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for finish in waiting { finish(.success(())) }
    }

    /// Waits until a number of further tasks have called `pass()`.
    func arrival(of count: Int = 1) async {
        for await _ in arrivals.prefix(count) {}
    }
}
