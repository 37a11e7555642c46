import Foundation

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
