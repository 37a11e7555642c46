import Foundation

/// An open folder, and the system calls for the files in it.
///
/// All calls are relative to the open folder, and do not follow links. So a name stands for the
/// same file after the folder is moved or another one takes its place.
final class OpenFolder: Sendable {
    private let descriptor: FileDescriptor

    /// Opens the folder at a URL, which may lead through links.
    init(at url: URL) throws(POSIXError) {
        let path = url.path(percentEncoded: false)
        descriptor = try FileDescriptor { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    /// Opens a folder in another one.
    ///
    /// Throws if it is a link, or if it belongs to another user.
    init(_ name: String, in parent: OpenFolder) throws(POSIXError) {
        descriptor = try parent.openFile(name, O_RDONLY | O_DIRECTORY)
        guard try descriptor.status().isOwned else { throw POSIXError(.EACCES) }
    }

    /// Opens a file; a new one can be read and written only by its owner.
    func openFile(_ name: String, _ flags: Int32) throws(POSIXError) -> FileDescriptor {
        try FileDescriptor {
            openat(descriptor.number, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
    }

    /// Creates a folder that only its owner can use.
    func makeFolder(_ name: String) throws(POSIXError) {
        try systemCall { mkdirat(descriptor.number, name, 0o700) }
    }

    /// Excludes other users, and throws if files cannot be added to the folder and removed from it.
    func restrictToOwner() throws(POSIXError) {
        if try descriptor.status().st_mode & 0o777 != 0o700 {
            try systemCall { fchmod(descriptor.number, 0o700) }
        }
        try systemCall { faccessat(descriptor.number, ".", W_OK | X_OK, 0) }
    }

    /// Waits until the names of the files survive a loss of power.
    ///
    /// Does nothing on file systems that have no such operation for folders.
    func sync(with sync: (Int32) throws(POSIXError) -> Void) throws(POSIXError) {
        do throws(POSIXError) {
            try sync(descriptor.number)
        } catch {
            if error.code != .EINVAL { throw error }
        }
    }

    /// Excludes a folder from backups, and makes its files unreadable until the device has been
    /// unlocked once after it started.
    ///
    /// Both exist on Apple platforms only. A restored backup would contain old responses, and changes that
    /// would be sent again.
    static func protect(_ url: URL) {
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

    /// Returns the type, size and dates of a file; of a link, not of its target.
    func status(of name: String) throws(POSIXError) -> stat {
        var status = stat()
        try systemCall { fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) }
        return status
    }

    /// Returns the names of all files, in no particular order.
    func names() throws(POSIXError) -> [String] {
        // Opened again, because reading a folder moves the position in it.
        let copy = try systemCall {
            openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard let stream = fdopendir(copy), let offset = MemoryLayout.offset(of: \dirent.d_name)
        else {
            close(copy)
            throw POSIXError(.EIO)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = UnsafeRawPointer(entry) + offset
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        if errno != 0 { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
        return names.filter { $0 != "." && $0 != ".." }
    }

    /// Renames a file.
    func move(_ name: String, to newName: String) throws(POSIXError) {
        try systemCall { renameat(descriptor.number, name, descriptor.number, newName) }
    }

    /// Removes a file, or a link but not its target; throws for a folder.
    func removeFile(_ name: String) throws(POSIXError) {
        try systemCall { unlinkat(descriptor.number, name, 0) }
    }

    /// Removes a file, a link but not its target, or a folder with its contents.
    ///
    /// Does nothing if there is none with this name.
    func remove(_ name: String) throws(POSIXError) {
        do {
            try removeFile(name)
        } catch {
            if error.code == .ENOENT { return }
            guard let status = try? status(of: name), status.isFolder else { throw error }
            let folder = try OpenFolder(name, in: self)
            // A file that cannot be removed does not keep the others, but the folder.
            var failure: POSIXError?
            for name in try folder.names() {
                do { try folder.remove(name) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
            try systemCall { unlinkat(descriptor.number, name, AT_REMOVEDIR) }
        }
    }
}
