public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A backend that implements the contract `Docs/openapi.yaml`, and what the services of its users
/// share: the transport, the cache, the requests in flight and the retry budgets.
///
/// A server creates one backend when it starts, and a service for each user or each request:
///
/// ```swift
/// let backend = ProductBackend(baseURL: api, cache: ResponseCache())
/// let service = ProductService(backend: backend, localUser: user) { token }
/// ```
///
/// Services are cheap to create. Users share no response: each one has a partition of the cache,
/// and only requests of the same user are shared. A backend that fails gets no more retries than
/// one ``RetryBudget`` allows, however many services there are.
public struct ProductBackend: Sendable {
    private let baseURL: URL
    private let networking: any Networking
    private let behaviors: [any RequestBehavior]
    private let caching: CachingBehavior?
    private let coalescing = CoalescingBehavior { RequestIdentity.current?.partition }
    private let retry: RetryBehavior

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - behaviors: Further behaviors, outside of all that a service adds; the first is the
    ///     outermost.
    ///   - cache: Stores responses; see ``CachingBehavior``. `nil`, the default, stores nothing.
    ///   - retry: Sends requests again after temporary failures, with budgets that all services of
    ///     this backend share.
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        retry: RetryBehavior = RetryBehavior()
    ) {
        self.baseURL = baseURL
        self.networking = networking
        self.behaviors = behaviors
        self.retry = retry
        caching = cache.map { cache in
            CachingBehavior(
                cache: cache,
                partition: { RequestIdentity.current?.partition },
                related: OpenAPIContract.relatedURLs(baseURL: baseURL)
            )
        }
    }

    /// Returns the client of a service.
    ///
    /// - Parameters:
    ///   - session: Identifies and signs the requests of the service.
    ///   - language: The user's language (RFC 5646).
    /// - Returns: A client that shares this backend with other clients.
    func client(for session: UserSession, language: String?) -> NetworkClient {
        var stack = behaviors
        if let language {
            // Outside of the cache, which stores a response for each language (`Vary`).
            stack.append(ClosureBehavior(additionalHeaders: { ["Accept-Language": language] }))
        }
        // Outside of the cache and the coalescing, whose partition is the identity.
        stack.append(ClosureBehavior(intercept: session.identify))
        if let caching {
            // Outside of the retry: serves a stale response only after the last attempt failed.
            stack.append(SessionCaching(caching: caching, session: session))
        }
        // Inside of the cache, so that background revalidations end with the session, too.
        stack.append(ClosureBehavior(intercept: session.send))
        // Outside of the retry: callers that share a request share all of its attempts.
        stack.append(coalescing)
        // Outside of the token: each attempt is signed with the token of that moment.
        stack.append(retry)
        // Innermost: neither the cache nor any other behavior sees the token.
        if let tokenBehavior = session.tokenBehavior { stack.append(tokenBehavior) }
        return NetworkClient(baseURL: baseURL, networking: networking, behaviors: stack)
    }
}

extension ProductBackend: CustomStringConvertible, CustomReflectable {
    /// The base URL without secrets.
    public var description: String {
        "ProductBackend(\(baseURL.withoutSecrets?.absoluteString ?? ""))"
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The cache of a backend, as one service uses it.
///
/// The partition of a response is known only while its request is sent. At other times, the
/// responses of all users of the service are affected.
private struct SessionCaching: ResponseStoring {
    let caching: CachingBehavior
    let session: UserSession

    func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try await caching.intercept(request, next: next)
    }

    func removeUndecodable(_ response: NetworkResponse, for request: URLRequest) {
        session.forEachUser { caching.removeUndecodable(response, for: request) }
    }

    func invalidate(_ url: URL) {
        session.forEachUser { caching.invalidate(url) }
    }

    func removeAll() {
        caching.removeAll()
    }
}
