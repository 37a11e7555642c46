public import Foundation
import Synchronization

/// Stores HTTP responses for ``CachingBehavior``, in memory and optionally on disk.
///
/// Memory and disk never exceed their limits; the least recently used responses are removed first.
/// Several behaviors may share one cache. Call ``removeAll()`` when the user signs out.
///
/// **On disk** there is one file for each URL and partition, which only the user of the process can
/// read. Files are written in the background, after the response was returned, and renamed into
/// place when they are complete. A checksum is verified when a file is read. A crash, a full disk
/// or a damaged file therefore costs a request to the server, but never makes one fail. Credentials
/// and cookies are not written. On Apple platforms the files are excluded from backups and readable
/// after the first unlock.
///
/// Use a directory in one process at a time. With several processes the responses stay correct, but
/// an entry that one process invalidates or removes may still be in the memory of another one.
public final class ResponseCache: Sendable {
    private struct State {
        var memory: CacheMemory
        /// The requests of the fetches in flight whose responses may be stored, by number.
        var fetches: [Int: CacheRequest] = [:]
        var lastFetch = 0
        /// How often responses were invalidated or removed.
        ///
        /// A lookup and a fetch compare it with an earlier value to detect changes in between.
        var invalidations = 0
        var hits = 0
        var misses = 0
    }

    private let state: Mutex<State>
    private let disk: CacheDisk?

    /// Creates a cache with nothing in memory.
    ///
    /// - Parameters:
    ///   - byteLimit: The maximum number of bytes in memory, 16 MiB by default. The responses of
    ///     one URL may take up to a quarter of it.
    ///   - entryLimit: The maximum number of URLs whose responses are in memory.
    ///   - directory: A directory for responses that outlive the process, or `nil` to store in
    ///     memory only. The cache creates a folder of its own in it. The directory may contain
    ///     other files and need not exist yet.
    ///   - diskLimit: The maximum number of bytes on disk, 64 MiB by default. The responses of one
    ///     URL may take up to an eighth of it.
    public init(
        byteLimit: Int = 16 << 20,
        entryLimit: Int = 2_000,
        directory: URL? = nil,
        diskLimit: Int = 64 << 20
    ) {
        disk = directory.map { CacheDisk(at: $0, byteLimit: diskLimit) }
        let memory = CacheMemory(byteLimit: byteLimit, entryLimit: entryLimit)
        state = Mutex(State(memory: memory))
    }

    /// Waits until all pending writes to disk are complete.
    ///
    /// It blocks the calling thread. Call it before a command-line tool exits; an app that keeps
    /// running does not need it.
    public func flush() {
        disk?.flush()
    }

    /// Removes all responses of all partitions, in memory and on disk.
    ///
    /// Nothing is left when it returns. Requests in flight still return their responses, but these
    /// are not stored. To sign out a user: change the partition, call this method, then reset the
    /// ``ProductStore``.
    public func removeAll() {
        change { _ in
            true
        } memory: { memory, isMatch in
            memory.remove(where: isMatch)
        } disk: { disk in
            disk.removeAll()
        }
    }

    /// Invalidates the responses of all URLs that differ from a URL only in their query (RFC 9111
    /// §4.4).
    ///
    /// An invalidated response must be revalidated before it is used: a 304 makes it usable again,
    /// and it may be served when the server fails. Requests in flight still return their responses,
    /// but these are not stored. The change is complete when this method returns.
    ///
    /// - Parameters:
    ///   - url: The URL. Its query and fragment are ignored.
    ///   - partition: The partition, as returned by the `partition` closure of the
    ///     ``CachingBehavior``.
    public func invalidate(_ url: URL, partition: String = "") {
        let path = String(url.cacheKeyText.prefix { $0 != "?" })
        change {
            $0.hasPath(path) && $0.partition == partition
        } memory: { memory, isMatch in
            memory.invalidate(where: isMatch)
        } disk: { disk in
            disk.invalidatePath(path, partition: partition)
        }
    }

    /// Removes the responses of a URL, in memory and on disk.
    ///
    /// Nothing is left when it returns.
    ///
    /// - Parameters:
    ///   - url: The URL with its query. Its fragment is ignored.
    ///   - partition: The partition, as returned by the `partition` closure of the
    ///     ``CachingBehavior``.
    package func remove(_ url: URL, partition: String = "") {
        let url = url.cacheKeyText
        change {
            $0.url == url && $0.partition == partition
        } memory: { memory, isMatch in
            memory.remove(where: isMatch)
        } disk: { disk in
            disk.remove(CacheKey(partition: partition, url: url))
        }
    }

