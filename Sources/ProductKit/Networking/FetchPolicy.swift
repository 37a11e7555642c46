/// Whether a response comes from a cache or from the network, and in which order they are tried.
///
/// Give a policy to a request with ``NetworkRequest/fetching(_:)``. Without a ``CachingBehavior`` in the client, every
/// policy loads from the network, and ``cacheOnly`` throws ``NetworkError/Code-swift.struct/notCached``.
///
/// A read is sent with `Cache-Control: max-age=0` for ``networkFirst`` and ``revalidate``, and with
/// `no-cache` for ``reload``, so that no cache between the app and the server responds in its place. A
/// `URLSession` of the app uses its `URLCache` with ``standard``, and revalidates with ``revalidate``.
public enum FetchPolicy: Hashable, Sendable {
    /// Uses the cache as HTTP defines it (RFC 9111): a fresh stored response, else the network.
    ///
    /// A stale response may be used while it is revalidated (`stale-while-revalidate`, RFC 5861 §3), or if the
    /// network fails (`stale-if-error`, §4).
    case standard

    /// Uses a stored response of any age, else the network.
    ///
    /// A response is not used if its server requires revalidation, or if an unsafe request has invalidated it.
    case cacheFirst

    /// Uses a stored response of any age, and never the network.
    ///
    /// Throws ``NetworkError/Code-swift.struct/notCached`` if there is none that may be used without revalidation.
    case cacheOnly

    /// Loads from the network and falls back to the stored response if that fails.
    ///
    /// A fresh response with `immutable` is served without a request, as with ``revalidate``.
    case networkFirst

    /// Loads from the network, or throws an error.
    ///
    /// A stored response is revalidated with a conditional request: a 304 saves the body. A fresh
    /// response with `immutable` needs no revalidation (RFC 8246), and is served without a request.
    case revalidate

    /// Loads the whole response from the network, or throws an error.
    case reload
}

extension FetchPolicy {
    /// Whether the network may be used if no stored response can be.
    package var allowsNetwork: Bool { self != .cacheOnly }

    /// Whether a stored response may be used without revalidation at any age.
    package var acceptsAnyAge: Bool { [.cacheFirst, .cacheOnly].contains(self) }

    /// Whether a stored response may be used if the network fails.
    package var allowsStaleIfError: Bool { ![.revalidate, .reload].contains(self) }

    /// Whether a stored response may be revalidated with a conditional request.
    package var isConditional: Bool { self != .reload }

    /// The directive for the caches between here and the server (RFC 9111 §5.2.1); `nil` for none.
    var directive: String? {
        switch self {
        case .standard, .cacheFirst, .cacheOnly: nil
        case .networkFirst, .revalidate: "max-age=0"
        case .reload: "no-cache"
        }
    }

    /// The policy of the operation that the current task carries out.
    ///
    /// In a closure of a ``ProductLoader`` or ``ListManager``, it is the policy of their method; elsewhere ``standard``.
    /// Read it in a closure that sends requests without a ``NetworkClient``, or that has a store of its own.
    public static var current: FetchPolicy { ServiceOperation.current?.policy ?? .standard }
}

extension NetworkRequest {
    /// The same request with its output wrapped in ``Fetched``, which has the source of the response.
    public var fetched: NetworkRequest<Fetched<Output>> {
        map { value, response in Fetched(value, source: response.source) }
    }
}
