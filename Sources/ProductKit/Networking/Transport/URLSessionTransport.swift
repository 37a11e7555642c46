import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The default networking: the system's HTTP stack, with its traps closed.
///
/// It bounds the time of an exchange and the size of an answer, follows redirects without carrying
/// anything secret to another origin, and keeps nothing between requests but open connections: no
/// cookies, no cache, no credentials.
///
/// ```swift
/// let patient = URLSessionTransport(maximumBodySize: 64 << 20, deadline: .seconds(120))
/// ```
public final class URLSessionTransport: Networking {
    private let session: URLSession
    private let delegate: SessionDelegate
    private let deadlines = Deadlines()
    private let maximumBodySize: Int
    private let deadline: Duration
    private let allowsInsecureHTTP: Bool
    #if canImport(FoundationNetworking)
    private let freshConnections = FreshConnections()
    #endif
    #if !canImport(Security)
    private let asksForTrust: Bool
    #endif

    /// Creates a transport with connections of its own.
    ///
    /// Most programs want `.system`, which is shared: transports share no connections.
    ///
    /// - Parameters:
    ///   - maximumBodySize: The most bytes an answer may have, unpacked. A larger one is an error
    ///     with code ``NetworkError/Code-swift.struct/tooLarge``.
    ///   - deadline: The most time an exchange may take, redirects included, to a fraction of a
    ///     second. The request's `timeoutInterval` counts when it is shorter.
    ///   - allowsInsecureHTTP: Whether plain http to other machines is allowed; to this machine it
    ///     always is.
    ///   - isTrusted: Whether to go on with a server that the system trusts, asked for every secured
    ///     connection, on any thread. When it says no, nothing is sent and the error has code
    ///     ``NetworkError/Code-swift.struct/untrusted``. On Linux the system shows no certificates:
    ///     when this is given, every https request is refused in this way.
    public init(
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60),
        allowsInsecureHTTP: Bool = false,
        isTrusted: (@Sendable (ServerIdentity) -> Bool)? = nil
    ) {
        delegate = SessionDelegate(isTrusted: isTrusted)
        session = URLSession(reportingTo: delegate)
        self.maximumBodySize = maximumBodySize
        self.deadline = deadline
        self.allowsInsecureHTTP = allowsInsecureHTTP
        #if !canImport(Security)
        asksForTrust = isTrusted != nil
        #endif
    }

    deinit {
        DispatchQueue.sessions.async { [session] in session.finishTasksAndInvalidate() }
    }

    /// Sends a request and follows redirects.
    ///
    /// - Throws: `CancellationError` at once when the calling task was cancelled, else
    ///   ``NetworkError``.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try request.validate()
        guard allowsInsecureHTTP || request.url?.isInsecure == false else {
            throw NetworkError(.insecure, request: request)
        }
        let limit = min(deadline, .seconds(request.timeoutInterval))
        let end = DispatchTime.now() + max(limit, .zero) / .seconds(1)
        return try await Redirection.follow(request, allowsInsecureHTTP: allowsInsecureHTTP) {
            try checkTrust($0)
            return try await answer(to: $0, before: end)
        }
    }

    /// Refuses what the program wants to be asked about and cannot be.
    private func checkTrust(_ request: URLRequest) throws {
        #if !canImport(Security)
        guard !asksForTrust || request.url?.scheme == "http" else {
            throw NetworkError(
                .untrusted,
                request: request,
                reason: "The system shows no certificates here, so the server could not be "
                    + "checked and nothing was sent. Inject a Networking that checks it."
            )
        }
        #endif
    }

    private func answer(
        to request: URLRequest,
        before end: DispatchTime
    ) async throws -> NetworkResponse {
        let exchange = SessionExchange(request, deadline: end, maximumBodySize: maximumBodySize)
        defer { deadlines.remove(exchange) }
        return try await withCancellableCompletion { finish in
            exchange.whenOver(finish)
            deadlines.add(exchange)
            DispatchQueue.sessions.async { self.start(exchange) }
            return { exchange.cancel() }
        }
    }

    private func start(_ exchange: SessionExchange) {
        guard !exchange.isOver else { return }
        #if canImport(FoundationNetworking)
        if !exchange.request.isResendable {
            return freshConnections.start(exchange)
        }
        #endif
        delegate.start(exchange, on: session)
    }
}

extension Networking where Self == URLSessionTransport {
    /// The transport that a whole program shares, so that requests share connections.
    public static var system: URLSessionTransport { .shared }
}

extension URLSessionTransport {
    fileprivate static let shared = URLSessionTransport()
}

/// Who a server shows itself to be when a connection is secured (RFC 8446 §4.4.2).
///
/// A transport that is given `isTrusted` hands one over for each server that the system trusts, so
/// that a program can pin what it knows:
///
/// ```swift
/// let pinned = URLSessionTransport(isTrusted: { server in
///     server.certificates.contains(authority)
/// })
/// ```
public struct ServerIdentity: Hashable, Sendable {
    /// The name that the program connects to.
    public let host: String
    /// The certificates in DER form (RFC 5280 §4.1), the server's own first.
    public let certificates: [Data]

    /// Creates an identity, as a test of a program's `isTrusted` does.
    public init(host: String, certificates: [Data]) {
        self.host = host
        self.certificates = certificates
    }
}

extension DispatchQueue {
    /// Where every call into a session of ours is made.
    ///
    /// On Linux such a call waits for whatever any session of the process is doing, which a server can
    /// make long, and deadlocks where it is made inside a session's own callback. Here one thread
    /// waits, and nobody else.
    static let sessions = DispatchQueue(label: "ProductKit.URLSession")
}

extension URLSession {
    /// Creates a session that keeps nothing but open connections, and hands its reports over at once.
    convenience init(reportingTo delegate: SessionDelegate) {
        let configuration = URLSessionConfiguration.ephemeral
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
