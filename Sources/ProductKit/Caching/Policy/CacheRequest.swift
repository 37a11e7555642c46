import Foundation

/// A `GET` request, or another read, with the properties that matter to a cache.
final class CacheRequest: Sendable {
    let key: CacheKey
    let url: URL
    /// The policy of the request, but ``FetchPolicy/reload`` if it bypasses caches.
    let policy: FetchPolicy
    let control: CacheControl
    /// Whether only the origin server can respond, because the caller has added conditions, such as
    /// `If-None-Match` (RFC 9110 §13.1), or a `Range` (§14.2).
    let mustBeForwarded: Bool
    let fields: NetworkHeaders

    /// The state of the cache in which it is sent.
    func generation(
        after invalidations: Int,
        replacing stored: StoredResponse? = nil
    ) -> CacheGeneration {
        CacheGeneration(
            partition: Identifier(key.partition),
            invalidations: invalidations,
            storedRequestedAt: stored?.requestedAt
        )
    }

    init(_ request: OutgoingRequest, partition: String) {
        url = request.url
        let isForwarded = request.bypassesCaches && request.policy.allowsNetwork
        policy = isForwarded ? .reload : request.policy
        fields = request.headers
        mustBeForwarded = fields.contains { name, _ in
            name.isEqualIgnoringASCIICase(to: "Range")
                || String(name.prefix(3)).isEqualIgnoringASCIICase(to: "If-")
        }
        control = CacheControl(fields["Cache-Control"])
        key = CacheKey(
            partition: partition,
            url: url,
            readIdentity: request.readIdentity,
            authorization: fields["Authorization"]
        )
    }

    /// Returns the value of a header field, normalized for comparison (RFC 9111 §4.1); empty when the field is missing.
    ///
    /// White space around commas is removed. The values of `Accept`, `Accept-Language` and other fields with this
    /// prefix are returned in lower case. The name must be in lower case.
    func varyValue(_ name: String) -> String {
        guard let value = fields[name] else { return "" }
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        let text = parts.map(\.trimmingOWS).joined(separator: ",")
        return name.hasPrefix("accept") ? text.lowercased() : text
    }
}

extension URL {
    /// The absolute URL as text for a cache key, without its fragment.
    ///
    /// Percent-encodings are normalized (RFC 3986 §6.2.2), so that the URL in a `Location` leads to
    /// the same cache key as that of a request: `%7e` becomes `~`, and `%2f` becomes `%2F`.
    var cacheKeyText: String {
        let text = absoluteString
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            !bytes.contains(UInt8(ascii: "#")) && !bytes.contains(UInt8(ascii: "%"))
        }
        if isPlain == true { return text }
        return text.prefix { $0 != "#" }.normalizingPercentEncoding
    }
}

extension Substring {
    /// The text with decoded unreserved characters (RFC 3986 §2.3), and the other encodings in upper case.
    fileprivate var normalizingPercentEncoding: String {
        let parts = split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let digits = part.prefix(2)
            if let byte = UInt8(digits, radix: 16), (0x10..<0x80).contains(byte) {
                text += String(UnicodeScalar(byte)).percentEncoded
            } else {
                text += "%" + digits.uppercased()
            }
            text += part.dropFirst(2)
        }
    }
}
