#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Networking that follows redirects safely, over networking that follows none.
///
/// It follows what ``URLSessionTransport`` follows by itself: reads only, at most 20 times, never from
/// https to http. To another scheme, host or port only `Accept`, `Accept-Language` and `User-Agent`
/// go along. Give it to a client as its networking, below all behaviours, so that none of them adds
/// a token again on the way.
///
/// ```swift
/// let networking = RedirectingNetworking(engine)
/// ```
public struct RedirectingNetworking: Networking {
    private let networking: any Networking
    private let allowsInsecureHTTP: Bool

    /// Creates networking over another one.
    ///
    /// - Parameters:
    ///   - networking: What sends each request. It returns redirects as they come.
    ///   - allowsInsecureHTTP: Whether redirects from plain http to plain http on other machines are
    ///     followed; to this machine they always are.
    public init(_ networking: any Networking, allowsInsecureHTTP: Bool = false) {
        self.networking = networking
        self.allowsInsecureHTTP = allowsInsecureHTTP
    }

    /// Sends a request, and another one for each redirect; the timeout is each one's own.
    ///
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/redirect`` for a redirect
    ///   that must not be followed, else what the other networking throws.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try await Redirection.follow(request, allowsInsecureHTTP: allowsInsecureHTTP) {
            try await networking.response(for: $0)
        }
    }
}
