import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `GET` request with the properties that matter to a cache.
final class CacheRequest: Sendable {
    /// The cache key of its responses.
    let key: CacheKey
    /// The URL.
    let url: URL
    /// The policy, which decides whether the cache, the network or both are used.
    let policy: FetchPolicy
    /// The `Cache-Control` directives of the request.
    let control: CacheControl
    /// The value of `Range`.
    let range: String?
    /// Whether the caller has added conditions, such as `If-None-Match` (RFC 9110 §13.1).
    let hasConditions: Bool
    private let fields: [String: String]

    /// Creates a cache request; `nil` when the request has no URL.
    init?(_ request: URLRequest, partition: String) {
        guard let url = request.url else { return nil }
        self.url = url
        policy = FetchPolicy(request)
        fields = request.allHTTPHeaderFields ?? [:]
        var authorization: String?
        var control: String?
        var range: String?
        var hasConditions = false
        for (name, value) in fields {
            // Comparing the length first avoids most comparisons of names.
            switch name.utf8.count {
            case 13 where name.isEqualIgnoringASCIICase(to: "Authorization"): authorization = value
            case 13 where name.isEqualIgnoringASCIICase(to: "Cache-Control"): control = value
            case 5 where name.isEqualIgnoringASCIICase(to: "Range"): range = value
            case 4... where name.prefix(3).isEqualIgnoringASCIICase(to: "If-"):
                hasConditions = true
            default: break
            }
        }
        self.range = range
        self.hasConditions = hasConditions
        self.control = CacheControl(control)
        key = CacheKey(partition: partition, url: url.withoutFragment, authorization: authorization)
    }

    /// Returns the value of a header field, normalized for comparison (RFC 9111 §4.1); empty when
    /// the field is missing.
    ///
    /// White space around commas is removed. The values of `Accept`, `Accept-Language` and other
    /// fields with this prefix are not case-sensitive and returned in lower case. The name must be
    /// in lower case.
    func varyValue(_ name: String) -> String {
        guard let value = value(name) else { return "" }
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        let text = parts.map(\.trimmingOWS).joined(separator: ",")
        return name.hasPrefix("accept") ? text.lowercased() : text
    }

    /// Returns the value of a header field, whose name may be in any case; `nil` if it is missing.
    func value(_ name: String) -> String? {
        fields.first { $0.key.isEqualIgnoringASCIICase(to: name) }?.value
    }
}

extension Substring {
    fileprivate func isEqualIgnoringASCIICase(to other: String) -> Bool {
        String(self).isEqualIgnoringASCIICase(to: other)
    }
}

extension URL {
    /// The absolute URL as text, without its fragment.
    var withoutFragment: String {
        let text = absoluteString
        let mark = UInt8(ascii: "#")
        guard text.utf8.withContiguousStorageIfAvailable({ $0.contains(mark) }) ?? true,
            let hash = text.utf8.firstIndex(of: mark)
        else { return text }
        return String(text[..<hash])
    }
}
