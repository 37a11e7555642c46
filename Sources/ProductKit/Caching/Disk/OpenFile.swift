#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file or folder that is open, and closed when the last one lets go of it.
final class OpenFile: Sendable {
    /// The system's number for it.
    let descriptor: Int32

    init(_ open: () -> Int32) throws(SystemFailure) {
        descriptor = try SystemFailure.unlessDone(open)
    }

    deinit {
        close(descriptor)
    }

    /// What the system knows of it.
    func status() throws(SystemFailure) -> stat {
        var status = stat()
        try SystemFailure.unlessDone { fstat(descriptor, &status) }
        return status
    }

    /// Fills memory from the start of the file; `false` when the file is shorter.
    func read(into memory: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Bool {
        var rest = memory[...]
        while !rest.isEmpty {
            let place = UnsafeMutableRawBufferPointer(rebasing: rest)
            let count = try SystemFailure.unlessDone {
                pread(descriptor, place.baseAddress, place.count, off_t(rest.startIndex))
            }
            if count == 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes memory to a place in the file.
    func write(_ memory: UnsafeRawBufferPointer, at offset: Int = 0) throws(SystemFailure) {
        var rest = memory[...]
        while !rest.isEmpty {
            let place = UnsafeRawBufferPointer(rebasing: rest)
            let count = try SystemFailure.unlessDone {
                pwrite(descriptor, place.baseAddress, place.count, off_t(offset + rest.startIndex))
            }
            rest = rest.dropFirst(count)
        }
    }
}

extension stat {
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }

    /// How many bytes it has.
    var size: Int { Int(st_size) }

    /// When it was last changed, in whole seconds since 1970.
    var changedAt: Int {
        #if canImport(Darwin)
        st_mtimespec.tv_sec
        #else
        st_mtim.tv_sec
        #endif
    }
}

/// What the system said when it would not do something with a file.
struct SystemFailure: Error, Hashable {
    /// The system's number, such as `ENOSPC`.
    let number: Int32

    /// Does something, and throws when its result is negative.
    @discardableResult
    static func unlessDone<Result: SignedInteger>(
        _ body: () -> Result
    ) throws(SystemFailure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw SystemFailure(number: number) }
        }
    }
}

extension SystemFailure {
    /// Whether there was nothing of that name.
    var isMissing: Bool { number == ENOENT }
}
