public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Invalidating Stored Responses (RFC 9111 §4.4).
extension CachePolicy {
    /// The addresses that a successful mutation makes wrong: its own, and on the same origin those
    /// that the answer names.
    func invalidated(by response: NetworkResponse, to url: URL) -> [URL] {
        let named = ["Location", "Content-Location"].compactMap { name in
            response.headers[name]
                .flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
                .flatMap { $0.hasSameOrigin(as: url) ? $0.written(like: url) : nil }
        }
        return [url] + named
    }

    /// Whether a mutation that failed so may have been carried out.
    func mayHaveArrived(_ request: URLRequest, _ error: any Error) -> Bool {
        let unsent: [NetworkError.Code] = [
            .unreachable, .invalidRequest, .insecure, .untrusted, .notCached,
        ]
        return !(error.networkCode(request).map(unsent.contains) ?? false)
    }

    /// What mutations of an API that speaks `Docs/openapi.yaml` make old besides their own address.
    ///
    /// A favorite makes its product, all products and the favorites old; a product of a list the
    /// list and all lists; a list all lists.
    ///
    /// - Parameter baseURL: Where the API lives, such as `https://api.example.com/v1`.
    /// - Returns: A closure for a ``CachingBehavior``, from a mutated address to those that are old
    ///   then; empty for an address that is none of these.
    public static func relatedByContract(baseURL: URL) -> @Sendable (URL) -> [URL] {
        let base = baseURL.path(percentEncoded: true).split(separator: "/")
        return { url in
            let path = url.path(percentEncoded: true).split(separator: "/")
            guard url.hasSameOrigin(as: baseURL), path.starts(with: base) else { return [] }
            let segments = path.dropFirst(base.count).map(String.init)
            let related: [[String]] =
                switch (segments.first, segments.count) {
                case ("favorites", 2): [["products", segments[1]], ["products"], ["favorites"]]
                case ("lists", 4) where segments[2] == "products":
                    [["lists", segments[1]], ["lists"]]
                case ("lists", 2): [["lists"]]
                default: []
                }
            return related.compactMap { segments in
                url.with(path: "/" + (base.map(String.init) + segments).joined(separator: "/"))
            }
        }
    }
}

extension URL {
    /// Another address of the same origin, with the origin spelled as it is here.
    fileprivate func written(like url: URL) -> URL? {
        let standard = standardized
        let path = standard.path(percentEncoded: true)
        return url.with(path: path, query: standard.query(percentEncoded: true))
    }

    /// An address of the same origin.
    fileprivate func with(path: String, query: String? = nil) -> URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.percentEncodedPath = path
        components.percentEncodedQuery = query
        components.fragment = nil
        return components.url
    }
}
