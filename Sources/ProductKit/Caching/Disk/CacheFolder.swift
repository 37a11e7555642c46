import Foundation

/// The cache's folder, held open, and the system calls for its files.
///
/// Files are read, written, renamed and removed relative to the open folder, so names stand for the
/// same files after the folder is moved or another one takes its place. Only listing the names, and
/// removing a folder inside of it, use the path.
final class CacheFolder: Sendable {
    private let url: URL
    private let folder: FileDescriptor

    /// Opens the folder, and creates it if needed.
    ///
    /// Only its owner has access. A file or link in its place is removed. Throws if the folder
    /// belongs to another user.
    init(at url: URL) throws(POSIXError) {
        // If this fails, `mkdir` fails, too, and reports the error.
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        do {
            try systemCall { mkdir(url.filePath, 0o700) }
        } catch  where error.code == .EEXIST {
            var status = stat()
            if lstat(url.filePath, &status) == 0, !status.isFolder { unlink(url.filePath) }
            mkdir(url.filePath, 0o700)
        }
        self.url = url
        folder = try Self.openFolder(url)
        let status = try folder.status()
        guard status.st_uid == geteuid() else { throw POSIXError(.EACCES) }
        if status.st_mode & 0o777 != 0o700 {
            try systemCall { fchmod(folder.number, 0o700) }
        }
        // A folder from which entries cannot be removed is not used: it would serve entries that
        // were meant to be removed.
        try systemCall { faccessat(folder.number, ".", W_OK | X_OK, 0) }
        protect()
    }

    /// Opens an existing folder, in order to delete its files.
    private init(existingAt url: URL) throws(POSIXError) {
        self.url = url
        folder = try Self.openFolder(url)
    }

    private static func openFolder(_ url: URL) throws(POSIXError) -> FileDescriptor {
        try FileDescriptor {
            open(url.filePath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
    }

    /// Excludes the folder from backups, and makes its files unreadable until the device has been
    /// unlocked once after it started.
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
            ofItemAtPath: url.filePath
        )
        #endif
    }

    /// Returns the names of all files, in no particular order.
    func names() throws -> [String] {
        try Self.names(in: url)
    }

    private static func names(in url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.filePath)
    }

    /// Returns the type, size and dates of a file; of a link, not of its target.
    func status(of name: String) throws(POSIXError) -> stat {
        var status = stat()
        try systemCall { fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) }
        return status
    }

    /// Opens a file for reading, without following links or waiting for pipes.
    func openFile(_ name: CacheFileName) throws(POSIXError) -> FileDescriptor {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        return try FileDescriptor { openat(folder.number, name.text, flags) }
    }

    /// Removes a file, a link but not its target, or a folder with its contents.
    ///
    /// Does nothing if there is none with this name.
    func remove(_ name: String) throws(POSIXError) {
        do {
            try systemCall { unlinkat(folder.number, name, 0) }
        } catch {
            if error.code == .ENOENT { return }
            guard let status = try? status(of: name), status.isFolder else { throw error }
            let path = url.appending(path: name).filePath
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw POSIXError(.ENOTEMPTY)
            }
        }
    }

    private func move(_ name: String, to newName: String) throws(POSIXError) {
        try systemCall { renameat(folder.number, name, folder.number, newName) }
    }
}

/// Reads and changes single entries.
extension CacheFolder {
    /// The result of reading a file.
    enum ReadResult {
        case file(CacheFile)
        case missing
        /// The file is not a valid entry, or is the entry of another name.
        case damaged
        /// The system reported an error.
        case failed
    }

