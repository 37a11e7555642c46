import Dispatch
import Foundation

/// Stores HTTP responses in files: one file for each cache key, in a folder of its own.
///
/// - **Lookup:** searches the pending writes, then reads the file whose name is derived from the
///   key. It reads outside of the lock and needs no index.
/// - **Index:** knows the sizes of all files and the order of their use. The queue creates it after
///   the folder is opened. It enforces the limits and finds all files of a path.
/// - **Writing:** makes an entry pending and returns. The serial queue writes it to a temporary
///   file and renames that, unless the entry was replaced, removed or invalidated meanwhile.
/// - **Removing and invalidating:** change pending entries and files before they return.
/// - **Clearing:** renames the whole folder ("moves it aside") and returns. The queue deletes it.
/// - **Crashes:** lose pending writes only, and never leave half an entry. Temporary files and
///   folders that were moved aside are deleted by the next process. A file that a power failure has
///   damaged does not match its checksum and is removed when it is read. A power failure may undo the
///   removals and invalidations of the seconds before it, but not clearing.
/// - **Errors:** are counted, never thrown. If an entry cannot be removed, the folder is closed,
///   and moved aside before it is opened again.
///
/// Only one process should use a directory: invalidations and limits miss files that another one has
/// written since the folder was listed.
final class CacheDisk: Sendable {
    private struct State {
        /// The open folder; `nil` before the first use, and when opening it has failed.
        var folder: CacheFolder? {
            didSet { index = nil }
        }
        /// The files in the folder; `nil` until the folder is listed.
        var index: UseOrder<CacheFileName, Void>?
        var pending = UseOrder<CacheKey, PendingWrite>()
        var lastWrite = 0
        /// Whether opening was tried: only writes try it again.
        var hasTriedToOpen = false
        /// Whether the folder may contain entries that were removed or invalidated.
        var mustClear = false
        var failureCount = 0
    }

    /// An entry that the queue has not written yet, and a number that no other one has.
    ///
    /// If another one takes its place while the queue writes the file, that file is superseded.
    private typealias PendingWrite = (file: CacheFile, number: Int)

    /// The maximum size of all pending writes together, in bytes.
    private static let pendingByteLimit = 8 << 20

    private let directory: URL
    private let byteLimit: Int
    private let fileLimit: Int
    private let queue = DispatchQueue(label: "ProductKit.CacheDisk", qos: .utility)
    private let state = Locked(State())

    /// The maximum size of one file, in bytes; the numbers in a file have four bytes.
    private var fileByteLimit: Int { min(byteLimit / 8, Int(Int32.max)) }

