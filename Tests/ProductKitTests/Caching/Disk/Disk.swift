import Foundation
import ProductKit
import Synchronization
import Testing

/// A directory, and the runs of a program that keeps answers in it.
final class Disk: Sendable {
    /// What a cache is given.
    let directory: URL
    private let caches = Mutex<[ResponseCache]>([])

    private init() {
        let name = "ProductKitTests-\(UUID().uuidString)"
        directory = FileManager.default.temporaryDirectory.appending(path: name)
    }

    /// Gives a disk that is gone afterwards.
    static func with(_ body: (Disk) async throws -> Void) async throws {
        let disk = Disk()
        defer {
            // What is written later would make the directory anew.
            disk.flush()
            try? FileManager.default.removeItem(at: disk.directory)
        }
        try await body(disk)
    }

    /// Begins a run, with nothing in memory and all of the runs before on the disk.
    ///
    /// With a `byteLimit` of 0 nothing is ever found in memory.
    func run(byteLimit: Int = 64 << 20, diskLimit: Int = 64 << 20) -> CachedClient {
        flush()
        let cache = ResponseCache(
            byteLimit: byteLimit,
            directory: directory,
            diskLimit: diskLimit
        )
        caches.withLock { $0.append(cache) }
        return CachedClient(cache: cache)
    }

    /// Waits until all is written.
    func flush() {
        for cache in caches.withLock(\.self) { cache.flush() }
    }

    /// Where the cache keeps its files.
    var folder: URL { directory.appending(path: "ProductKit-cache-2") }

    /// The names in the cache's folder, once all is written and deleted.
    var names: [String] {
        flush()
        return Self.names(in: folder)
    }

    /// The names of files in the cache's folder that a run would read, as they are at this moment.
    var readableNames: [String] {
        Self.names(in: folder).filter { $0.hasSuffix(".response") }
    }

    /// The names in the directory.
    var namesOutside: [String] { Self.names(in: directory) }

    /// The one file that there is.
    func file() throws -> URL {
        let names = names
        try #require(names.count == 1)
        return folder.appending(path: names[0])
    }

    /// The bytes of all files together.
    var byteCount: Int {
        names.reduce(0) { count, name in
            count + ((try? Data(contentsOf: folder.appending(path: name)).count) ?? 0)
        }
    }

    private static func names(in folder: URL) -> [String] {
        let path = folder.path(percentEncoded: false)
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

extension URL {
    /// Where it is on the disk.
    var filePath: String { path(percentEncoded: false) }

    /// Who may do what with the file.
    func permissions() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: filePath)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// Makes the file look as if it was changed at a moment.
    func setDate(_ date: Date) throws {
        let attributes: [FileAttributeKey: Any] = [.modificationDate: date]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: filePath)
    }

    /// Makes a folder here.
    func makeFolder() throws {
        try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
    }
}
