import Foundation

/// A response as it is stored, with everything that its later use depends on.
///
/// One response appears in these forms:
///
/// - ``NetworkResponse``: the response that behaviors and callers see.
/// - `StoredResponse`: what is stored of it, in memory and on disk. Responses to the same URL that
///   differ in their vary fields are variants; a ``CacheKey`` has up to eight.
/// - ``CachedResponse``: a stored response in memory, with its freshness computed once.
/// - ``CacheLookup``: the stored response that was selected for a request, if there is one.
///
/// A cache key with its variants is an entry. ``CacheMemory`` holds entries in memory. On disk an
/// entry is a ``CacheFile``, which ``CacheDisk`` writes.
struct StoredResponse: Hashable, Sendable {
    var statusCode: Int
    /// The header fields that may be stored (RFC 9111 §3.1).
    var headers: NetworkHeaders
    var body: Data
    /// The names in `Vary`, in lower case, and the normalized values of these fields in the request; empty for a
    /// field that it did not have.
    var varyFields: [String: String] = [:]
    /// When the request was sent that fetched or last validated the response.
    var requestedAt: Date
    /// When the response was received or last validated.
    var receivedAt: Date
    /// Whether an unsafe request has invalidated the response (RFC 9111 §4.4): it must be revalidated before it is
    /// used, but can be served as stale-if-error.
    var isInvalidated = false
}

extension StoredResponse {
    /// The response without fields with credentials, for a file; `nil` when it may not be written.
    var writable: StoredResponse? {
        guard !variesBySecret else { return nil }
        var writable = self
        writable.headers = headers.filter { !Self.isCredential($0) }
        return writable
    }

    /// Whether `Vary` names a field whose name suggests a secret, and the request had it.
    var variesBySecret: Bool {
        varyFields.contains { name, value in !value.isEmpty && SecretWords.areInFieldName(name) }
    }

    /// The ends of the names of header fields that contain credentials or cookies, such as `X-Auth-Token`.
    ///
    /// Single words such as “token” do not count, because a client may need other fields, such as
    /// `X-Next-Page-Token`.
    private static let credentials = [
        "authorization", "authentication-info", "cookie", "cookie2", "auth-token", "access-token",
        "refresh-token", "csrf-token", "xsrf-token", "session-token", "context-token", "cart-token",
        "api-key", "session-id", "nonce",
    ]

    private static func isCredential(_ name: String) -> Bool {
        let name = name.lowercased()
        return credentials.contains { name == $0 || name.hasSuffix("-" + $0) }
    }
}

/// The primary cache key: partition, URL and credentials (RFC 9111 §2, §4.1).
///
/// The method is not part of it, because only responses to `GET` and to declared reads are stored.
struct CacheKey: Hashable, Sendable {
    /// The user or other owner of the response, which is never served to another one.
    let partition: String
    /// The URL without its fragment; for a declared read, with ``OutgoingRequest/readIdentity`` in place of it.
    let url: String
    /// The value of `Authorization` in the request; responses with it are stored in memory only.
    var authorization: String?

    /// Texts are compared byte by byte: those that differ in Unicode normalization are not the same.
    static func == (one: CacheKey, other: CacheKey) -> Bool {
        one.hasURL(of: other) && one.authorization == other.authorization
    }

    /// Returns whether partition and URL are those of another key.
    func hasURL(of other: CacheKey) -> Bool {
        url.hasSameBytes(as: other.url) && isOf(other.partition)
    }

    /// Returns whether the response belongs to a partition; `nil` is none.
    func isOf(_ partition: String?) -> Bool {
        partition.map { self.partition.hasSameBytes(as: $0) } ?? false
    }

    /// Returns whether the URL without its query equals a URL.
    func hasPath(_ other: String) -> Bool {
        guard url.hasPrefix(other) else { return false }
        return url.utf8.dropFirst(other.utf8.count).first?.endsPath ?? true
    }
}

extension CacheKey {
    init(partition: String, url: URL, readIdentity: String?, authorization: String? = nil) {
        let text = url.cacheKeyText
        self.init(
            partition: partition,
            url: readIdentity.map { "\(text)#\($0)" } ?? text,
            authorization: authorization
        )
    }
}

extension UInt8 {
    /// Whether the byte ends the path in the URL of a cache key.
    var endsPath: Bool { self == UInt8(ascii: "?") || self == UInt8(ascii: "#") }
}
