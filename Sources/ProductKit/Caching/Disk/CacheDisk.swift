import Dispatch
import Foundation
import Synchronization

/// The disk of a cache: keeps answers in files, one for each address, inside a folder of its own.
///
/// Reading happens at once. Writing happens later and in order; what waits to be written is found by
/// readers as if it were. Removing and expiring have happened when they return, whatever waits. When
/// the disk is full, or the folder is none or not ours, nothing is found and the failure is counted.
///
/// One process uses a directory at a time. With more of them no answer is ever wrong, but what one
/// removes or expires, another one may still have.
final class CacheDisk: Sendable {
    /// What all threads share.
    struct State {
        var files: WrittenFiles
        var waiting = WaitingEntries()
    }

    /// The most bytes that are kept.
    let limit: Int
    private let waitingLimit: Int
    /// Where what may take long happens, in order.
    let queue = DispatchQueue(label: "ProductKit.CacheDisk", qos: .utility)
    let state: Mutex<State>

    /// Creates the disk of a cache; nothing is looked at or made before it is used.
    ///
    /// - Parameters:
    ///   - directory: A folder that may hold other things, or a place for one.
    ///   - byteLimit: The most bytes that are kept; for one address, an eighth of it.
    ///   - waitingLimit: The most bytes that may wait to be written.
    init(at directory: URL, byteLimit: Int = 64 << 20, waitingLimit: Int = 8 << 20) {
        limit = byteLimit
        self.waitingLimit = waitingLimit
        let url = directory.appending(path: "ProductKit-cache-1", directoryHint: .notDirectory)
        state = Mutex(State(files: WrittenFiles(at: url, queue: queue)))
    }

    /// How many bytes the files take, as far as is known, and what went wrong so far.
    var usage: (byteCount: Int, failures: CacheFailures) {
        state.withLock { ($0.files.index?.size ?? 0, $0.files.failures) }
    }

    /// Finds the answers of an address; none when nothing is stored.
    func responses(for key: CacheKey) -> [StoredResponse] {
        guard key.authorization == nil else { return [] }
        let (waiting, folder) = state.withLock { state -> (CacheFile?, CacheFolder?) in
            if let waiting = state.waiting[key] { return (waiting.file, nil) }
            if !state.files.wasTried { open(&state) }
            return (nil, state.files.folder)
        }
        if let waiting { return waiting.responses }
        guard let folder else { return [] }
        let name = CacheFileName(key)
        switch folder.read(name, limit: limit / 8) {
        case .file(let file) where file.key == key:
            state.withLock { $0.files.index?.use(name) }
            return file.responses
        case .file, .damaged: removeDamaged(name, of: key)
        case .refused: state.withLock { $0.files.failures.refused += 1 }
        case .nothing: break
        }
        return []
    }

    /// Stores the answers of an address in place of those that are there; none removes them.
    ///
    /// Returns at once. What a file cannot hold, and what is too much to wait, is not written, and
    /// removes what was there.
    func write(_ responses: [StoredResponse], for key: CacheKey) {
        guard key.authorization == nil else { return }
        guard !responses.isEmpty else { return remove(key) }
        let file = CacheFile(key: key, responses: responses)
        let size = file.size ?? .max
        let isWaiting = state.withLock { state in
            state.waiting.remove(key)
            if size <= limit / 8, state.waiting.size + size <= waitingLimit {
                state.waiting.insert(file, size: size)
                return true
            }
            state.files.failures.leftOut += 1
            remove(key, in: &state)
            return false
        }
        if isWaiting { queue.async { self.writeWaiting(key) } }
    }

    /// Removes the answers of an address.
    func remove(_ key: CacheKey) {
        guard key.authorization == nil else { return }
        state.withLock { remove(key, in: &$0) }
    }

    /// Marks the answers of a path as made old by a mutation, whatever the query; a restart does not
    /// change that.
    func invalidatePath(_ path: some StringProtocol, partition: String) {
        let path = CacheFileName.path(path, partition: partition)
        let keys = withListedFiles { state in
            let keys = state.waiting.keys(ofPath: path)
            for key in keys { state.waiting.invalidate(key) }
            state.files.invalidatePath(path)
            return keys
        }
        for key in keys { queue.async { self.writeWaiting(key) } }
    }

    /// Removes all answers of all users; none is on the disk when it returns, and what was to be
    /// written before is not written after.
    func removeAll() {
        let url = state.withLock { state in
            state.waiting = WaitingEntries()
            state.files.removeAll()
            return state.files.url
        }
        // Behind a write that has begun, which may still put a file into the folder set aside.
        queue.sync { CacheFolder.deleteWhatWasSetAside(from: url) }
    }

    /// Waits until all is written, as a tool does before it exits.
    func flush() {
        // The second time for what was put off the first time: what is replaced is deleted later.
        for _ in 1...2 { queue.sync {} }
    }

