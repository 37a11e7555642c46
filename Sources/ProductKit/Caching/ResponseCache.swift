public import Foundation

/// Stores HTTP responses for ``CachingBehavior``, in memory and optionally on disk.
///
/// Memory and disk never exceed their limits. The least recently used responses are removed first; for the disk,
/// only those uses count that write or read a file.
/// Several behaviors may share one cache. Call ``removeAll()`` when the user signs out.
///
/// **On disk** there is one file for each URL and partition, which only the user of the process can read, without
/// credentials and cookies. A crash, a full disk or a damaged file costs a request to the server, but never makes one
/// fail. Use a directory in one process at a time; <doc:CachingAndOfflineReading> describes what happens otherwise.
public final class ResponseCache: Sendable {
    private struct State {
        var memory: CacheMemory
        /// The requests of the fetches in flight whose responses may be stored, by number, and whether an earlier
        /// fetch has removed the result of their lookup meanwhile.
        var fetches: [Int: (request: CacheRequest, isSuperseded: Bool)] = [:]
        var lastFetch = 0
        /// The reads of the disk in flight whose entries have not changed since, by number.
        var reads: [Int: CacheKey] = [:]
        var lastRead = 0
        /// How often responses were invalidated or removed; a fetch compares it with its value at the lookup.
        var invalidations = 0
        var hits = 0
        var misses = 0
        /// The numbers of responses that were not stored, by their reasons.
        var obstacles: [StoringObstacle: Int] = [:]
    }

    private let state: Locked<State>
    private let disk: CacheDisk?

    /// Creates a cache with nothing in memory.
    ///
    /// - Parameters:
    ///   - byteLimit: The maximum number of bytes in memory, 16 MiB by default. One URL may take up to a quarter of it.
    ///   - entryLimit: The maximum number of URLs whose responses are in memory.
    ///   - directory: A directory for responses that outlive the process, or `nil` to store in memory only. It may contain
    ///     other files and need not exist yet: the cache creates its own folder in it, which it deletes with all its files.
    ///   - diskLimit: The maximum number of bytes on disk, 64 MiB by default, counted in the blocks that files take,
    ///     which are 4,096 bytes or more for each. One URL may take up to an eighth of it.
    ///   - diskEntryLimit: The maximum number of URLs whose responses are on disk.
    public init(
        byteLimit: Int = 16 << 20,
        entryLimit: Int = 2_000,
        directory: URL? = nil,
        diskLimit: Int = 64 << 20,
        diskEntryLimit: Int = 4_096
    ) {
        disk = directory.map {
            CacheDisk(at: $0, byteLimit: diskLimit, fileLimit: diskEntryLimit)
        }
        let memory = CacheMemory(byteLimit: byteLimit, entryLimit: entryLimit)
        state = Locked(State(memory: memory))
    }

    /// Waits until all pending writes to disk are complete and all removed files are deleted.
    ///
    /// It blocks the calling thread. Call it before a command-line tool exits; an app that keeps
    /// running does not need it.
    public func flush() {
        disk?.flush()
    }

    /// Removes all responses of all partitions, in memory and on disk.
    ///
    /// No response is found after it returns, in this process or a later one, unless the disk is read-only or the
    /// directory is absent: then the next process that can write to it finds them. The files are deleted in the
    /// background, by the next process if this one ends before that; ``flush()`` waits for it. Only if the directory
    /// does not permit that its folder is renamed, they are deleted one by one before it returns. Requests in flight
    /// still return their responses, but these are not stored. To sign out a user: change the partition, call this
    /// method, then reset the ``ProductStore``.
    public func removeAll() {
        change(isRemoval: true, where: { _ in true }, on: { $0.removeAll() })
    }

    /// Invalidates the responses of all URLs that differ from a URL only in their query (RFC 9111 §4.4).
    ///
    /// An invalidated response must be revalidated before it is used: a 304 makes it usable again,
    /// and it may be served when the server fails. Requests in flight still return their responses,
    /// but these are not stored. The change is complete when this method returns.
    ///
    /// - Parameters:
    ///   - url: The URL. Its query and fragment are ignored.
    ///   - partition: The partition that the `partition` closure of the ``CachingBehavior`` returns.
    public func invalidate(_ url: URL, partition: String) {
        let path = String(url.cacheKeyText.prefix { $0 != "?" })
        change(
            isRemoval: false,
            where: { $0.isOf(partition) && $0.hasPath(path) },
            on: { $0.invalidate(path: path, partition: partition) }
        )
    }

    /// Invalidates all responses of a partition, as ``invalidate(_:partition:)`` does those of a URL.
    ///
    /// With a directory it takes about 15 microseconds for each file, whatever its partition.
    ///
    /// - Parameter partition: The partition that the `partition` closure of the ``CachingBehavior`` returns.
    public func invalidateAll(partition: String) {
        change(
            isRemoval: false,
            where: { $0.isOf(partition) },
            on: { $0.invalidate(partition: partition) }
        )
    }

