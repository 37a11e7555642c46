#if canImport(FoundationNetworking)
import Dispatch
import Foundation

/// Sends each request over a new connection that is closed afterwards.
///
/// Used on Linux only. When the server closes an idle connection just as a request is sent over it,
/// `URLSession` sends the request again by itself, which would execute a `POST` twice. On Linux it
/// even omits the body, so that server and client wait for each other forever. A new connection is
/// never idle, so this cannot happen.
final class SingleUseConnections: Sendable {
    private struct State {
        var openCount = 0
        /// The exchanges that wait for a connection, in FIFO order.
        var pending: [SessionExchange] = []
        /// The number of pending exchanges at which the ended ones are removed.
        var cleanupThreshold = 64
    }

    /// The maximum number of open connections; further exchanges wait, up to their deadlines.
    private static let maximumCount = 32

    private let state = Locked(State())

    /// Sends the request of an exchange as soon as a connection is available.
    ///
    /// Must be called on `DispatchQueue.sessions`.
    func start(_ exchange: SessionExchange) {
        state.withLock { state in
            state.pending.append(exchange)
            guard state.pending.count >= state.cleanupThreshold else { return }
            state.pending.removeAll(where: \.hasEnded)
            state.cleanupThreshold = max(64, state.pending.count * 2)
        }
        startPending()
    }

    private func startPending() {
        while let exchange = next() {
            let delegate = SessionDelegate(isTrusted: nil) { [self] in
                state.withLock { $0.openCount -= 1 }
                DispatchQueue.sessions.async { self.startPending() }
            }
            let session = URLSession(reportingTo: delegate)
            delegate.start(exchange, on: session)
            session.finishTasksAndInvalidate()
        }
    }

    /// Takes the next pending exchange, if a connection is available for it.
    private func next() -> SessionExchange? {
        state.withLock { state in
            let ended = state.pending.prefix(while: \.hasEnded).count
            state.pending.removeFirst(ended)
            guard state.openCount < Self.maximumCount, !state.pending.isEmpty else { return nil }
            state.openCount += 1
            return state.pending.removeFirst()
        }
    }
}
#endif
