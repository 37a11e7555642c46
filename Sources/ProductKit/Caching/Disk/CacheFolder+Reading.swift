import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

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
            guard status.isRegular, (CacheFile.contentOffset...limit).contains(size) else {
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
