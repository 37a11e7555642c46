#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// Sends each request over a connection of its own, in a session of its own.
///
/// The system sends a request once more when the server has just closed the connection that was
/// kept open for it, and on Linux without its body: server and client then wait for each other. A
/// connection that nobody used before cannot be stale.
final class FreshConnections: Sendable {
    private struct State {
        var open = 0
        var line: [SessionExchange] = []
        /// How long the line may get before those who gave up are swept out of it.
        var sweepsAt = 64
    }

    /// How many may be open at once; further exchanges wait in line, within their deadlines.
    private static let limit = 32

    private let state = Mutex(State())

    /// Sends an exchange's request as soon as it may; to be called on the queue of the sessions.
    func start(_ exchange: SessionExchange) {
        state.withLock { state in
            state.line.append(exchange)
            guard state.line.count >= state.sweepsAt else { return }
            state.line.removeAll(where: \.isOver)
            state.sweepsAt = max(64, state.line.count * 2)
        }
        startWhatMay()
    }

    private func startWhatMay() {
        while let exchange = next() {
            let delegate = SessionDelegate(isTrusted: nil) { [self] in
                state.withLock { $0.open -= 1 }
                DispatchQueue.sessions.async { self.startWhatMay() }
            }
            let session = URLSession(reportingTo: delegate)
            delegate.start(exchange, on: session)
            session.finishTasksAndInvalidate()
        }
    }

    private func next() -> SessionExchange? {
        state.withLock { state in
            let gone = state.line.prefix(while: \.isOver).count
            state.line.removeFirst(gone)
            guard state.open < Self.limit, !state.line.isEmpty else { return nil }
            state.open += 1
            return state.line.removeFirst()
        }
    }
}
#endif