    /// Creates the disk part of a ``ResponseCache``, which uses no file before the first lookup or write.
    init(at directory: URL, byteLimit: Int, fileLimit: Int) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.fileLimit = fileLimit
    }

    /// Returns the responses for a key; none for one with `authorization`, whose responses are in memory only.
    func responses(for key: CacheKey) -> [StoredResponse] {
        guard key.authorization == nil else { return [] }
        let (pending, folder) = state.withLock { state -> (CacheFile?, CacheFolder?) in
            if let pending = state.pending[key] { return (pending.file, nil) }
            return (nil, openFolder(&state))
        }
        if let pending { return pending.responses }
        guard let folder else { return [] }
        let name = CacheFileName(key)
        switch folder.read(name, byteLimit: fileByteLimit) {
        case .file(let file) where file.key == key:
            state.withLock { $0.index?.use(name) }
            return file.responses
        case .file, .damaged: removeDamagedFile(name, of: key)
        case .failed: state.withLock { $0.failureCount += 1 }
        case .missing: break
        }
        return []
    }

    /// Replaces the responses for a key; an empty array removes them.
    ///
    /// Returns without waiting for the disk. The last responses are left out as long as all together exceed the
    /// limit of a file. If the first one alone exceeds a limit, the old ones are removed nevertheless.
    func write(_ responses: [StoredResponse], for key: CacheKey) {
        guard key.authorization == nil else { return }
        guard !responses.isEmpty else { return state.withLock { remove(key, in: &$0) } }
        var file = CacheFile(key: key, responses: responses)
        while file.responses.count > 1, file.byteCount > fileByteLimit {
            file.responses.removeLast()
        }
        let size = file.byteCount
        state.withLock { state in
            state.pending.remove(key)
            if size <= fileByteLimit, Self.allocation(of: size) <= byteLimit, fileLimit > 0,
                state.pending.byteCount + size <= Self.pendingByteLimit
            {
                enqueue(file, byteCount: size, in: &state)
            } else {
                state.failureCount += 1
                remove(key, in: &state)
            }
        }
    }

    /// Invalidates the responses of a partition, of all URLs or of those with a path, also for later processes.
    func invalidate(path: String? = nil, partition: String) {
        let hash = path.map { CacheFileName.pathHash(of: $0, partition: partition) }
        var names: [CacheFileName]?
        while names == nil {
            listFolder()
            names = state.withLock { beginInvalidating(partition, withPathHash: hash, in: &$0) }
        }
        // The lock is released after each file, so that lookups and writes do not wait for long. A file that
        // is replaced in the meantime is invalidated without need.
        for name in names ?? [] {
            state.withLock { state in
                // A write may have closed the folder meanwhile.
                if state.folder == nil { state.mustClear = true }
                do throws(POSIXError) {
                    try state.folder?.invalidate(name, ofPartition: partition)
                } catch {
                    if error.code != .ENOENT { state.failureCount += 1 }
                    removeFile(name, in: &state)
                }
            }
        }
    }

    /// Removes all responses; no file is found after this returns, and no earlier write is carried out later.
    func removeAll() {
        state.withLock { state in
            state.pending = UseOrder()
            state.hasTriedToOpen = false
            state.folder = nil
            do throws(POSIXError) {
                // The directory may be absent now and come back, as on a volume that is unmounted.
                if try !CacheFolder.moveAside(in: directory) { state.mustClear = true }
                // A write that is running may still create a file in the old folder, so it is
                // deleted after that.
                queue.async { [directory] in CacheFolder.deleteMovedFolders(in: directory) }
            } catch {
                state.failureCount += 1
                if !CacheFolder.removeFiles(in: directory) { state.mustClear = true }
            }
        }
    }

    /// Waits until all pending writes are complete and all removed files are deleted.
    func flush() {
        // Work may enqueue more work: a write may open the folder, or remove a file.
        for _ in 1...2 { queue.sync {} }
    }

    /// Reads all files, sorted by URL and partition, after waiting for all pending writes.
    ///
    /// The size is that on the disk. Failures are errors of the file system, damaged files, and writes that exceed a
    /// limit.
    func contents() -> (files: [CacheFile], byteCount: Int, failureCount: Int) {
        state.withLock { _ = openFolder(&$0) }
        flush()
        let state = state.withLock(\.self)
        let index = state.index ?? UseOrder()
        let files = index.keys.compactMap { name -> CacheFile? in
            guard case .file(let file)? = state.folder?.read(name, byteLimit: fileByteLimit) else {
                return nil
            }
            return file
        }
        .sorted { ($0.key.url, $0.key.partition) < ($1.key.url, $1.key.partition) }
        return (files, index.byteCount, state.failureCount)
    }
}

/// The work that holds the lock: it opens, closes and changes the folder.
extension CacheDisk {
    /// Returns the folder; only the first call, and those with `isRetry`, open it if it is closed.
    @discardableResult
    private func openFolder(_ state: inout State, isRetry: Bool = false) -> CacheFolder? {
        guard state.folder == nil, isRetry || !state.hasTriedToOpen else { return state.folder }
        state.hasTriedToOpen = true
        do throws(POSIXError) {
            if state.mustClear { try CacheFolder.moveAside(in: directory) }
            let folder = try CacheFolder(in: directory)
            state.folder = folder
            state.mustClear = false
            queue.async {
                // Lists it, and deletes what is left of earlier processes.
                self.listFolder()
                self.makeRoom()
                folder.deleteTemporaryFiles()
                CacheFolder.deleteMovedFolders(in: self.directory)
            }
        } catch {
            state.failureCount += 1
        }
        return state.folder
    }

    /// Makes an entry pending, in place of an earlier one, and lets the queue write it.
    private func enqueue(_ file: CacheFile, byteCount: Int, in state: inout State) {
        let key = file.key
        state.lastWrite += 1
        state.pending.insert((file, state.lastWrite), byteCount: byteCount, for: key)
        // It retains no response: a replaced one must not stay in memory until the queue comes to it.
        queue.async { self.writePending(key) }
    }

    private func remove(_ key: CacheKey, in state: inout State) {
        state.pending.remove(key)
        openFolder(&state)
        removeFile(CacheFileName(key), in: &state)
    }

    private func removeFile(_ name: CacheFileName, in state: inout State) {
        if let delete = hideFile(name, in: &state) { queue.async(execute: delete) }
    }

    /// Renames a file, so that it is no longer found, and returns a closure that deletes it.
    private func hideFile(
        _ name: CacheFileName,
        in state: inout State
    ) -> (@Sendable () -> Void)? {
        state.index?.remove(name)
        if let folder = state.folder {
            do throws(POSIXError) {
                guard let temporary = try folder.renameToTemporary(name) else { return nil }
                return { try? folder.files.remove(temporary) }
            } catch {
                state.failureCount += 1
                state.folder = nil
            }
        }
        state.mustClear = true
        return nil
    }

    private func removeDamagedFile(_ name: CacheFileName, of key: CacheKey) {
        state.withLock { state in
            // The file may have been replaced, or invalidated while it was read.
            switch state.folder?.read(name, byteLimit: fileByteLimit) {
            case .file(let file) where file.key == key: return
            case .file, .damaged:
                state.failureCount += 1
                removeFile(name, in: &state)
            case .missing, .failed, nil: return
            }
        }
    }

