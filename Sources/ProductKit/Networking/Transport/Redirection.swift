#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Follows redirects (RFC 9110 §15.4), whatever it is that sends the requests.
struct Redirection {
    private let allowsInsecureHTTP: Bool
    private var hops = 0

    private init(allowsInsecureHTTP: Bool) {
        self.allowsInsecureHTTP = allowsInsecureHTTP
    }

    /// Sends a request, and another one for each redirect that may be followed.
    static func follow(
        _ request: URLRequest,
        allowsInsecureHTTP: Bool,
        _ send: (URLRequest) async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        var redirection = Redirection(allowsInsecureHTTP: allowsInsecureHTTP)
        var request = request
        while true {
            let response = try await send(request)
            guard let next = try redirection.next(after: response, to: request) else {
                return response
            }
            request = next
        }
    }

    /// The request to send after an answer, or `nil` when the answer is the caller's.
    ///
    /// A redirect that would lose the method or the body is the caller's. To another origin only
    /// the fields that say nothing about the user go along.
    ///
    /// - Throws: ``NetworkError`` for a target that must not be followed and after 20 hops.
    private mutating func next(
        after response: NetworkResponse,
        to request: URLRequest
    ) throws -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.statusCode), request.isSafe,
            let location = response.headers["Location"]
        else { return nil }
        hops += 1
        guard hops <= 20 else { throw refuse(request, "The server redirected more than 20 times.") }
        guard let source = request.url, let target = target(of: location, from: source) else {
            throw refuse(request, "The server redirected to something that is no http address.")
        }
        guard source.scheme?.lowercased() == "http" || target.scheme?.lowercased() == "https" else {
            throw refuse(request, "The server redirected from https to plain http.")
        }
        guard allowsInsecureHTTP || !target.isInsecure else {
            throw refuse(request, "The server redirected to plain http on another machine.")
        }
        var next = request
        next.url = target
        if !target.hasSameOrigin(as: source) {
            let harmless = ["accept", "accept-language", "user-agent"]
            next.allHTTPHeaderFields = request.allHTTPHeaderFields?
                .filter { harmless.contains($0.key.lowercased()) }
        }
        return next
    }

    private func target(of location: String, from source: URL) -> URL? {
        guard let url = URL(string: location, relativeTo: source)?.absoluteURL,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            ["http", "https"].contains(components.scheme?.lowercased()),
            components.host?.isEmpty == false
        else { return nil }
        components.scheme = components.scheme?.lowercased()
        components.user = nil
        components.password = nil
        if components.fragment == nil { components.fragment = source.fragment }
        return components.url
    }

    private func refuse(_ request: URLRequest, _ reason: String) -> NetworkError {
        NetworkError(
            .redirect,
            request: request,
            reason: reason + " It was not followed; check the address."
        )
    }
}

/// Networking that follows redirects safely, over networking that follows none.
///
/// It follows what ``URLSessionTransport`` follows by itself: reads only, at most 20 times, never from
/// https to http. To another scheme, host or port only `Accept`, `Accept-Language` and `User-Agent`
/// go along. Give it to a client as its networking, below all behaviors, so that none of them adds
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
