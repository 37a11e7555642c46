import Dispatch
public import Foundation

/// Networking over `URLSession`, with limits and safe redirects.
///
/// Its limits, its redirects and what it keeps between requests are those of ``SystemTransport``.
///
/// ```swift
/// let patient = URLSessionTransport(maximumBodySize: 64 << 20, deadline: .seconds(20))
/// ```
///
/// The shared transport, `.system`, uses it on Apple platforms, and on Linux where `CurlTransport` is
/// unavailable.
public final class URLSessionTransport: Networking {
    // How the types of this folder work together:
    //
    // 1. `TransportConfiguration` validates the request. `Redirection` then sends it, and sends
    //    another one for each redirect that it follows.
    // 2. Each of these requests is a `SessionExchange`. It collects the response and ends exactly
    //    once. `Deadlines` fails one that takes too long, and `withCancellableCompletion` cancels it with its task.
    // 3. `SessionDelegate` creates the exchange's task in the session, and passes the events of the
    //    task to the exchange.
    // 4. On Linux, a request that must not be sent twice goes through `SingleUseConnections`, which
    //    has a session for each request. `ImmediateQueue` delivers the events.
    private let session: URLSession
    private let delegate: SessionDelegate
    private let deadlines = Deadlines()
    private let configuration: TransportConfiguration
    #if canImport(FoundationNetworking)
    private let singleUseConnections = SingleUseConnections()
    #endif

    /// Creates a transport with its own connections.
    ///
    /// The parameters are those of
    /// ``SystemTransport/init(maximumBodySize:deadline:maximumRequestsPerOrigin:allowsInsecureHTTP:isTrusted:)``. On
    /// Linux, Foundation provides no certificates: if `isTrusted` is given, every https request fails with code
    /// ``NetworkError/Code-swift.struct/untrusted``.
    public init(
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60),
        allowsInsecureHTTP: Bool = false,
        isTrusted: (@Sendable (ServerIdentity) -> Bool)? = nil
    ) {
        delegate = SessionDelegate(isTrusted: isTrusted)
        session = URLSession(reportingTo: delegate)
        configuration = TransportConfiguration(
            maximumBodySize: maximumBodySize,
            deadline: deadline,
            allowsInsecureHTTP: allowsInsecureHTTP,
            isTrusted: isTrusted
        )
    }

    deinit {
        DispatchQueue.sessions.async { [session] in session.finishTasksAndInvalidate() }
    }

    /// Sends a request and follows redirects.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try await configuration.response(for: request) { request, end in
            try checkTrustIsPossible(for: request)
            return try await send(request, before: end)
        }
    }

    /// Throws if `isTrusted` was given, but cannot be called on this platform.
    private func checkTrustIsPossible(for request: URLRequest) throws {
        #if !canImport(Security)
        guard configuration.isTrusted == nil || request.url?.scheme == "http" else {
            throw NetworkError(
                .untrusted,
                request: request,
                details: "The identity of the server could not be checked, so nothing was sent. "
                    + "Foundation provides no certificates on this platform: use a Networking "
                    + "that checks them."
            )
        }
        #endif
    }

    private func send(
        _ request: URLRequest,
        before end: DispatchTime
    ) async throws -> NetworkResponse {
        let exchange = SessionExchange(
            request,
            deadline: end,
            maximumBodySize: configuration.maximumBodySize
        )
        defer { deadlines.remove(exchange) }
        return try await withCancellableCompletion { finish in
            exchange.onCompletion(finish)
            deadlines.add(exchange)
            DispatchQueue.sessions.async { self.start(exchange) }
            return { exchange.cancel() }
        }
    }

    private func start(_ exchange: SessionExchange) {
        guard !exchange.hasEnded else { return }
        #if canImport(FoundationNetworking)
        guard exchange.request.isSafe else {
            return singleUseConnections.start(exchange)
        }
        #endif
        delegate.start(exchange, on: session)
    }
}

/// The name and the certificates of a server that the system trusts (RFC 8446 §4.4.2).
///
/// A transport passes it to `isTrusted`, which can accept only known certificates:
///
/// ```swift
/// let pinned = SystemTransport(isTrusted: { server in
///     server.certificates.first == certificate
/// })
/// ```
public struct ServerIdentity: Hashable, Sendable {
    /// The host name of the request.
    public let host: String
    /// The certificate chain in DER form (RFC 5280 §4.1), the server's own certificate first.
    ///
    /// On Linux it contains only the server's own certificate.
    public let certificates: [Data]

    /// Creates an identity, for a test of an `isTrusted` closure.
    public init(host: String, certificates: [Data]) {
        self.host = host
        self.certificates = certificates
    }
}

extension DispatchQueue {
    /// The serial queue on which all methods of sessions and their tasks are called.
    ///
    /// On Linux such a call blocks while any session of the process is busy, and a slow server can
    /// keep a session busy. Inside of a callback of a session, the call deadlocks. On this queue it
    /// blocks only one thread, and never a callback.
    static let sessions = DispatchQueue(label: "ProductKit.URLSession")
}

extension URLSession {
    /// Creates a session that stores nothing and delivers its events immediately.
    convenience init(reportingTo delegate: SessionDelegate) {
        let configuration = URLSessionConfiguration.ephemeral
        // It may come before the longer timeout of a request. `Deadlines` bounds the time instead.
        configuration.timeoutIntervalForRequest = 1e6
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(FoundationNetworking)
        let queue: OperationQueue? = ImmediateQueue()
        #else
        let queue: OperationQueue? = nil
        #endif
        self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
