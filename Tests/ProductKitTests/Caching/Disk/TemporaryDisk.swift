import Foundation
import ProductKit
import Synchronization
import Testing

/// A temporary directory, and the caches that store responses in it.
///
/// The directory is deleted together with this object, which is why a suite holds it.
final class TemporaryDisk: Sendable {
    /// The directory that is passed to each cache; the first write creates it.
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "ProductKitTests-\(UUID().uuidString)")
    private let caches = Mutex<[ResponseCache]>([])

    deinit {
        // A pending write would create the directory again.
        flush()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs a test with a temporary disk.
    static func with(_ body: (TemporaryDisk) async throws -> Void) async throws {
        try await body(TemporaryDisk())
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

    /// Creates a folder in the directory, with files that contain a text.
    func makeFolder(_ name: String, with files: [String], text: String = "mine") throws -> URL {
        let folder = directory.appending(path: name)
        try folder.makeFolder()
        for file in files { try folder.appending(path: file).write(text) }
        return folder
    }

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

    /// The names in a folder, sorted.
    static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.filePath)) ?? []).sorted()
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
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions],
            ofItemAtPath: filePath
        )
    }

    /// Sets the modification date of the file.
    func setDate(_ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: filePath)
    }

    /// The text of the file.
    var text: String {
        get throws { try String(contentsOf: self, encoding: .utf8) }
    }

    /// Writes a text to the file.
    func write(_ text: String) throws { try Data(text.utf8).write(to: self) }

    /// Creates a folder, and its parents if needed.
    func makeFolder() throws {
        try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
    }
}
