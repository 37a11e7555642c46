public import Foundation
import Synchronization

extension ResponseCache {
    /// How much a cache holds, and how often it was of use.
    public struct Statistics: Hashable, Sendable {
        /// How many addresses it knows answers of, in memory.
        public let entryCount: Int
        /// About how many bytes they take.
        public let byteCount: Int
        /// How often something was found for a question, fresh or not.
        public let hits: Int
        /// How often nothing was found in memory.
        public let misses: Int
    }

    /// One answer that a cache holds.
    public struct Entry: Hashable, Sendable {
        /// The address that was asked, query included.
        public let url: String
        /// Whose answer it is.
        public let scope: String
        /// The status.
        public let statusCode: Int
        /// The size of the body in bytes.
        public let byteCount: Int
        /// When the server last vouched for it.
        public let asOf: Date
        /// Until when it may be used without asking; `nil` when it never may.
        public let freshUntil: Date?

        /// Whether it may be used without asking.
        public func isFresh(at date: Date) -> Bool {
            date >= asOf && freshUntil.map { date < $0 } ?? false
        }
    }

    /// How much it holds in memory, and how often it was of use since the program began.
    public var statistics: Statistics {
        state.withLock { state in
            Statistics(
                entryCount: state.memory.count,
                byteCount: state.memory.byteCount,
                hits: state.hits,
                misses: state.misses
            )
        }
    }

    /// What it holds in memory, the most recently used first.
    public var entries: [Entry] {
        state.withLock(\.memory.contents).flatMap { key, variants in
            variants.map { Entry($0, key) }
        }
    }
}

extension ResponseCache.Entry {
    fileprivate init(_ response: CachedResponse, _ key: CacheKey) {
        let freshness = response.freshness
        let isUsable = !response.stored.isExpired && !freshness.isUnusableUnasked
        let remaining = freshness.lifetime - freshness.initialAge
        url = key.url
        scope = key.scope
        statusCode = response.stored.statusCode
        byteCount = response.stored.body.count
        asOf = response.stored.receivedAt
        freshUntil = isUsable && remaining > 0 ? asOf + remaining : nil
    }
}