    /// Invalidates the pending writes of a partition, or of one path in it, and returns the names of the files to
    /// invalidate; `nil`, without any change, if the folder is not listed yet.
    private func beginInvalidating(
        _ partition: String,
        withPathHash hash: UInt64?,
        in state: inout State
    ) -> [CacheFileName]? {
        if openFolder(&state) == nil { state.mustClear = true }
        if state.folder != nil, state.index == nil { return nil }
        for key in state.pending.keys where key.isOf(partition) {
            guard hash == nil || hash == CacheFileName(key).pathHash,
                var file = state.pending[key]?.file,
                let size = state.pending.byteCount(of: key)
            else { continue }
            for index in file.responses.indices { file.responses[index].isInvalidated = true }
            enqueue(file, byteCount: size, in: &state)
        }
        return state.index?.keys.filter { hash == nil || $0.pathHash == hash } ?? []
    }
}

/// The work of the queue: it lists the folder and writes what is pending.
extension CacheDisk {
    /// Creates the index unless it exists; the queue calls it, and an invalidation that comes earlier.
    private func listFolder() {
        guard let folder = state.withLock({ $0.index == nil ? $0.folder : nil }) else { return }
        let listing = try? folder.listEntries()
        state.withLock { state in
            guard state.folder === folder, state.index == nil else { return }
            state.index = listing
            if listing == nil {
                // Its entries are valid, so it is not cleared: the next write opens the folder again.
                state.failureCount += 1
                state.folder = nil
            }
        }
    }

    /// Removes the least recently used files until the others, and a new one if there is one, do not exceed the limits.
    private func makeRoom(for new: CacheFile? = nil) {
        let name = new.map { CacheFileName($0.key) }
        let size = new.map { Self.allocation(of: $0.byteCount) } ?? 0
        // The lock is released after each file, so that lookups do not wait for long.
        while let delete = state.withLock({ state -> (@Sendable () -> Void)? in
            let replaced = name.flatMap { state.index?.byteCount(of: $0) }
            let count = (state.index?.count ?? 0) + (name == nil || replaced != nil ? 0 : 1)
            let byteCount = (state.index?.byteCount ?? 0) + size - (replaced ?? 0)
            guard byteCount > byteLimit || count > fileLimit,
                let oldest = state.index?.leastRecentlyUsed()
            else { return nil }
            return hideFile(oldest, in: &state) ?? {}
        }) {
            delete()
        }
    }

    /// The usual size of a file on the disk, which consists of whole blocks.
    private static func allocation(of byteCount: Int) -> Int {
        (byteCount + 4_095) / 4_096 * 4_096
    }

    /// Writes the entry that is pending for a key, if there still is one.
    ///
    /// If another program has deleted the folder, a second attempt creates it again.
    private func writePending(_ key: CacheKey) {
        for _ in 1...2 {
            // A file may take more blocks than expected.
            if tryToWrite(key) { return makeRoom() }
            state.withLock { $0.folder = nil }
        }
        state.withLock { remove(key, in: &$0) }
    }

    /// Writes the entry that is pending for a key; `false` if the folder was deleted or closed meanwhile.
    private func tryToWrite(_ key: CacheKey) -> Bool {
        let (pending, folder) = state.withLock { state -> (PendingWrite?, CacheFolder?) in
            guard let pending = state.pending[key] else { return (nil, nil) }
            let folder = openFolder(&state, isRetry: true)
            if folder == nil { remove(key, in: &state) }
            return (pending, folder)
        }
        guard let pending, let folder else { return true }
        let name = CacheFileName(key)
        // A folder that was just opened must be listed before its files are replaced.
        listFolder()
        makeRoom(for: pending.file)
        let written = Result { () throws(POSIXError) in
            try folder.writeTemporary(pending.file.data)
        }
        // The old file stays open during the rename. Closing it frees its blocks, which can take
        // long, so that happens after the lock is released.
        let replaced = try? folder.openFile(name)
        defer { withExtendedLifetime(replaced) {} }
        return state.withLock { state in
            let isSuperseded = state.pending[key]?.number != pending.number
            do throws(POSIXError) {
                let temporary = try written.get()
                guard !isSuperseded, state.folder === folder else {
                    try? folder.files.remove(temporary.name)
                    // A superseded write needs no second attempt, unlike one into a closed folder.
                    return isSuperseded
                }
                try folder.replace(name, with: temporary.name)
                state.index?.insert((), byteCount: temporary.allocatedByteCount, for: name)
                state.pending.remove(key)
            } catch {
                // The folder or the temporary file was deleted.
                if error.code == .ENOENT { return false }
                state.failureCount += 1
                if !isSuperseded { remove(key, in: &state) }
            }
            return true
        }
    }
}