    /// Reads an entry.
    ///
    /// A file that exceeds the limit counts as damaged. Reading updates the modification date, at
    /// most once an hour, because the next process derives the order of use from it.
    func read(_ name: CacheFileName, byteLimit: Int) -> ReadResult {
        do throws(POSIXError) {
            let descriptor = try openFile(name)
            let status = try descriptor.status()
            let size = status.byteCount
            guard status.isRegular, size >= CacheFile.contentOffset, size <= byteLimit else {
                return .damaged
            }
            let file = try withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
                Result { () throws(POSIXError) in
                    try descriptor.read(into: buffer) ? CacheFile(.init(buffer)) : nil
                }
            }.get()
            guard let file, CacheFileName(file.key) == name else { return .damaged }
            if time(nil) - status.modifiedAt > 3_600 { futimens(descriptor.number, nil) }
            return .file(file)
        } catch {
            if error.code == .ENOENT { return .missing }
            let isUnreadable = error.code == .EACCES || error.code == .EPERM
            let isRegular = (try? status(of: name.text))?.isRegular ?? true
            return isUnreadable || !isRegular ? .damaged : .failed
        }
    }

    /// Writes a temporary file that only its owner can read.
    ///
    /// - Returns: Its name, for ``replace(_:with:)``.
    func writeTemporary(_ data: Data) throws(POSIXError) -> String {
        let name = CacheFileName.temporary()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try FileDescriptor { openat(folder.number, name, flags, 0o600) }
        do throws(POSIXError) {
            try data.withUnsafeBytes { bytes in
                Result { () throws(POSIXError) in try file.write(bytes) }
            }.get()
        } catch {
            try? remove(name)
            throw error
        }
        return name
    }

    /// Renames a temporary file to an entry, which atomically replaces the previous entry.
    func replace(_ name: CacheFileName, with temporary: String) throws(POSIXError) {
        do {
            try move(temporary, to: name.text)
        } catch  where error.code == .EISDIR {
            try remove(name.text)
            try move(temporary, to: name.text)
        }
    }

    /// Renames an entry to a temporary name, so that it is no longer found.
    ///
    /// This is faster than removing the file, which frees its blocks and can take long on a busy
    /// disk.
    ///
    /// - Returns: The new name, for ``remove(_:)``; `nil` if nothing is left to remove.
    func renameToTemporary(_ name: CacheFileName) throws(POSIXError) -> String? {
        let temporary = CacheFileName.temporary()
        do {
            try move(name.text, to: temporary)
            return temporary
        } catch {
            if error.code != .ENOENT { try remove(name.text) }
            return nil
        }
    }

    /// Marks an entry as invalidated, in place.
    func invalidate(_ name: CacheFileName) throws(POSIXError) {
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = try FileDescriptor { openat(folder.number, name.text, flags) }
        guard try file.status().isRegular else { throw POSIXError(.EINVAL) }
        try withUnsafeBytes(of: CacheFile.Mark.invalidated.rawValue.littleEndian) {
            (mark) throws(POSIXError) in
            try file.write(mark, at: CacheFile.markOffset)
        }
    }
}

/// Clears the cache. This does not require an open folder, because opening it may have failed.
extension CacheFolder {
    /// Renames the folder, so that the cache is empty before its files are deleted.
    ///
    /// Does nothing if there is no folder.
    static func moveAside(_ url: URL) throws(POSIXError) {
        let name = CacheFileName.movedAside(folder: url.lastPathComponent)
        let target = url.deletingLastPathComponent().appending(path: name)
        do {
            try systemCall { rename(url.filePath, target.filePath) }
        } catch  where error.code == .ENOENT {
            return
        }
    }

    /// Deletes the folders that were moved aside, by this process or by another one.
    ///
    /// Files that do not belong to the cache are moved back to the cache's folder.
    static func deleteFoldersMovedAside(from url: URL) {
        let parent = url.deletingLastPathComponent()
        for name in (try? names(in: parent)) ?? []
        where CacheFileName.isMovedAside(name, folder: url.lastPathComponent) {
            let old = parent.appending(path: name)
            (try? CacheFolder(existingAt: old))?.removeFiles(movingOthersTo: url)
            if rmdir(old.filePath) != 0 { unlink(old.filePath) }
        }
    }

    private func removeFiles(movingOthersTo target: URL) {
        for name in (try? names()) ?? [] {
            if CacheFileName(name) != nil || CacheFileName.isTemporary(name) {
                try? remove(name)
            } else {
                mkdir(target.filePath, 0o700)
                rename(
                    url.appending(path: name).filePath,
                    target.appending(path: name).filePath
                )
            }
        }
    }

    /// Removes all entries one by one, for a folder that cannot be moved aside.
    ///
    /// - Returns: Whether no entry is left.
    static func removeEntries(at url: URL) -> Bool {
        guard let folder = try? CacheFolder(existingAt: url), let names = try? folder.names() else {
            return false
        }
        return names.lazy.filter { CacheFileName($0) != nil }
            .allSatisfy { (try? folder.remove($0)) != nil }
    }
}

extension URL {
    fileprivate var filePath: String { path(percentEncoded: false) }
}
