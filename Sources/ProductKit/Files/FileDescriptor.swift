import Foundation

/// An open file or folder, which is closed when the last reference to it is released.
final class FileDescriptor: Sendable {
    /// The system's number of the open file.
    let number: Int32

    /// Opens a file with a call such as `openat`.
    init(_ open: () -> Int32) throws(POSIXError) {
        number = try systemCall(open)
    }

    deinit {
        close(number)
    }

    /// Returns the type, size and dates.
    func status() throws(POSIXError) -> stat {
        var status = stat()
        try systemCall { fstat(number, &status) }
        return status
    }

    /// Whether a path leads to this file; `false` if it leads to another one or none.
    ///
    /// If the path cannot be examined, the file counts as unmoved.
    func isFile(at path: String) throws(POSIXError) -> Bool {
        var found = stat()
        guard lstat(path, &found) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return try status().isSameFile(as: found)
    }

    /// Fills a buffer from an offset in the file; `false` if the file is shorter.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int = 0
    ) throws(POSIXError) -> Bool {
        var rest = buffer[...]
        while !rest.isEmpty {
            let target = UnsafeMutableRawBufferPointer(rebasing: rest)
            let count = try systemCall {
                pread(number, target.baseAddress, target.count, off_t(offset + rest.startIndex))
            }
            if count == 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether the file contains these bytes at an offset.
    func hasBytes(_ bytes: Data, at offset: Int) throws(POSIXError) -> Bool {
        var found = Data(count: bytes.count)
        let isComplete = try found.withUnsafeMutableBytes { buffer in
            Result { () throws(POSIXError) in try read(into: buffer, at: offset) }
        }.get()
        return isComplete && found == bytes
    }

    /// Writes bytes at an offset in the file.
    func write(_ bytes: Data, at offset: Int) throws(POSIXError) {
        var written = 0
        while written < bytes.count {
            let count = try systemCall {
                bytes.dropFirst(written).withUnsafeBytes { rest in
                    pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
                }
            }
            written += count
        }
    }

    /// Changes the size, usually to a smaller one.
    func truncate(to byteCount: Int) throws(POSIXError) {
        try systemCall { ftruncate(number, off_t(byteCount)) }
    }

    /// Waits until the content and the size of an open file, or the names in a folder, survive a loss
    /// of power.
    static func sync(_ number: Int32) throws(POSIXError) {
        #if canImport(Darwin)
        // `fsync` leaves the content in the cache of the disk. Some file systems know nothing else.
        if fcntl(number, F_FULLFSYNC) == 0 { return }
        try systemCall { fsync(number) }
        #else
        try systemCall { fdatasync(number) }
        #endif
    }

    /// Locks the file until it is closed, for all other descriptors, also of this process.
    ///
    /// - Throws: `EWOULDBLOCK` if it is locked already.
    func lock() throws(POSIXError) {
        try systemCall { flock(number, LOCK_EX | LOCK_NB) }
    }

    /// Unlocks the file.
    ///
    /// Closing is not enough: a child process that has been forked and has not called `exec` yet has
    /// the same open file, and holds the lock for some milliseconds.
    func unlock() {
        flock(number, LOCK_UN)
    }
}

extension stat {
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    /// Whether the file belongs to the user of the process.
    var isOwned: Bool { st_uid == geteuid() }
    var byteCount: Int { Int(clamping: st_size) }

    /// Whether both describe one file, whatever its names are.
    func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }

    /// The size of the blocks that the file takes on the disk.
    ///
    /// Some file systems allocate the blocks later than the file is written. Until then, the size
    /// of the content counts.
    var allocatedByteCount: Int { max(Int(clamping: Int64(st_blocks) * 512), byteCount) }

    /// The date of the last modification.
    var modification: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }

    /// The modification date in whole seconds since 1970.
    ///
    /// It is 0 if the date is more than an hour ahead, because the clock was wrong then.
    var modifiedAt: Int {
        let seconds = modification.tv_sec
        return seconds > time(nil) + 3_600 ? 0 : seconds
    }
}

/// Makes a system call, and repeats it while signals interrupt it.
///
/// - Parameter call: A call that returns a negative number and sets `errno` when it fails.
/// - Returns: The result of the call.
/// - Throws: The error for `errno`; `.EIO` for a number that has no `POSIXError.Code`.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(POSIXError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = POSIXError.Code(rawValue: errno) ?? .EIO
        if code != .EINTR { throw POSIXError(code) }
    }
}
