import Foundation
import ProductKit
import Synchronization
import Testing

/// A temporary directory, and the caches that store responses in it.
final class TemporaryDisk: Sendable {
    /// The directory that is passed to each cache.
    let directory: URL
    private let caches = Mutex<[ResponseCache]>([])

    private init() {
        let name = "ProductKitTests-\(UUID().uuidString)"
        directory = FileManager.default.temporaryDirectory.appending(path: name)
    }

    /// Runs a test with a temporary disk, and deletes its directory afterwards.
    static func with(_ body: (TemporaryDisk) async throws -> Void) async throws {
        let disk = TemporaryDisk()
        defer {
            // A pending write would create the directory again.
            disk.flush()
            try? FileManager.default.removeItem(at: disk.directory)
        }
        try await body(disk)
    }

    /// Simulates a launch of the app: creates a cache whose memory is empty, on the same directory.
    ///
    /// With a `byteLimit` of 0 the cache stores nothing in memory.
    func launch(
        byteLimit: Int = 64 << 20,
        diskLimit: Int = 64 << 20,
        diskEntryLimit: Int = 4_096
    ) -> CachedClient {
        flush()
        let cache = ResponseCache(
            byteLimit: byteLimit,
            directory: directory,
            diskLimit: diskLimit,
            diskEntryLimit: diskEntryLimit
        )
        caches.withLock { $0.append(cache) }
        return CachedClient(cache: cache)
    }

    /// Waits for the pending writes of all caches.
    func flush() {
        for cache in caches.withLock(\.self) { cache.flush() }
    }

    /// The cache's folder.
    var folder: URL { directory.appending(path: "ProductKit-cache-2") }

    /// The names in the cache's folder, after waiting for all pending writes.
    var names: [String] {
        flush()
        return Self.names(in: folder)
    }

    /// The names of all entries at this moment, without waiting.
    var entryNames: [String] {
        Self.names(in: folder).filter { $0.hasSuffix(".entry") }
    }

    /// The names in the directory.
    var directoryNames: [String] { Self.names(in: directory) }

    /// Returns the only file in the cache's folder.
    func file() throws -> URL {
        let names = names
        try #require(names.count == 1)
        return folder.appending(path: names[0])
    }

    /// The size of the blocks that all files in the cache's folder take.
    var byteCount: Int {
        names.reduce(0) { count, name in
            var status = stat()
            guard lstat(folder.appending(path: name).filePath, &status) == 0 else { return count }
            return count + Int(status.st_blocks) * 512
        }
    }

    private static func names(in folder: URL) -> [String] {
        let path = folder.path(percentEncoded: false)
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

/// Other users of the computer.
enum OtherUser {
    /// Whether this process may give files to another user, as that of an administrator may.
    static let isPermitted: Bool = {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        return (try? Data().write(to: file)) != nil && (try? give(file)) != nil
    }()

    /// Makes another user the owner of a file; of a link, not of its target.
    static func give(_ file: URL) throws {
        guard lchown(file.filePath, 12_345, 12_345) == 0 else { throw POSIXError(.EPERM) }
    }
}

extension URL {
    /// The path in the file system.
    var filePath: String { path(percentEncoded: false) }

    /// Returns the POSIX permissions of the file.
    func permissions() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: filePath)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// Sets the POSIX permissions of the file.
    func setPermissions(_ permissions: Int) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: permissions]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: filePath)
    }

    /// Sets the modification date of the file.
    func setDate(_ date: Date) throws {
        let attributes: [FileAttributeKey: Any] = [.modificationDate: date]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: filePath)
    }

    /// Creates a folder, and its parents if needed.
    func makeFolder() throws {
        try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
    }
}
