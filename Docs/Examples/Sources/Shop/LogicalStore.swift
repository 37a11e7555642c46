import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The store on this machine, as a cache knows it: it has another port each time it opens, but what
/// it answers is kept for one address.
enum LogicalStore {
    /// The address by which answers are kept, and to which nothing is ever sent.
    static func address() throws -> URL {
        guard let url = URL(string: "http://shop.example/v1") else { throw URLError(.badURL) }
        return url
    }

    /// Networking that sends what is meant for the address to where the store is.
    static func networking(at store: URL) -> any Networking {
        let system: any Networking = .system
        return .closure { request in
            var outgoing = request
            outgoing.url = request.url?.replacingOrigin(with: store)
            var response = try await system.response(for: outgoing)
            // What came from where it was asked for was no redirect.
            if response.url == outgoing.url { response.url = request.url }
            return response
        }
    }

    /// Networking without a network: nothing is sent.
    static let offline: any Networking = .closure { request in
        throw NetworkError(
            .unreachable,
            request: request,
            reason: "Nothing that is stored can answer this, and --offline asks nobody."
        )
    }
}

extension URL {
    /// The same path and query at another origin.
    fileprivate func replacingOrigin(with other: URL) -> URL? {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.scheme = other.scheme
        components?.host = other.host
        components?.port = other.port
        return components?.url
    }
}