    /// Removes or invalidates stored responses, and prevents fetches in flight from storing theirs.
    private func change(
        where isMatch: @escaping (CacheKey) -> Bool,
        memory changeMemory: (inout CacheMemory, (CacheKey) -> Bool) -> Void,
        disk changeDisk: (CacheDisk) -> Void
    ) {
        func changeState() {
            state.withLock { state in
                state.invalidations += 1
                state.fetches = state.fetches.filter { !isMatch($0.value.key) }
                changeMemory(&state.memory, isMatch)
            }
        }
        changeState()
        guard let disk else { return }
        changeDisk(disk)
        // Again, because a lookup may have read a file before the disk was changed, and stored its
        // responses in memory.
        changeState()
    }
}

/// Lookups, and the fetches whose responses are stored.
///
/// A response is stored only if nothing has removed or invalidated its cache key since the lookup
/// that preceded the fetch. The response of an earlier fetch neither replaces nor restores anything
/// that the response of a later one has stored or removed.
extension ResponseCache {
    /// Looks up the stored response for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - policy: Computes the freshness of responses that are read from disk.
    /// - Returns: The selected response, if there is one.
    func lookUp(_ request: CacheRequest, policy: CachePolicy) -> CacheLookup {
        let key = request.key
        var (variants, invalidations) = state.withLock { state in
            let variants = state.memory.use(key)
            if variants == nil { state.misses += 1 } else { state.hits += 1 }
            return (variants, state.invalidations)
        }
        // Responses to requests with `Authorization` are in memory only.
        if let disk, key.authorization == nil {
            // If anything was invalidated during the read, the file may have been read before that,
            // so it is read again. The limit ends the loop if other threads keep invalidating.
            var attempts = 8
            while variants == nil, attempts > 0 {
                attempts -= 1
                let read = disk.responses(for: key).map {
                    CachedResponse($0, freshness: policy.freshness(of: $0))
                }
                (variants, invalidations) = state.withLock { [invalidations] state in
                    var variants = state.memory.use(key)
                    if variants == nil, state.invalidations == invalidations {
                        state.memory.store(read, for: key)
                        variants = read
                    }
                    return (variants, state.invalidations)
                }
            }
        }
        return CacheLookup(
            request: request,
            response: variants.flatMap { policy.select(for: request, among: $0) },
            invalidations: invalidations
        )
    }

    /// Begins a fetch from the origin server.
    ///
    /// - Returns: The number of the fetch; later fetches have greater numbers.
    func beginFetch(after lookup: CacheLookup) -> Int {
        state.withLock { state in
            state.lastFetch += 1
            if state.invalidations == lookup.invalidations {
                state.fetches[state.lastFetch] = lookup.request
            }
            return state.lastFetch
        }
    }

    /// Ends a fetch, whatever its outcome.
    func endFetch(_ fetch: Int) {
        state.withLock { $0.fetches[fetch] = nil }
    }

    /// Returns whether nothing has removed, invalidated or replaced the result of the lookup that
    /// preceded a fetch.
    func isCurrent(_ fetch: Int) -> Bool {
        state.withLock { $0.fetches[fetch] != nil }
    }

    /// Stores a response in place of the one with equal vary fields.
    ///
    /// Up to eight variants are kept if their `Vary` names the same fields. Variants whose `Vary`
    /// names other fields are removed. If the response may not replace one of the variants to
    /// remove, it is not stored.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - freshness: Its freshness.
    ///   - fetch: The number of the fetch.
    ///   - isReplaceable: Whether the response may replace a stored one.
    func store(
        _ response: StoredResponse,
        freshness: Freshness,
        for fetch: Int,
        replacing isReplaceable: (CachedResponse) -> Bool
    ) {
        let new = CachedResponse(response, freshness: freshness, fetch: fetch)
        let names = Set(response.varyFields.keys)
        state.withLock { state in
            guard let key = state.fetches[fetch]?.key else { return }
            let variants = state.memory.variants(for: key)
            let others = variants.filter {
                $0.stored.varyFields != response.varyFields
                    && Set($0.stored.varyFields.keys) == names
            }
            let kept = others.prefix(CacheFile.maximumVariants - 1)
            let replaced = variants.filter { variant in !kept.contains { $0 === variant } }
            // The response of a later fetch may have been received first.
            guard replaced.allSatisfy({ $0.fetch <= fetch && isReplaceable($0) }) else { return }
            // Earlier fetches that this response would be selected for must not replace it. The
            // check above cannot detect this if the response does not stay in memory.
            state.fetches = state.fetches.filter { number, request in
                number >= fetch || request.key != key || !request.matches(response)
            }
            save([new] + kept, for: key, &state)
        }
    }

