import Foundation

/// The cache's folder, held open, and the system calls for its files.
final class CacheFolder: Sendable {
    let files: OpenFolder

    private static let name = "ProductKit-cache-2"
    /// What the name of a folder that was moved aside begins with; a UUID follows.
    private static let movedAsidePrefix = name + "-"

    /// Opens the folder in a directory, and creates both if needed.
    ///
    /// Only its owner has access. A file or link in its place is removed. Throws if the folder
    /// belongs to another user, or if entries cannot be removed from it: it would serve entries
    /// that were meant to be removed.
    init(in directory: URL) throws(POSIXError) {
        // If this fails, opening the directory fails, too, and reports the error.
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let parent = try OpenFolder(at: directory)
        if let status = try? parent.status(of: Self.name), !status.isFolder {
            // Another user may put a folder there after the check. It must not be deleted.
            try? parent.removeFile(Self.name)
        }
        // It may exist. If it can be neither created nor opened, opening reports the error.
        try? parent.makeFolder(Self.name)
        files = try OpenFolder(Self.name, in: parent)
        try files.restrictToOwner()
        OpenFolder.protect(directory.appending(path: Self.name))
    }

    /// Opens a file for reading, without following links or waiting for pipes.
    func openFile(_ name: CacheFileName) throws(POSIXError) -> FileDescriptor {
        try files.openFile(name.text, O_RDONLY | O_NONBLOCK)
    }
}

/// Lists, reads and changes entries.
extension CacheFolder {
    /// Returns all entries with their sizes on the disk, in the order of use that their modification dates give.
    func listEntries() throws(POSIXError) -> UseOrder<CacheFileName, Void> {
        var entries: [(name: CacheFileName, status: stat)] = []
        for text in try files.names() {
            if let name = CacheFileName(text), let status = try? files.status(of: text) {
                entries.append((name, status))
            }
        }
        entries.sort { $0.status.modifiedAt < $1.status.modifiedAt }
        return entries.reduce(into: UseOrder()) { order, entry in
            // The sum of forged sizes could overflow.
            let size = min(entry.status.allocatedByteCount, Int(clamping: Int64(1) << 48))
            order.insert((), byteCount: size, for: entry.name)
        }
    }

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
    /// A file that exceeds the limit, or that another user owns, counts as damaged. Reading updates
    /// the modification date, at most once an hour, because the next process derives the order of
    /// use from it.
    func read(_ name: CacheFileName, byteLimit: Int) -> ReadResult {
        do throws(POSIXError) {
            let descriptor = try openFile(name)
            let status = try descriptor.status()
            let size = status.byteCount
            guard status.isRegular, status.isOwned, size >= CacheFile.contentOffset,
                size <= byteLimit
            else { return .damaged }
            let file = try withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
                Result { () throws(POSIXError) in
                    try descriptor.read(into: buffer) ? CacheFile(.init(buffer)) : nil
                }
            }.get()
            guard let file, CacheFileName(file.key) == name else { return .damaged }
            if status.modifiedAt < time(nil) - 3_600 { futimens(descriptor.number, nil) }
            return .file(file)
        } catch {
            if error.code == .ENOENT { return .missing }
            // On iOS, opening it fails with EPERM before the first unlock.
            let isRegular = (try? files.status(of: name.text))?.isRegular ?? true
            return error.code == .EACCES || !isRegular ? .damaged : .failed
        }
    }

    /// Deletes temporary files, which an earlier process may have left.
    func deleteTemporaryFiles() {
        for name in (try? files.names()) ?? [] where UUID(uuidString: name) != nil {
            try? files.remove(name)
        }
    }

    /// Writes a temporary file that only its owner can read, and returns its name and the size that it takes on disk.
    func writeTemporary(
        _ data: Data
    ) throws(POSIXError) -> (name: String, allocatedByteCount: Int) {
        let name = UUID().uuidString
        let file = try files.openFile(name, O_WRONLY | O_CREAT | O_EXCL)
        do throws(POSIXError) {
            try file.write(data, at: 0)
            return (name, try file.status().allocatedByteCount)
        } catch {
            try? files.remove(name)
            throw error
        }
    }

    /// Renames a temporary file to an entry, which atomically replaces the previous entry.
    func replace(_ name: CacheFileName, with temporary: String) throws(POSIXError) {
        do {
            try files.move(temporary, to: name.text)
        } catch  where error.code == .EISDIR {
            try files.remove(name.text)
            try files.move(temporary, to: name.text)
        }
    }

    /// Renames an entry, so that it is no longer found, and returns its new name; `nil` if nothing is left to remove.
    ///
    /// This is faster than removing the file, which frees its blocks and can take long on a busy disk.
    func renameToTemporary(_ name: CacheFileName) throws(POSIXError) -> String? {
        let temporary = UUID().uuidString
        do {
            try files.move(name.text, to: temporary)
            return temporary
        } catch {
            if error.code != .ENOENT { try files.remove(name.text) }
            return nil
        }
    }

    /// Marks an entry as invalidated, in place, if it belongs to a partition.
    ///
    /// The modification date stays, because it is the order of use for the next process.
    func invalidate(_ name: CacheFileName, ofPartition partition: String) throws(POSIXError) {
        let file = try files.openFile(name.text, O_RDWR | O_NONBLOCK)
        let status = try file.status()
        guard status.isRegular, status.isOwned else { throw POSIXError(.EINVAL) }
        let start = CacheFile.start(ofPartition: partition)
        guard try file.hasBytes(start, at: CacheFile.contentOffset) else { return }
        let mark = withUnsafeBytes(of: CacheFile.Mark.invalidated.rawValue.littleEndian) {
            Data($0)
        }
        guard try !file.hasBytes(mark, at: CacheFile.markOffset) else { return }
        try file.write(mark, at: CacheFile.markOffset)
        var dates = [status.modification, status.modification]
        futimens(file.number, &dates)
    }
}

/// Clears the cache. This does not require an open folder, because opening it may have failed.
extension CacheFolder {
    /// Renames the folder in a directory, so that the cache is empty before its files are deleted.
    ///
    /// It stays empty after a loss of power, if the file system permits that. Returns `false` if there is no folder,
    /// and throws if it belongs to another user.
    @discardableResult
    static func moveAside(in directory: URL) throws(POSIXError) -> Bool {
        do {
            let parent = try OpenFolder(at: directory)
            // A link or a file in its place contains no entries. Opening removes it.
            guard try parent.status(of: name).isFolder else { return false }
            _ = try OpenFolder(name, in: parent)
            try parent.move(name, to: movedAsidePrefix + UUID().uuidString)
            try? parent.sync(with: FileDescriptor.sync)
            return true
        } catch  where error.code == .ENOENT {
            return false
        }
    }

    /// Deletes the folders that were moved aside by any process of this user, without following links.
    static func deleteMovedFolders(in directory: URL) {
        let parent = try? OpenFolder(at: directory)
        for name in (try? parent?.names()) ?? [] where name.hasPrefix(movedAsidePrefix) {
            let suffix = String(name.dropFirst(movedAsidePrefix.count))
            if UUID(uuidString: suffix) != nil { try? parent?.remove(name) }
        }
    }

    /// Removes the files of a folder that cannot be moved aside one by one, and returns whether no entry is left.
    static func removeFiles(in directory: URL) -> Bool {
        guard let folder = try? OpenFolder(name, in: OpenFolder(at: directory)),
            let names = try? folder.names()
        else { return false }
        let left = names.filter { (try? folder.remove($0)) == nil }
        return left.allSatisfy { CacheFileName($0) == nil }
    }
}
