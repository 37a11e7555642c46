#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Whether an answer may come from a cache, from the network, or from which of them first.
///
/// It is what a cache may do (``cache-swift.property``) with what the network may do
/// (``network-swift.property``), in the six pairs that make sense. Without a cache among the
/// behaviors every policy asks the network, and ``cacheOnly`` throws
/// ``NetworkError/Code-swift.struct/notCached``.
public struct FetchPolicy: Hashable, Sendable {
    /// What a cache may do.
    public enum Cache: Hashable, Sendable {
        /// It may not answer.
        case never
        /// It may answer, and nobody else is asked then.
        case before
        /// It may answer when the network could not.
        case onFailure
    }

    /// What the network may do.
    public enum Network: Hashable, Sendable {
        /// It is not asked.
        case never
        /// It is asked for what is not stored, or not good enough.
        case onMiss
        /// It is always asked.
        case always
    }

    /// What a cache may do.
    public let cache: Cache
    /// What the network may do.
    public let network: Network
    /// Whether a stored answer is good enough at any age.
    ///
    /// One that may not be used without asking, as the server wished or after a mutation, never is.
    public let acceptsAnyAge: Bool
    /// Whether the network may say that what is stored is still good, which costs no body.
    public let isConditional: Bool

    /// What is fresh, else the network; when that fails, what is stored.
    ///
    /// This is how HTTP means it (RFC 9111).
    public static let standard = FetchPolicy(.before, .onMiss)

    /// What is stored, at any age, else the network.
    public static let cacheFirst = FetchPolicy(.before, .onMiss, acceptsAnyAge: true)

    /// What is stored, at any age, and never the network.
    ///
    /// ``NetworkError/Code-swift.struct/notCached`` is thrown when there is nothing.
    public static let cacheOnly = FetchPolicy(.before, .never, acceptsAnyAge: true)

    /// The network's word; what is stored only when that could not be had.
    public static let networkFirst = FetchPolicy(.onFailure, .always)

    /// The network's word or an error; what is stored may save the body.
    public static let revalidate = FetchPolicy(.never, .always)

    /// The network's word or an error, with the whole answer sent again.
    public static let reload = FetchPolicy(.never, .always, isConditional: false)

    private init(
        _ cache: Cache,
        _ network: Network,
        acceptsAnyAge: Bool = false,
        isConditional: Bool = true
    ) {
        self.cache = cache
        self.network = network
        self.acceptsAnyAge = acceptsAnyAge
        self.isConditional = isConditional
    }
}

extension FetchPolicy {
    /// Reads the policy that a request travels with.
    ///
    /// ``networkFirst`` travels as ``standard`` with `Cache-Control: max-age=0`, which means the
    /// same to any cache.
    ///
    /// - Parameter request: A request, as a behavior is given it.
    public init(_ request: URLRequest) {
        self =
            switch request.cachePolicy {
            case .useProtocolCachePolicy: .standard
            case .returnCacheDataElseLoad: .cacheFirst
            case .returnCacheDataDontLoad: .cacheOnly
            case .reloadRevalidatingCacheData: .revalidate
            default: .reload
            }
    }

    /// Makes a request travel with the policy.
    ///
    /// A `Cache-Control` of the request's own stays. ``standard`` changes nothing.
    ///
    /// - Parameter request: What is about to be sent.
    public func apply(to request: inout URLRequest) {
        switch self {
        case .cacheFirst: request.cachePolicy = .returnCacheDataElseLoad
        case .cacheOnly: request.cachePolicy = .returnCacheDataDontLoad
        case .revalidate: request.cachePolicy = .reloadRevalidatingCacheData
        case .reload: request.cachePolicy = .reloadIgnoringLocalCacheData
        case .networkFirst: request.ask(caches: "max-age=0")
        default: break
        }
    }
}

extension URLRequest {
    /// Tells caches on the way what is wanted, unless the request tells them already.
    mutating func ask(caches directive: String) {
        guard value(forHTTPHeaderField: "Cache-Control") == nil else { return }
        setValue(directive, forHTTPHeaderField: "Cache-Control")
    }
}

extension NetworkRequest {
    /// The same request whose answer says where it came from.
    public var fetched: NetworkRequest<Fetched<Output>> {
        map { value, response in Fetched(value, source: response.source) }
    }
}
