import Foundation

/// A stored response in memory, with its freshness computed once so that a cache hit is fast.
final class CachedResponse: Sendable {
    let stored: StoredResponse
    let freshness: Freshness
    /// The number of the fetch that stored it; 0 when it was read from disk.
    let fetch: Int

    init(_ stored: StoredResponse, freshness: Freshness, fetch: Int = 0) {
        self.stored = stored
        self.freshness = freshness
        self.fetch = fetch
    }

    /// The approximate number of bytes in memory.
    var byteCount: Int {
        let size = stored.headers.reduce(stored.body.count + 256) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + 32
        }
        return stored.varyFields.reduce(size) { size, field in
            size + field.key.utf8.count + field.value.utf8.count + 32
        }
    }

    var invalidated: CachedResponse {
        guard !stored.isInvalidated else { return self }
        var stored = stored
        stored.isInvalidated = true
        return CachedResponse(stored, freshness: freshness, fetch: fetch)
    }
}

extension CachedResponse {
    /// Describes the response in two lines: the URL without secrets, with the name of a declared read, and the
    /// properties of the response.
    func description(for key: CacheKey) -> String {
        let properties = [
            "status \(stored.statusCode)", "\(stored.body.count) bytes",
            "stored \(stored.receivedAt.formatted(.iso8601))", freshnessDescription,
            "partition “\(key.partition)”",
        ]
        // The body of a declared read may be longer than a URL.
        let url = URL(string: String(key.url.prefix { $0 != "#" }))?.withoutSecrets
        let address = (url?.absoluteString ?? "") + key.readDescription
        return "\(address)\n  \(properties.joined(separator: ", "))"
    }

    private var freshnessDescription: String {
        let remaining = freshness.lifetime - freshness.initialAge
        if stored.isInvalidated || freshness.requiresRevalidation { return "must be revalidated" }
        if remaining > 0 {
            return "fresh until \((stored.receivedAt + remaining).formatted(.iso8601))"
        }
        return freshness.mustRevalidate ? "must be revalidated" : "stale"
    }
}

extension CacheKey {
    /// A note with the name if the response is that of a declared read; empty for a `GET`.
    fileprivate var readDescription: String {
        let parts = url.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 3, let name = parts[1].removingPercentEncoding else { return "" }
        return name.isEmpty ? " (read)" : " (read: \(name))"
    }
}