    /// What is kept, in the order of the addresses.
    func contents() -> [CacheFile] {
        flush()
        let folder = state.withLock { state in
            if !state.files.wasTried { open(&state) }
            return state.files.folder
        }
        let names = (try? folder?.names()) ?? []
        return names.compactMap { CacheFileName($0) }
            .compactMap { name in
                guard case .file(let file)? = folder?.read(name, limit: limit / 8) else {
                    return nil
                }
                return file
            }
            .sorted { ($0.key.url, $0.key.partition) < ($1.key.url, $1.key.partition) }
    }
}

extension CacheDisk {
    /// Removes the answers of an address, written or waiting.
    func remove(_ key: CacheKey, in state: inout State) {
        state.waiting.remove(key)
        if !state.files.wasTried { open(&state) }
        state.files.remove(CacheFileName(key))
    }

    private func removeDamaged(_ name: CacheFileName, of key: CacheKey) {
        state.withLock { state in
            // It may have been replaced since it was read, or read while it was marked as old.
            switch state.files.folder?.read(name, limit: limit / 8) {
            case .file(let file) where file.key == key: return
            case .file, .damaged:
                state.files.failures.damaged += 1
                state.files.remove(name)
            case .nothing, .refused, nil: return
            }
        }
    }

    /// Does something when it is known which files there are.
    private func withListedFiles<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        while true {
            let result = state.withLock { state -> Result? in
                if !state.files.wasTried { open(&state) }
                if state.files.folder != nil, state.files.index == nil { return nil }
                return body(&state)
            }
            if let result { return result }
            flush()
        }
    }
}

/// What the disk does later, on its queue: it lists what is there, and writes what waits.
extension CacheDisk {
    /// Opens the folder; what is in it is listed later.
    func open(_ state: inout State) {
        guard state.files.open() else { return }
        queue.async { self.listFiles() }
    }

    private func listFiles() {
        let folder = state.withLock { $0.files.index == nil ? $0.files.folder : nil }
        guard let folder else { return }
        CacheFolder.deleteWhatWasSetAside(from: folder.url)
        let index = try? CacheIndex(listing: folder)
        state.withLock { state in
            guard state.files.folder === folder else { return }
            if let index { state.files.index = index } else { state.files.giveUp() }
        }
        makeRoom(for: 0)
    }

    /// Removes what was used least recently until there is room for a file, in place of one of that
    /// name.
    private func makeRoom(for size: Int, as name: CacheFileName? = nil) {
        var isFull = true
        while isFull {
            isFull = state.withLock { state in
                guard let used = state.files.index?.size,
                    used + size - (name.flatMap { state.files.index?.size(of: $0) } ?? 0) > limit,
                    let oldest = state.files.index?.leastRecentlyUsed()
                else { return false }
                state.files.remove(oldest)
                return true
            }
        }
    }

    /// Writes an entry if it still waits, the second time into a folder made anew.
    func writeWaiting(_ key: CacheKey) {
        for _ in 1...2 {
            if tryToWrite(key) { return }
            state.withLock { $0.files.close() }
        }
        state.withLock { remove(key, in: &$0) }
    }

    /// Writes an entry that waits, unless it is overtaken; `false` when the folder has gone meanwhile
    /// because somebody has deleted it.
    private func tryToWrite(_ key: CacheKey) -> Bool {
        let (waiting, folder) = state.withLock { state -> (WaitingEntries.Entry?, CacheFolder?) in
            guard let waiting = state.waiting[key] else { return (nil, nil) }
            open(&state)
            if state.files.folder == nil { remove(key, in: &state) }
            return (waiting, state.files.folder)
        }
        guard let waiting, let folder else { return true }
        let name = CacheFileName(key)
        // In a folder just opened, the files are listed before one of them is replaced.
        listFiles()
        makeRoom(for: waiting.size, as: name)
        let result = Result { () throws(SystemFailure) in try folder.write(waiting.file.data) }
        // The bytes of the file that is replaced are freed when it is closed, which can take long.
        let replaced = try? folder.file(name)
        defer { withExtendedLifetime(replaced) {} }
        return state.withLock { state in
            do throws(SystemFailure) {
                let file = try result.get()
                let isOvertaken = state.waiting[key]?.ticket != waiting.ticket
                guard !isOvertaken, state.files.folder === folder else {
                    _ = try? folder.remove(file)
                    return isOvertaken
                }
                try state.files.finish(file, as: name, size: waiting.size)
                state.waiting.remove(key)
            } catch {
                if error.isMissing { return false }
                state.files.failures.refused += 1
                if state.waiting[key]?.ticket == waiting.ticket { remove(key, in: &state) }
            }
            return true
        }
    }
}

/// How often something went wrong with the files of the cache; no request has noticed it.
struct CacheFailures: Sendable {
    /// How often the system would not do something.
    var refused = 0
    /// How many files were no entries, or damaged ones.
    var damaged = 0
    /// How many entries were not written: too large, or too much waited to be written.
    var leftOut = 0

    /// All of them.
    var count: Int { refused + damaged + leftOut }
}
