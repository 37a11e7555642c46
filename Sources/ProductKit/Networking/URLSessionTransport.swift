#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
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
    private let exchanges: SessionExchanges
    private let deadline: Duration
    private let allowsInsecureHTTP: Bool

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
    public init(
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60),
        allowsInsecureHTTP: Bool = false
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        exchanges = SessionExchanges(maximumBodySize: maximumBodySize)
        session = URLSession(
            configuration: configuration,
            delegate: exchanges,
            delegateQueue: nil
        )
        self.deadline = deadline
        self.allowsInsecureHTTP = allowsInsecureHTTP
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and follows redirects.
    ///
    /// - Throws: `CancellationError` at once when the calling task was cancelled, else
    ///   ``NetworkError``.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        var redirection = Redirection(allowsInsecureHTTP: allowsInsecureHTTP)
        var request = request
        try request.validate()
        guard allowsInsecureHTTP || request.url?.isInsecure == false else {
            throw NetworkError(.insecure, request: request)
        }
        let start = ContinuousClock.now
        let limit = min(deadline, .seconds(request.timeoutInterval))
        while true {
            let response = try await answer(
                to: request,
                within: limit - (ContinuousClock.now - start)
            )
            guard let next = try redirection.next(after: response, to: request) else {
                return response
            }
            request = next
        }
    }

    private func answer(
        to request: URLRequest,
        within time: Duration
    ) async throws -> NetworkResponse {
        var request = request
        // The system's own timer knows whole seconds only and starts anew with every chunk.
        request.timeoutInterval = 1e6
        return try await withCancellableCompletion { [exchanges, session, request] finish in
            let task = session.dataTask(with: request)
            exchanges.begin(task, for: request, deadline: time, finish: finish)
            task.resume()
            return { task.cancel() }
        }
    }
}

extension Networking where Self == URLSessionTransport {
    /// The transport that a whole program shares, so that requests share connections.
    public static var system: URLSessionTransport { .shared }
}

extension URLSessionTransport {
    fileprivate static let shared = URLSessionTransport()
}
