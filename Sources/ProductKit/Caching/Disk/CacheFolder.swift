import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The folder of the cache, held open: what is done with a name in it is done in this folder, wherever
/// it was moved to and whatever has taken its place.
final class CacheFolder: Sendable {
    /// Where it was when it was opened.
    let url: URL
    private let folder: OpenFile

    /// How the names of unfinished files end.
    static let unfinished = ".writing"

    /// Opens the folder and makes it if there is none; only its owner may look into it.
    ///
    /// A link in its place is removed. A folder of somebody else is not used.
    init(at url: URL) throws(SystemFailure) {
        self.url = url
        let path = url.path(percentEncoded: false)
        let parent = url.deletingLastPathComponent()
        // What is wrong with it, making or opening our own will tell.
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        do {
            try SystemFailure.unlessDone { mkdir(path, 0o700) }
        } catch  where error.number == EEXIST {
            var status = stat()
            if lstat(path, &status) == 0, !status.isFolder { unlink(path) }
            mkdir(path, 0o700)
        }
        folder = try OpenFile { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        let status = try folder.status()
        guard status.st_uid == geteuid() else { throw SystemFailure(number: EACCES) }
        if status.st_mode & 0o777 != 0o700 {
            try SystemFailure.unlessDone { fchmod(folder.descriptor, 0o700) }
        }
        // What cannot be removed must not be read either.
        try SystemFailure.unlessDone { faccessat(folder.descriptor, ".", W_OK | X_OK, 0) }
        protect()
    }

    /// Opens a folder that was set aside.
    init(setAsideAt url: URL) throws(SystemFailure) {
        self.url = url
        let path = url.path(percentEncoded: false)
        folder = try OpenFile { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }

    /// Opens a file for reading; neither a link is followed nor is a pipe waited for.
    func file(_ name: CacheFileName) throws(SystemFailure) -> OpenFile {
        try OpenFile {
            openat(folder.descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
    }

    /// Writes a file beside the others, which only its owner may read from the start.
    ///
    /// - Returns: Its name, for ``finish(_:as:)``.
    func write(_ data: Data) throws(SystemFailure) -> String {
        let name = CacheFileName.unique(ending: Self.unfinished)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try OpenFile { openat(folder.descriptor, name, flags, 0o600) }
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(SystemFailure) in try file.write(bytes) }
        }
        do { try result.get() } catch {
            _ = try? remove(name)
            throw error
        }
        return name
    }

    /// Puts a file that was written in the place of an entry, at once and whole.
    func finish(_ name: String, as entry: CacheFileName) throws(SystemFailure) {
        do {
            try rename(name, to: entry.text)
        } catch  where error.number == EISDIR {
            try remove(entry.text)
            try rename(name, to: entry.text)
        }
    }

    /// Takes what has a name away, without waiting for its bytes to be freed, which can take long
    /// while the disk is busy.
    ///
    /// - Returns: Its new name, for ``remove(_:)``; `nil` when nothing is left to do.
    func withdraw(_ entry: CacheFileName) throws(SystemFailure) -> String? {
        let name = CacheFileName.unique(ending: Self.unfinished)
        do {
            try rename(entry.text, to: name)
            return name
        } catch {
            if !error.isMissing { try remove(entry.text) }
            return nil
        }
    }

    /// Marks an entry as made old by a mutation.
    func invalidate(_ name: CacheFileName) throws(SystemFailure) {
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = try OpenFile { openat(folder.descriptor, name.text, flags) }
        guard try file.status().isRegular else { throw SystemFailure(number: EINVAL) }
        let result = withUnsafeBytes(of: CacheFile.Mark.expired.rawValue.littleEndian) { bytes in
            Result { () throws(SystemFailure) in
                try file.write(bytes, at: CacheFile.Mark.offset)
            }
        }
        try result.get()
    }

    /// Removes what has a name, whatever it is; a link, not what it leads to.
    func remove(_ name: String) throws(SystemFailure) {
        do {
            try SystemFailure.unlessDone { unlinkat(folder.descriptor, name, 0) }
        } catch {
            if error.isMissing { return }
            guard let status = try? status(of: name), status.isFolder else { throw error }
            let path = url.appending(path: name).path(percentEncoded: false)
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw SystemFailure(number: ENOTEMPTY)
            }
        }
    }

    /// The names in it, in no order.
    func names() throws(SystemFailure) -> [String] {
        try Self.names(in: url)
    }

    /// What the system knows of a name; of a link, not of what it leads to.
    func status(of name: String) throws(SystemFailure) -> stat {
        var status = stat()
        try SystemFailure.unlessDone {
            fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
        }
        return status
    }

    /// The names in a folder that need not be open, in no order.
    static func names(in url: URL) throws(SystemFailure) -> [String] {
        do {
            let path = url.path(percentEncoded: false)
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw SystemFailure(number: EACCES)
        }
    }

    private func rename(_ name: String, to other: String) throws(SystemFailure) {
        try SystemFailure.unlessDone {
            renameat(folder.descriptor, name, folder.descriptor, other)
        }
    }

    /// Keeps it out of backups, and out of reach until the device was unlocked once.
    private func protect() {
        #if canImport(Darwin)
        var url = url
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #endif
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: url.path(percentEncoded: false)
        )
        #endif
    }
}

