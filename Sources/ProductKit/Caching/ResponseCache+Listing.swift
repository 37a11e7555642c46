public import Foundation
import Synchronization

extension ResponseCache {
    /// How much a cache holds, and how often it was of use.
    public struct Statistics: Hashable, Sendable {
        /// How many addresses it knows answers of, in memory.
        public let entryCount: Int
        /// About how many bytes they take.
        public let byteCount: Int
        /// How often something was found in memory for a question, fresh or not.
        public let hits: Int
        /// How often nothing was found in memory.
        public let misses: Int
        /// How many bytes its files take, once it has looked.
        public let diskByteCount: Int
        /// How often the disk failed, which no request has noticed: full, damaged, not ours, or too much
        /// at once.
        public let diskFailureCount: Int
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
        let (diskByteCount, failures) = disk?.usage ?? (0, CacheFailures())
        return state.withLock { state in
            Statistics(
                entryCount: state.memory.count,
                byteCount: state.memory.byteCount,
                hits: state.hits,
                misses: state.misses,
                diskByteCount: diskByteCount,
                diskFailureCount: failures.count
            )
        }
    }

    /// Lists what it holds, in memory, the most recently used first, and then in files alone.
    ///
    /// It waits for files that are being written and reads all of them: a means to look, not to work
    /// with.
    ///
    /// - Parameter policy: What says for how long an answer from a file is fresh.
    /// - Returns: The answers.
    public func entries(policy: CachePolicy = CachePolicy()) -> [Entry] {
        let inMemory = state.withLock(\.memory.contents)
        let known = Set(inMemory.map(\.key))
        let inFiles = (disk?.contents() ?? []).filter { !known.contains($0.key) }
            .map { file in
                let variants = file.responses.map {
                    CachedResponse($0, freshness: policy.freshness(of: $0))
                }
                return (file.key, variants)
            }
        return (inMemory + inFiles).flatMap { key, variants in variants.map { Entry($0, key) } }
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
