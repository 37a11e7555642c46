public import Foundation
import Synchronization

/// Keeps answers for a ``CachingBehavior``, in memory and, if it is given a directory, on disk.
///
/// It is never larger than it may be: the least recently used answers leave first. Several behaviors
/// may share one. Empty it when the user signs out.
///
/// **On disk** there is one file for each address, which nobody else may read. It is written after the
/// answer was given, beside and then into its place, and checked as a whole when it is read: a crash, a
/// full disk or a damaged file costs a question to the server, and no request fails for it. Passwords,
/// tokens and cookies are not written. On Apple platforms the files are left out of backups and can be
/// read after the first unlock. A directory belongs to one process at a time: another one would get no
/// wrong answers, but what one makes old or removes, the other may still have in its memory.
public final class ResponseCache: Sendable {
    struct State {
        var memory: CacheMemory
        /// What is being asked, by the questions that nothing has overtaken: their answers are kept.
        var questions: [Int: CacheKey] = [:]
        var lastQuestion = 0
        /// How often something was made to be forgotten or old.
        var invalidations = 0
        var hits = 0
        var misses = 0
    }

    let state: Mutex<State>
    let disk: CacheDisk?

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: The most bytes that it holds in memory, 16 MiB by default. No answer of more than
    ///     a quarter is kept there.
    ///   - entryLimit: The most addresses that it knows answers of in memory.
    ///   - directory: Where to keep answers that outlive the program, in a folder of their own; it may
    ///     hold other things and need not be there yet. `nil` for nowhere.
    ///   - diskLimit: The most bytes of files, 64 MiB by default. No answer of more than an eighth is
    ///     kept there.
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

    /// Waits until all that is to be kept on disk is there, as a tool does before it ends.
    ///
    /// Whoever goes on running needs none of this. It blocks the thread for as long as it takes.
    public func flush() {
        disk?.flush()
    }

    /// Forgets everything, before it returns.
    ///
    /// Who waits for an answer still gets it, but it is not kept. To sign out: change the partition, then
    /// call this, then reset the ``ProductStore``.
    public func removeAll() {
        invalidate { _ in
            true
        } memory: { memory, isMeant in
            memory.remove(where: isMeant)
        } disk: { disk in
            disk.removeAll()
        }
    }

    /// Forgets the answers of one address, query included, before it returns.
    ///
    /// Use it for an answer that came well and could not be understood.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - partition: Whose answers, as the ``CachingBehavior`` names the user.
    public func remove(_ url: URL, partition: String = "") {
        let address = url.withoutFragment
        invalidate {
            $0.url == address && $0.partition == partition
        } memory: { memory, isMeant in
            memory.remove(where: isMeant)
        } disk: { disk in
            disk.remove(CacheKey(partition: partition, url: address))
        }
    }

    /// Makes the answers of one path old, whatever their query, before it returns.
    ///
    /// They are not used without asking any more, but save the body when the server says that they
    /// are good, and stand in when it cannot be asked.
    ///
    /// - Parameters:
    ///   - url: The address; its query does not count.
    ///   - partition: Whose answers, as the ``CachingBehavior`` names the user.
    public func invalidate(_ url: URL, partition: String = "") {
        let path = String(url.withoutFragment.prefix { $0 != "?" })
        invalidate {
            $0.hasPath(path) && $0.partition == partition
        } memory: { memory, isMeant in
            memory.invalidate(where: isMeant)
        } disk: { disk in
            disk.invalidatePath(path, partition: partition)
        }
    }

    /// Overtakes questions and changes what is stored.
    ///
    /// The memory is changed again once the disk is: meanwhile somebody may have read an old file.
    private func invalidate(
        _ isMeant: @escaping (CacheKey) -> Bool,
        memory change: (inout CacheMemory, (CacheKey) -> Bool) -> Void,
        disk changeOnDisk: (CacheDisk) -> Void
    ) {
        func changeInMemory() {
            state.withLock { state in
                state.invalidations += 1
                state.questions = state.questions.filter { !isMeant($0.value) }
                change(&state.memory, isMeant)
            }
        }
        changeInMemory()
        guard let disk else { return }
        changeOnDisk(disk)
        changeInMemory()
    }
}

