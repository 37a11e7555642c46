package import Foundation

extension ResponseCache {
    /// Returns a list of the stored responses, followed by totals, for command-line tools.
    ///
    /// Each response has its URL without secrets, its status code, size, date of receipt or last
    /// validation, and the date until which it is fresh. It waits for pending writes and reads
    /// every file. The freshness of responses that are only on disk is computed with the default
    /// settings of ``CachingBehavior``. Hits and misses are those of the memory: a response that is
    /// found on disk counts as a miss.
    ///
    /// The last lines say how many responses of the server were not stored since the cache was created, or only
    /// in memory, and why. Those that exceed a limit of the cache are not among them.
    ///
    /// ```text
    /// not stored: 12 (Cache-Control: no-store)
    /// not on disk: 3 (Authorization, or a secret that Vary names)
    /// ```
    public func contentsDescription() -> String {
        let summaries = summaries()
        let statistics = statistics
        let lines = [
            "responses: \(summaries.count)",
            "bytes in memory: \(statistics.byteCount)",
            "bytes on disk: \(statistics.diskByteCount)",
            "hits: \(statistics.hits)",
            "misses: \(statistics.misses)",
            "disk failures: \(statistics.diskFailureCount)",
        ]
        let obstacles = statistics.obstacles.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { obstacle, count in
                "not \(obstacle == .secret ? "on disk" : "stored"): \(count) (\(obstacle.rawValue))"
            }
        return (summaries.map(\.description) + lines + obstacles).joined(separator: "\n")
    }

    /// The numbers of stored responses, bytes, hits and failures.
    package struct Statistics: Hashable, Sendable {
        /// The number of cache keys in memory.
        package let entryCount: Int
        /// The approximate number of bytes in memory.
        package let byteCount: Int
        /// The number of lookups that found a response in memory, fresh or stale.
        package let hits: Int
        /// The number of lookups that found none in memory.
        package let misses: Int
        /// The numbers of responses that were not stored, or not on disk, by their reasons.
        let obstacles: [StoringObstacle: Int]
        /// The number of bytes on disk, counted in the blocks that files take.
        package let diskByteCount: Int
        /// The number of failures of the disk, which do not make a request fail.
        ///
        /// Examples are a full disk, a damaged file, a response that exceeds a limit, and responses
        /// that arrive faster than they can be written.
        package let diskFailureCount: Int
    }

    /// A summary of a stored response.
    package struct Summary: Hashable, Sendable {
        /// The URL with its query.
        package let url: String
        /// The partition.
        package let partition: String
        /// The status code.
        package let statusCode: Int
        /// The size of the body in bytes.
        package let byteCount: Int
        /// When the response was received or last validated.
        package let asOf: Date
        /// The date until which the response is fresh; `nil` when it is stale or must be revalidated.
        package let freshUntil: Date?
        /// Whether the response is not even served when the server fails, before it was revalidated.
        let mustBeRevalidated: Bool

        /// Returns whether the response is fresh at a date.
        package func isFresh(at date: Date) -> Bool {
            date >= asOf && freshUntil.map { date < $0 } ?? false
        }
    }
}

extension ResponseCache.Summary: CustomStringConvertible {
    init(_ response: CachedResponse, _ key: CacheKey) {
        let freshness = response.freshness
        let isUsable = !response.stored.isInvalidated && !freshness.requiresRevalidation
        let remaining = freshness.lifetime - freshness.initialAge
        url = key.url
        partition = key.partition
        statusCode = response.stored.statusCode
        byteCount = response.stored.body.count
        asOf = response.stored.receivedAt
        mustBeRevalidated = !isUsable || freshness.mustRevalidate && remaining <= 0
        freshUntil = isUsable && remaining > 0 ? asOf + remaining : nil
    }

    /// Two lines: the URL without secrets, with the name of a declared read, and the properties of the response.
    package var description: String {
        let freshness =
            freshUntil.map { "fresh until \($0.formatted(.iso8601))" }
            ?? (mustBeRevalidated ? "must be revalidated" : "stale")
        let properties = [
            "status \(statusCode)", "\(byteCount) bytes", "stored \(asOf.formatted(.iso8601))",
            freshness, "partition “\(partition)”",
        ]
        // The body of a declared read may be longer than a URL.
        let address =
            URL(string: String(url.prefix { $0 != "#" }))?.withoutSecrets?.absoluteString ?? ""
        return "\(address)\(readDescription)\n  \(properties.joined(separator: ", "))"
    }

    /// A note with the name if the response is that of a declared read; empty for a `GET`.
    private var readDescription: String {
        let parts = url.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 3, let name = parts[1].removingPercentEncoding else { return "" }
        return name.isEmpty ? " (read)" : " (read: \(name))"
    }
}
