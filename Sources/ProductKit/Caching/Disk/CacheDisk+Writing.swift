import Dispatch
import Foundation
import Synchronization

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