/// How a behavior reads and writes: it looks up, asks a question, and stores the answer if nothing
/// has overtaken the question.
extension ResponseCache {
    /// What was found, and when.
    struct Finding {
        let variants: [CachedResponse]
        /// How many invalidations there had been.
        let invalidations: Int
    }

    /// Looks up what is stored for a key, newest first.
    ///
    /// - Parameters:
    ///   - key: What it is stored for.
    ///   - freshness: Works out how long what comes from a file may be used.
    /// - Returns: What was found, and when.
    func find(_ key: CacheKey, freshness: (StoredResponse) -> Freshness) -> Finding {
        var (variants, invalidations) = state.withLock { state in
            let variants = state.memory.use(key)
            if variants == nil { state.misses += 1 } else { state.hits += 1 }
            return (variants, state.invalidations)
        }
        guard let disk, key.authorization == nil else {
            return Finding(variants: variants ?? [], invalidations: invalidations)
        }
        // Once, or again while something is forgotten just then, which may be what was read.
        var attempts = 8
        while variants == nil, attempts > 0 {
            attempts -= 1
            let read = disk.responses(for: key).map { CachedResponse($0, freshness: freshness($0)) }
            (variants, invalidations) = state.withLock { [invalidations] state in
                var variants = state.memory.use(key)
                if variants == nil, state.invalidations == invalidations {
                    state.memory.store(read, for: key)
                    variants = read
                }
                return (variants, state.invalidations)
            }
        }
        return Finding(variants: variants ?? [], invalidations: invalidations)
    }

    /// Notes that the server is asked.
    ///
    /// - Returns: A number for the question, later ones greater. Nothing is stored for a question that
    ///   was overtaken, nor for one whose finding was: what it relies on may be forgotten.
    func ask(_ key: CacheKey, after finding: Finding) -> Int {
        state.withLock { state in
            state.lastQuestion += 1
            if state.invalidations == finding.invalidations {
                state.questions[state.lastQuestion] = key
            }
            return state.lastQuestion
        }
    }

    /// Notes that a question is over.
    func end(_ question: Int) {
        state.withLock { $0.questions[question] = nil }
    }

    /// Stores an answer, in place of the one to an equal question.
    ///
    /// Answers selected by other fields are all replaced; of those selected by the same, eight stay.
    func store(
        _ response: StoredResponse,
        freshness: Freshness,
        for question: Int,
        insteadOf isReplaceable: (CachedResponse) -> Bool
    ) {
        let new = CachedResponse(response, freshness: freshness, question: question)
        let names = Set(response.varyFields.keys)
        state.withLock { state in
            guard let key = state.questions[question] else { return }
            // The answers to earlier questions are older, even when this one does not stay in memory.
            state.questions = state.questions.filter { $0.value != key || $0.key >= question }
            let variants = state.memory.variants(for: key)
            let equal = variants.first { $0.stored.varyFields == response.varyFields }
            // The answer to a later question may have come sooner.
            if let equal, equal.question > question || !isReplaceable(equal) { return }
            let others = variants.filter {
                $0.stored.varyFields != response.varyFields
                    && Set($0.stored.varyFields.keys) == names
            }
            save([new] + others.prefix(CacheFile.maximumVariants - 1), for: key, &state)
        }
    }

    /// Forgets what is stored for the key of a question.
    func forget(for question: Int) {
        state.withLock { state in
            guard let key = state.questions[question] else { return }
            let later = state.memory.variants(for: key).filter { $0.question > question }
            save(later, for: key, &state)
        }
    }

    private func save(_ variants: [CachedResponse], for key: CacheKey, _ state: inout State) {
        state.memory.store(variants, for: key)
        guard let disk, key.authorization == nil else { return }
        // Within the lock, so that files are written in the order in which answers were kept.
        disk.write(variants.compactMap(\.stored.writable), for: key)
    }
}

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
        public let partition: String
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
        let isUsable = !response.stored.isInvalidated && !freshness.isUnusableUnasked
        let remaining = freshness.lifetime - freshness.initialAge
        url = key.url
        partition = key.partition
        statusCode = response.stored.statusCode
        byteCount = response.stored.body.count
        asOf = response.stored.receivedAt
        freshUntil = isUsable && remaining > 0 ? asOf + remaining : nil
    }
}
