import Dispatch
import Foundation

/// The files that have been written, as one thread at a time sees them: the folder, once it is open,
/// and what is in it.
///
/// A file that cannot be removed would be read again. So the folder is then closed, and not opened
/// before all of it has been set aside.
struct WrittenFiles {
    /// Where the folder is, or will be.
    let url: URL
    /// Where what may take long happens.
    private let queue: DispatchQueue
    /// The folder; `nil` before the first use, and while it cannot be had.
    private(set) var folder: CacheFolder?
    /// What is in the folder; `nil` before it was listed.
    var index: CacheIndex?
    /// What went wrong.
    var failures = CacheFailures()
    /// Whether opening the folder was tried.
    private(set) var wasTried = false
    private var mustBeEmptied = false

    init(at url: URL, queue: DispatchQueue) {
        self.url = url
        self.queue = queue
    }

    /// Opens the folder if it is not open.
    ///
    /// - Returns: Whether it is new, so that it must be listed.
    mutating func open() -> Bool {
        if folder != nil { return false }
        wasTried = true
        do throws(SystemFailure) {
            if mustBeEmptied { try CacheFolder.setAside(url) }
            folder = try CacheFolder(at: url)
            mustBeEmptied = false
            return true
        } catch {
            failures.refused += 1
            return false
        }
    }

    /// Lets go of the folder; it must be opened anew.
    mutating func close() {
        folder = nil
        index = nil
    }

    /// Puts a written file in its place.
    mutating func finish(
        _ file: String,
        as name: CacheFileName,
        size: Int
    ) throws(SystemFailure) {
        try folder?.finish(file, as: name)
        index?.insert(name, size: size)
    }

    /// Removes an entry.
    mutating func remove(_ name: CacheFileName) {
        index?.remove(name)
        guard let folder else {
            mustBeEmptied = true
            return
        }
        do throws(SystemFailure) {
            guard let withdrawn = try folder.withdraw(name) else { return }
            queue.async { _ = try? folder.remove(withdrawn) }
        } catch {
            giveUp()
        }
    }

    /// Marks all entries of a path as made old by a mutation.
    mutating func invalidatePath(_ path: UInt64) {
        guard let names = index?.names(ofPath: path) else {
            mustBeEmptied = true
            return
        }
        for name in names { invalidate(name) }
    }

    /// Empties the cache; what was in it waits to be deleted.
    mutating func removeAll() {
        close()
        wasTried = false
        do throws(SystemFailure) {
            try CacheFolder.setAside(url)
        } catch {
            failures.refused += 1
            if removeOneByOne() { return }
            mustBeEmptied = true
        }
    }

    /// Uses nothing of what is there, because it may be what should be gone.
    mutating func giveUp() {
        failures.refused += 1
        mustBeEmptied = true
        close()
    }

    private mutating func invalidate(_ name: CacheFileName) {
        do throws(SystemFailure) {
            try folder?.invalidate(name)
        } catch {
            if !error.isMissing { failures.refused += 1 }
            remove(name)
        }
    }

    private func removeOneByOne() -> Bool {
        guard let folder = try? CacheFolder(setAsideAt: url), let names = try? folder.names() else {
            return false
        }
        return names.lazy.filter { CacheFileName($0) != nil }
            .allSatisfy { (try? folder.remove($0)) != nil }
    }
}
