#if canImport(FoundationNetworking)
import Dispatch
import Foundation

/// Sends each request over a new connection that is closed afterwards.
///
/// Used on Linux only. When the server closes an idle connection just as a request is sent over it, `URLSession`
/// sends the request again by itself, which would execute a `POST` twice. On Linux it even omits the body, so that
/// server and client wait for each other forever. If it cannot connect again, its error is that of a request that
/// was never sent. A new connection is never idle, so this cannot happen.
final class SingleUseConnections: Sendable {
    /// The maximum number of open connections; further exchanges wait, up to their deadlines.
    private static let maximumCount = 32

    private let exchanges = Locked(WaitingExchanges<SessionExchange>())

    /// Sends the request of an exchange that has not ended as soon as a connection is available.
    ///
    /// Must be called on `DispatchQueue.sessions`.
    func start(_ exchange: SessionExchange) {
        let mayStart = exchanges.withLock {
            $0.mayStart(exchange, maximumActiveCount: Self.maximumCount)
        }
        if mayStart { connect(exchange) }
    }

    private func connect(_ exchange: SessionExchange) {
        let delegate = SessionDelegate(isTrusted: nil) { [self] in
            DispatchQueue.sessions.async {
                if let next = self.exchanges.withLock({ $0.next() }) { self.connect(next) }
            }
        }
        let session = URLSession(reportingTo: delegate)
        delegate.start(exchange, on: session)
        session.finishTasksAndInvalidate()
    }
}
#endif
