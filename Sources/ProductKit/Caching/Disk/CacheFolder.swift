import Foundation

/// The cache's folder, held open, and the system calls for its files.
final class CacheFolder: Sendable {
    /// Whether the folder was created when it was opened, and is therefore empty.
    let isNew: Bool
    private let folder: OpenFolder

    private static let name = "ProductKit-cache-2"
    /// The name of the folder in an earlier version of the library, which used other file names.
    private static let formerName = "ProductKit-cache-1"

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
        isNew = (try? parent.makeFolder(Self.name)) != nil
        folder = try OpenFolder(Self.name, in: parent)
        try folder.restrictToOwner()
        OpenFolder.protect(directory.appending(path: Self.name))
    }

    /// Returns the names of all files, in no particular order.
    func names() throws(POSIXError) -> [String] {
        try folder.names()
    }

    /// Returns the type, size and dates of a file; of a link, not of its target.
    func status(of name: String) throws(POSIXError) -> stat {
        try folder.status(of: name)
    }

    /// Opens a file for reading, without following links or waiting for pipes.
    func openFile(_ name: CacheFileName) throws(POSIXError) -> FileDescriptor {
        try folder.openFile(name.text, O_RDONLY | O_NONBLOCK)
    }

    /// Removes a file, a link but not its target, or a folder with its contents.
    ///
    /// Does nothing if there is none with this name.
    func remove(_ name: String) throws(POSIXError) {
        try folder.remove(name)
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
            let isRegular = (try? status(of: name.text))?.isRegular ?? true
            return error.code == .EACCES || !isRegular ? .damaged : .failed
        }
    }

    /// Deletes temporary files, which an earlier process may have left.
    func deleteTemporaryFiles() {
        for name in (try? names()) ?? [] where CacheFileName.isTemporary(name) { try? remove(name) }
    }

    /// A file that ``replace(_:with:)`` makes an entry.
    struct TemporaryFile {
        let name: String
        /// The size that it takes on the disk.
        let allocatedByteCount: Int
    }

    /// Writes a temporary file that only its owner can read.
    func writeTemporary(_ data: Data) throws(POSIXError) -> TemporaryFile {
        let name = CacheFileName.temporary()
        let file = try folder.openFile(name, O_WRONLY | O_CREAT | O_EXCL)
        do throws(POSIXError) {
            try file.write(data, at: 0)
            let size = try file.status().allocatedByteCount
            return TemporaryFile(name: name, allocatedByteCount: size)
        } catch {
            try? remove(name)
            throw error
        }
    }

    /// Renames a temporary file to an entry, which atomically replaces the previous entry.
    func replace(_ name: CacheFileName, with temporary: TemporaryFile) throws(POSIXError) {
        do {
            try folder.move(temporary.name, to: name.text)
        } catch  where error.code == .EISDIR {
            try remove(name.text)
            try folder.move(temporary.name, to: name.text)
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
            try folder.move(name.text, to: temporary)
            return temporary
        } catch {
            if error.code != .ENOENT { try remove(name.text) }
            return nil
        }
    }

    /// Marks an entry as invalidated, in place, if it belongs to a partition.
    ///
    /// The modification date stays, because it is the order of use for the next process.
    func invalidate(_ name: CacheFileName, ofPartition partition: String) throws(POSIXError) {
        let file = try folder.openFile(name.text, O_RDWR | O_NONBLOCK)
        let status = try file.status()
        guard status.isRegular, status.isOwned else { throw POSIXError(.EINVAL) }
        let start = CacheFile.start(ofPartition: partition)
        guard try file.hasBytes(start, at: CacheFile.contentOffset) else { return }
        let mark = withUnsafeBytes(of: CacheFile.Mark.invalidated.rawValue.littleEndian) {
            Data($0)
        }
        guard try !file.hasBytes(mark, at: CacheFile.markOffset) else { return }
        try file.write(mark, at: CacheFile.markOffset)
        var dates = status.dates
        futimens(file.number, &dates)
    }
}

/// Clears the cache. This does not require an open folder, because opening it may have failed.
extension CacheFolder {
    /// Renames the folder in a directory, so that the cache is empty before its files are deleted.
    ///
    /// It stays empty after a loss of power, if the file system permits that. Throws if the folder belongs to
    /// another user.
    ///
    /// - Returns: `false` if there is no folder.
    @discardableResult
    static func moveAside(in directory: URL) throws(POSIXError) -> Bool {
        do {
            let parent = try OpenFolder(at: directory)
            // A link or a file in its place contains no entries. Opening removes it.
            guard try parent.status(of: name).isFolder else { return false }
            _ = try OpenFolder(name, in: parent)
            try parent.move(name, to: CacheFileName.movedAside(folder: name))
            try? parent.sync(with: FileDescriptor.sync)
            return true
        } catch  where error.code == .ENOENT {
            return false
        }
    }

    /// Deletes the folders that were moved aside, by this process or by another one, and the folder
    /// of an earlier version.
    ///
    /// Links and folders of other users are left alone. Files that do not belong to the cache are
    /// moved from a folder that was moved aside to the cache's folder, unless it has files with
    /// their names. Other such files stay where they are.
    static func deleteOldFolders(in directory: URL) {
        guard let parent = try? OpenFolder(at: directory), let names = try? parent.names() else {
            return
        }
        for name in names {
            let isFormer = name == formerName
            guard isFormer || CacheFileName.isMovedAside(name, folder: Self.name),
                let folder = try? OpenFolder(name, in: parent)
            else { continue }
            if isFormer {
                removeFormerEntries(of: folder)
            } else {
                removeEntries(of: folder, movingOtherFilesTo: directory)
            }
            try? parent.removeEmptyFolder(name)
        }
    }

    /// Removes the entries of the folder of an earlier version.
    private static func removeFormerEntries(of folder: OpenFolder) {
        for name in (try? folder.names()) ?? [] where CacheFileName.isFormer(name) {
            try? folder.removeFile(name)
        }
    }

    /// Removes the entries of a folder that was moved aside, and moves other files back.
    private static func removeEntries(of old: OpenFolder, movingOtherFilesTo directory: URL) {
        for name in (try? old.names()) ?? [] {
            if CacheFileName(name) != nil || CacheFileName.isTemporary(name) {
                try? old.remove(name)
            } else if let current = try? CacheFolder(in: directory).folder,
                (try? current.status(of: name)) == nil
            {
                try? old.move(name, to: name, in: current)
            }
        }
    }

    /// Removes all entries one by one, for a folder that cannot be moved aside.
    ///
    /// - Returns: Whether no entry is left.
    static func removeEntries(in directory: URL) -> Bool {
        guard let parent = try? OpenFolder(at: directory),
            let folder = try? OpenFolder(name, in: parent), let names = try? folder.names()
        else { return false }
        return names.lazy.filter { CacheFileName($0) != nil }
            .allSatisfy { (try? folder.remove($0)) != nil }
    }
}