extension CacheFolder {
    /// What a name leads to.
    enum Content {
        case nothing
        case file(CacheFile)
        /// Something that is no entry of that name, and never will be.
        case damaged
        /// The system would not tell.
        case refused
    }

    /// Reads a file; one that is larger than a limit is none of ours.
    func read(_ name: CacheFileName, limit: Int) -> Content {
        do throws(SystemFailure) {
            let file = try self.file(name)
            let status = try file.status()
            let size = status.size
            guard status.isRegular, size >= CacheFile.contentOffset, size <= limit else {
                return .damaged
            }
            guard let entry = try file.read(size: size), CacheFileName(entry.key) == name else {
                return .damaged
            }
            if time(nil) - status.changedAt > Self.precision { futimens(file.descriptor, nil) }
            return .file(entry)
        } catch {
            return switch error.number {
            case ENOENT: .nothing
            case ELOOP, EACCES, EPERM, ENXIO, EISDIR, EOPNOTSUPP: .damaged
            default: .refused
            }
        }
    }

    /// How many seconds may lie between a file's use and its date, by which later processes know it.
    private static let precision = 3_600
}

extension OpenFile {
    fileprivate func read(size: Int) throws(SystemFailure) -> CacheFile? {
        let result = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
            Result { () throws(SystemFailure) in
                try read(into: memory) ? CacheFile(UnsafeRawBufferPointer(memory)) : nil
            }
        }
        return try result.get()
    }
}

extension CacheFolder {
    private static let setAside = ".gone"

    /// Renames a cache's folder, so that the cache is empty at once, however long deleting takes.
    static func setAside(_ url: URL) throws(SystemFailure) {
        let name = CacheFileName.unique(ending: setAside, prefix: url.lastPathComponent + "-")
        let path = url.path(percentEncoded: false)
        let target = url.deletingLastPathComponent().appending(path: name)
        do {
            try SystemFailure.unlessDone { systemRename(path, target.path(percentEncoded: false)) }
        } catch  where error.isMissing {
            return
        }
    }

    /// Deletes what was set aside, by this process or one that has ended before it was done.
    ///
    /// What is not ours goes back to where it was.
    static func deleteWhatWasSetAside(from url: URL) {
        let parent = url.deletingLastPathComponent()
        for name in (try? names(in: parent)) ?? []
        where CacheFileName.isUnique(name, ending: setAside, prefix: url.lastPathComponent + "-") {
            let old = parent.appending(path: name)
            let path = old.path(percentEncoded: false)
            (try? CacheFolder(setAsideAt: old))?.deleteContents(movingOthersTo: url)
            if rmdir(path) != 0 { unlink(path) }
        }
    }

    private func deleteContents(movingOthersTo url: URL) {
        for name in (try? names()) ?? [] {
            if CacheFileName(name) != nil
                || CacheFileName.isUnique(name, ending: Self.unfinished)
            {
                _ = try? remove(name)
            } else {
                let source = self.url.appending(path: name).path(percentEncoded: false)
                mkdir(url.path(percentEncoded: false), 0o700)
                systemRename(source, url.appending(path: name).path(percentEncoded: false))
            }
        }
    }
}

/// The system's `rename`, which the methods of ``CacheFolder`` hide.
@discardableResult
private func systemRename(_ source: String, _ target: String) -> Int32 {
    rename(source, target)
}