    /// Removes the responses to `GET` requests of a URL with its query, in memory and on disk.
    ///
    /// Nothing is left when it returns. Declared reads of the URL stay.
    package func remove(_ url: URL, partition: String) {
        let key = CacheKey(partition: partition, url: url, readIdentity: nil)
        change(isRemoval: true, where: { $0.hasURL(of: key) }, on: { $0.write([], for: key) })
    }

    /// Removes or invalidates stored responses, and prevents fetches in flight from storing theirs.
    private func change(
        isRemoval: Bool,
        where isMatch: @escaping (CacheKey) -> Bool,
        on changeDisk: (CacheDisk) -> Void
    ) {
        func changeState() {
            state.withLock { state in
                state.invalidations += 1
                state.fetches = state.fetches.filter { !isMatch($0.value.request.key) }
                state.reads = state.reads.filter { !isMatch($0.value) }
                if isRemoval {
                    state.memory.remove(where: isMatch)
                } else {
                    state.memory.invalidate(where: isMatch)
                }
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
/// A response is stored only if nothing has removed or invalidated its cache key since the lookup before the fetch. It
/// neither replaces nor restores anything that the response of a later fetch has stored or removed.
extension ResponseCache {
    var invalidations: Int { state.withLock(\.invalidations) }

    /// Looks up the stored response for a request; the policy computes the freshness of one that is read from disk.
    func lookUp(_ request: CacheRequest, policy: CachePolicy) -> CacheLookup {
        let key = request.key
        var (entry, invalidations) = state.withLock { state in
            let entry = state.memory.use(key)
            if entry == nil { state.misses += 1 } else { state.hits += 1 }
            return (entry ?? CacheMemory.Entry(), state.invalidations)
        }
        func match() -> CachedResponse? { entry.variants.first { request.matches($0.stored) } }
        var response = match()
        if response == nil, !entry.isComplete {
            (entry.variants, invalidations) = withVariants(of: key, policy: policy) {
                ($1, $0.invalidations)
            }
            response = match()
        }
        return CacheLookup(request: request, response: response, invalidations: invalidations)
    }

    /// Runs a closure with all variants of a cache key, from memory or from disk.
    ///
    /// The closure holds the lock, so the variants are the current ones. The disk is read outside of the lock.
    private func withVariants<Result>(
        of key: CacheKey,
        policy: CachePolicy,
        _ body: (inout State, [CachedResponse]) -> Result
    ) -> Result {
        // If the entry changes during a read, the file may have been read before that, so it is
        // read again. The limit ends the loop if other threads keep changing the entry.
        var attempts = 8
        while true {
            let (read, inMemory) = state.withLock { state -> (Int, Result?) in
                let entry = state.memory.use(key) ?? CacheMemory.Entry()
                // Responses to requests with `Authorization` are in memory only.
                guard disk != nil, key.authorization == nil, !entry.isComplete, attempts > 0
                else { return (0, body(&state, entry.variants)) }
                state.lastRead += 1
                state.reads[state.lastRead] = key
                return (state.lastRead, nil)
            }
            if let inMemory { return inMemory }
            attempts -= 1
            let variants = (disk?.responses(for: key) ?? []).map {
                CachedResponse($0, freshness: policy.freshness(of: $0))
            }
            let fromDisk = state.withLock { state -> Result? in
                guard state.reads.removeValue(forKey: read) != nil else { return nil }
                // The file has fewer variants if they exceed its limit.
                let known = state.memory.variants(for: key)
                guard variants.count >= max(known.count, 1) else { return body(&state, known) }
                state.memory.store(variants, for: key)
                return body(&state, variants)
            }
            if let fromDisk { return fromDisk }
        }
    }

    /// Begins a fetch from the origin server, and returns its number, which is greater than those of earlier ones.
    func beginFetch(after lookup: CacheLookup) -> Int {
        state.withLock { state in
            state.lastFetch += 1
            if state.invalidations == lookup.invalidations {
                state.fetches[state.lastFetch] = (lookup.request, false)
            }
            return state.lastFetch
        }
    }

    /// Ends a fetch, whatever its outcome.
    func endFetch(_ fetch: Int) {
        state.withLock { $0.fetches[fetch] = nil }
    }

    /// Returns whether nothing has removed, invalidated or replaced the result of the lookup that preceded a fetch.
    func isCurrent(_ fetch: Int) -> Bool {
        state.withLock { $0.fetches[fetch]?.isSuperseded == false }
    }

    /// Stores a response in place of the one with equal vary fields.
    ///
    /// Up to eight variants are kept if their `Vary` names the same fields; the others are removed. If the response may
    /// not replace one of those to remove, it is not stored.
    func store(
        _ response: StoredResponse,
        policy: CachePolicy,
        for fetch: Int,
        replacing isReplaceable: (CachedResponse) -> Bool
    ) {
        guard let key = state.withLock({ $0.fetches[fetch]?.request.key }) else { return }
        let freshness = policy.freshness(of: response)
        let new = CachedResponse(response, freshness: freshness, fetch: fetch)
        let names = Set(response.varyFields.keys)
        withVariants(of: key, policy: policy) { state, variants in
            guard state.fetches[fetch] != nil else { return }
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
            state.fetches = state.fetches.filter { number, other in
                number >= fetch || other.request.key != key || !other.request.matches(response)
            }
            if disk != nil, key.authorization != nil || response.variesBySecret {
                state.obstacles[.secret, default: 0] += 1
            }
            save([new] + kept, for: key, &state)
        }
    }

    /// Removes the stored responses for the cache key of a fetch, except those of later fetches.
    ///
    /// Earlier fetches do not store their responses.
    func remove(for fetch: Int) {
        state.withLock { state in
            guard let key = state.fetches[fetch]?.request.key else { return }
            for (number, other) in state.fetches where number != fetch && other.request.key == key {
                state.fetches[number] = number < fetch ? nil : (other.request, true)
            }
            let later = state.memory.variants(for: key).filter { $0.fetch > fetch }
            save(later, for: key, &state)
        }
    }

    /// Removes the response to a request that was received at a time, and none that has replaced it.
    ///
    /// Fetches in flight do not store their responses then, because they may revalidate the removed one.
    func remove(_ request: CacheRequest, receivedAt date: Date, policy: CachePolicy) {
        let key = request.key
        withVariants(of: key, policy: policy) { state, variants in
            let others = variants.filter {
                $0.stored.receivedAt != date || !request.matches($0.stored)
            }
            guard others.count < variants.count else { return }
            state.invalidations += 1
            state.fetches = state.fetches.filter { $0.value.request.key != key }
            save(others, for: key, &state)
        }
    }

    private func save(_ variants: [CachedResponse], for key: CacheKey, _ state: inout State) {
        state.memory.store(variants, for: key)
        state.reads = state.reads.filter { $0.value != key }
        // Inside the lock, so that memory and disk store responses in the same order.
        disk?.write(variants.compactMap(\.stored.writable), for: key)
    }
}

/// The result of looking up a request in the cache.
struct CacheLookup: Sendable {
    let request: CacheRequest
    /// The stored response selected for the request (RFC 9111 §4.1), fresh or stale; `nil` for a miss.
    let response: CachedResponse?
    /// How often responses of the cache had been invalidated or removed before.
    let invalidations: Int
}

/// The contents of the cache, for command-line tools.
extension ResponseCache {
    /// Counts a response that is not stored, or not on disk.
    func count(_ obstacle: StoringObstacle) {
        state.withLock { $0.obstacles[obstacle, default: 0] += 1 }
    }

    /// Returns a list of the stored responses, followed by totals, for command-line tools.
    ///
    /// Each response has its URL without secrets, its status code, size, date of receipt or last
    /// validation, and the date until which it is fresh. Those in memory come first, the most recently used
    /// ones before the others. It waits for pending writes and reads every file. The freshness of responses
    /// that are only on disk is computed with the default settings of ``CachingBehavior``. Hits and misses
    /// are those of the memory: a response that is found on disk counts as a miss.
    ///
    /// The last lines say how many responses of the server were not stored since the cache was created, or only
    /// in memory, and why. Those that exceed a limit of the cache are not among them.
    ///
    /// ```text
    /// not stored: 12 (Cache-Control: no-store)
    /// not on disk: 3 (Authorization, or a secret that Vary names)
    /// ```
    public func contentsDescription() -> String {
        let (files, diskByteCount, failureCount) = disk?.contents() ?? ([], 0, 0)
        let state = state.withLock(\.self)
        let onDisk = Set(files.map(\.key))
        let inMemory = state.memory.entries.contents
            .filter { $0.value.isComplete || !onDisk.contains($0.key) }
        let keys = Set(inMemory.map(\.key))
        let others = files.filter { !keys.contains($0.key) }.flatMap { file in
            file.responses.map { response in
                CachedResponse(response, freshness: CachePolicy().freshness(of: response))
                    .description(for: file.key)
            }
        }
        let responses =
            inMemory.flatMap { key, entry in entry.variants.map { $0.description(for: key) } }
            + others
        let totals = [
            "responses: \(responses.count)",
            "bytes in memory: \(state.memory.entries.byteCount)",
            "bytes on disk: \(diskByteCount)",
            "hits: \(state.hits)",
            "misses: \(state.misses)",
            "disk failures: \(failureCount)",
        ]
        let obstacles = state.obstacles.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { obstacle, count in
                "not \(obstacle == .secret ? "on disk" : "stored"): \(count) (\(obstacle.rawValue))"
            }
        return (responses + totals + obstacles).joined(separator: "\n")
    }
}
