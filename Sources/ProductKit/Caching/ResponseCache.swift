public import Foundation
import Synchronization

/// Keeps answers for a ``CachingBehavior``, in memory and, if it is given a directory, on disk.
///
/// It is never larger than it may be: the least recently used answers leave first. Several behaviours
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
    /// Who waits for an answer still gets it, but it is not kept. To sign out: change the scope, then
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
    ///   - scope: Whose answers, as the ``CachingBehavior`` names the user.
    public func remove(_ url: URL, scope: String = "") {
        let address = url.withoutFragment
        invalidate {
            $0.url == address && $0.scope == scope
        } memory: { memory, isMeant in
            memory.remove(where: isMeant)
        } disk: { disk in
            disk.remove(CacheKey(scope: scope, url: address))
        }
    }

    /// Makes the answers of one path old, whatever their query, before it returns.
    ///
    /// They are not used without asking any more, but save the body when the server says that they
    /// are good, and stand in when it cannot be asked.
    ///
    /// - Parameters:
    ///   - url: The address; its query does not count.
    ///   - scope: Whose answers, as the ``CachingBehavior`` names the user.
    public func expire(_ url: URL, scope: String = "") {
        let path = String(url.withoutFragment.prefix { $0 != "?" })
        invalidate {
            $0.hasPath(path) && $0.scope == scope
        } memory: { memory, isMeant in
            memory.expire(where: isMeant)
        } disk: { disk in
            disk.expirePath(path, scope: scope)
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
