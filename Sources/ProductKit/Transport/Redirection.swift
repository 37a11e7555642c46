import Foundation

/// The rules for following redirects (RFC 9110 §15.4), independent of the HTTP client.
struct Redirection {
    private let allowsInsecureHTTP: Bool
    private var count = 0
    /// Whether a redirect led to another origin.
    private var hasLeftOrigin = false

    /// Sends a request, and then a new one for each redirect that may be followed.
    ///
    /// - Throws: ``NetworkError`` with code `redirect` for a redirect that must not be followed,
    ///   otherwise the errors of `send`.
    static func follow(
        _ request: URLRequest,
        allowsInsecureHTTP: Bool,
        _ send: (URLRequest) async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        var redirection = Redirection(allowsInsecureHTTP: allowsInsecureHTTP)
        var request = request
        while true {
            var response = try await send(request)
            response.url = response.url ?? request.url
            if redirection.hasLeftOrigin { response.isOfOtherOrigin = true }
            guard let next = try redirection.next(after: response, to: request) else {
                return response
            }
            request = next
        }
    }

    /// Returns the request to send after a response, or `nil` if the response is final.
    ///
    /// A redirect of an unsafe request is final: following it could lose the method or the body. A
    /// request to another origin keeps only header fields that reveal nothing about the user.
    ///
    /// - Throws: ``NetworkError`` for a target that must not be followed, and for the 21st redirect.
    private mutating func next(
        after response: NetworkResponse,
        to request: URLRequest
    ) throws -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.statusCode), request.isSafe,
            let location = response.headers["Location"]
        else { return nil }
        count += 1
        guard count <= 20 else {
            throw error(request, "The server redirected the request more than 20 times.")
        }
        guard let source = request.url, let target = target(of: location, from: source) else {
            throw error(request, "The server redirected the request to an invalid address.")
        }
        guard source.scheme?.lowercased() == "http" || target.scheme?.lowercased() == "https" else {
            throw error(request, "The server redirected the request from https to insecure http.")
        }
        guard allowsInsecureHTTP || !target.isInsecure else {
            throw error(request, "The server redirected the request to insecure http.")
        }
        var next = request
        next.url = target
        if !target.hasSameOrigin(as: source) {
            hasLeftOrigin = true
            let allowed = ["accept", "accept-language", "user-agent"]
            // One by one: on Apple platforms, `allHTTPHeaderFields` keeps fields that are not in its new value.
            for name in (request.allHTTPHeaderFields ?? [:]).keys
            where !allowed.contains(name.lowercased()) {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }

    /// Returns the URL of a `Location`, without user name and password; `nil` if it is not valid or longer
    /// than 8 KiB.
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
        return components.url.flatMap { $0.absoluteString.utf8.count > 8_192 ? nil : $0 }
    }

    private func error(_ request: URLRequest, _ problem: String) -> NetworkError {
        NetworkError(
            .redirect,
            request: request,
            details: problem + " The redirect was not followed. Check the address of the request."
        )
    }
}

extension Networking {
    /// Returns networking that follows the redirects that this networking returns.
    ///
    /// Use it for an HTTP client that does not follow redirects, or is configured not to.
    /// ``SystemTransport``, ``URLSessionTransport`` and `CurlTransport` apply the same rules by
    /// themselves:
    ///
    /// - Only redirects of safe requests, such as `GET`, are followed. Others are returned.
    /// - At most 20 redirects are followed, and none from https to http or to a URL of more than 8 KiB.
    /// - A request to another scheme, host or port keeps only the header fields `Accept`,
    ///   `Accept-Language` and `User-Agent`.
    ///
    /// Pass the result to a ``NetworkClient`` as its networking. Its behaviors then do not see the
    /// redirects, and none of them adds a token to a redirected request.
    ///
    /// ```swift
    /// let networking = engine.followingRedirects()
    /// ```
    ///
    /// A redirect that must not be followed throws a ``NetworkError`` with code
    /// ``NetworkError/Code-swift.struct/redirect``. Each redirected request has the full timeout.
    ///
    /// - Parameter allowsInsecureHTTP: Whether redirects from http to http on other computers are
    ///   followed. On this computer they always are.
    /// - Returns: Networking that sends its requests through this one.
    public func followingRedirects(allowsInsecureHTTP: Bool = false) -> some Networking {
        ClosureNetworking.closure { request in
            try await Redirection.follow(request, allowsInsecureHTTP: allowsInsecureHTTP) {
                try await response(for: $0)
            }
        }
    }
}