    /// Removes the stored responses for the cache key of a fetch, except those of later fetches.
    ///
    /// Earlier fetches do not store their responses.
    func remove(for fetch: Int) {
        state.withLock { state in
            guard let key = state.fetches[fetch]?.key else { return }
            state.fetches = state.fetches.filter { number, request in
                number >= fetch || request.key != key
            }
            let later = state.memory.variants(for: key).filter { $0.fetch > fetch }
            save(later, for: key, &state)
        }
    }

    private func save(_ variants: [CachedResponse], for key: CacheKey, _ state: inout State) {
        state.memory.store(variants, for: key)
        guard let disk, key.authorization == nil else { return }
        // Inside the lock, so that memory and disk store responses in the same order.
        disk.write(variants.compactMap(\.stored.writable), for: key)
    }
}

/// The result of looking up a request in the cache.
struct CacheLookup: Sendable {
    /// The request.
    let request: CacheRequest
    /// The stored response selected for the request (RFC 9111 §4.1), fresh or stale; `nil` for a
    /// miss.
    let response: CachedResponse?
    /// How often responses of the cache had been invalidated or removed at that time.
    let invalidations: Int
}

extension ResponseCache {
    /// Returns a list of the stored responses, followed by totals, for command-line tools.
    ///
    /// Each response has its URL without secrets, its status code, size, date of receipt or last
    /// validation, and the date until which it is fresh. It waits for pending writes and reads
    /// every file. The freshness of responses that are only on disk is computed with the default
    /// settings of ``CachingBehavior``. Hits and misses are those of the memory: a response that is
    /// found on disk counts as a miss.
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
        return (summaries.map(\.description) + lines).joined(separator: "\n")
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
        /// The number of bytes on disk; 0 until the folder has been listed.
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
        /// The date until which the response is fresh; `nil` when it must be revalidated.
        package let freshUntil: Date?

        /// Returns whether the response is fresh at a date.
        package func isFresh(at date: Date) -> Bool {
            date >= asOf && freshUntil.map { date < $0 } ?? false
        }
    }

    /// The current statistics.
    ///
    /// Hits, misses and failures are counted since the cache was created.
    package var statistics: Statistics {
        let (diskByteCount, failureCount) = disk?.usage ?? (0, 0)
        return state.withLock { state in
            Statistics(
                entryCount: state.memory.count,
                byteCount: state.memory.byteCount,
                hits: state.hits,
                misses: state.misses,
                diskByteCount: diskByteCount,
                diskFailureCount: failureCount
            )
        }
    }

    /// Lists the responses in memory, most recently used first, then those that are only on disk.
    ///
    /// It waits for pending writes and reads every file. The freshness of responses that are only
    /// on disk is computed with the default policy.
    package func summaries() -> [Summary] {
        let policy = CachePolicy()
        let inMemory = state.withLock(\.memory.contents)
        let keys = Set(inMemory.map(\.key))
        let onDisk = (disk?.contents() ?? []).filter { !keys.contains($0.key) }
            .map { file in
                let variants = file.responses.map {
                    CachedResponse($0, freshness: policy.freshness(of: $0))
                }
                return (file.key, variants)
            }
        return (inMemory + onDisk).flatMap { key, variants in variants.map { Summary($0, key) } }
    }
}

extension ResponseCache.Summary: CustomStringConvertible {
    fileprivate init(_ response: CachedResponse, _ key: CacheKey) {
        let freshness = response.freshness
        let isUsable = !response.stored.isInvalidated && !freshness.requiresRevalidation
        let remaining = freshness.lifetime - freshness.initialAge
        url = key.url
        partition = key.partition
        statusCode = response.stored.statusCode
        byteCount = response.stored.body.count
        asOf = response.stored.receivedAt
        freshUntil = isUsable && remaining > 0 ? asOf + remaining : nil
    }

    /// Two lines: the URL without secrets, and the properties of the response.
    package var description: String {
        let freshness =
            freshUntil.map { "fresh until \($0.formatted(.iso8601))" } ?? "must be revalidated"
        let properties = [
            "status \(statusCode)", "\(byteCount) bytes", "stored \(asOf.formatted(.iso8601))",
            freshness, "partition “\(partition)”",
        ]
        let url = URL(string: url)?.withoutSecrets?.absoluteString ?? ""
        return "\(url)\n  \(properties.joined(separator: ", "))"
    }
}
