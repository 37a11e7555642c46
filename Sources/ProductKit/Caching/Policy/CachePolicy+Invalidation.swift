import Foundation

/// Invalidating Stored Responses (RFC 9111 §4.4).
extension CachePolicy {
    /// Returns the URLs that an unsafe request may have changed: the target URL, and the URLs in
    /// `Location` and `Content-Location` of its response that have the same origin.
    func changedURLs(by response: NetworkResponse, to url: URL) -> [URL] {
        let named = ["Location", "Content-Location"].compactMap { name in
            response.headers[name]
                .flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
                .flatMap { $0.hasSameOrigin(as: url) ? $0.normalized(like: url) : nil }
        }
        return [url] + named
    }
}

extension URL {
    /// Returns the URL without dot segments and fragment, with its origin spelled as in another
    /// URL.
    ///
    /// Percent-encoded dots are decoded first, so `%2e%2e` is a dot segment (RFC 3986 §6.2.2).
    fileprivate func normalized(like url: URL) -> URL? {
        guard let normalized = URL(string: cacheKeyText)?.standardized,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        components.percentEncodedPath = normalized.path(percentEncoded: true)
        components.percentEncodedQuery = normalized.query(percentEncoded: true)
        components.fragment = nil
        return components.url
    }
}
