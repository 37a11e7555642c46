import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The base URL under which a cache stores the responses of the store on this machine.
///
/// The store uses another port on each run, but a cache finds a response by its URL, and the
/// idempotency key of a saved change depends on it. With a cache or saved changes, requests have
/// this fixed URL and are forwarded to the store.
enum FixedBaseURL {
    /// The scheme and the host, which the user did not type and which are not shown.
    static let origin = "http://shop.example"

    /// Returns the URL, to which no request is sent.
    static func url() throws -> URL {
        guard let url = URL(string: "\(origin)/v1") else { throw URLError(.badURL) }
        return url
    }

    /// Returns a transport that sends requests for the fixed URL to a store.
    static func networking(forwardingTo store: URL) -> any Networking {
        let system: any Networking = .system
        return .closure { request in
            var outgoing = request
            outgoing.url = request.url?.replacingOrigin(with: store)
            var response = try await system.response(for: outgoing)
            // If the URLs differ, the request was redirected, and the response keeps its URL.
            if response.url == outgoing.url { response.url = request.url }
            return response
        }
    }

    /// A transport that throws an error instead of sending a request.
    static let offlineNetworking: any Networking = .closure { request in
        throw NetworkError(
            .unreachable,
            request: request,
            reason: "There is no cached response, and --offline sends no request."
        )
    }
}

extension URL {
    /// Returns a URL with the same path and query at another origin.
    fileprivate func replacingOrigin(with other: URL) -> URL? {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.scheme = other.scheme
        components?.host = other.host
        components?.port = other.port
        return components?.url
    }
}
