import Foundation
import ProductKit
import Testing

// Rule: cache/disk-failure-is-counted (55)
/// Every request succeeds, although the disk is full or cannot be used.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CacheFullDiskTests {
    // Rule: cache/disk-failure-is-counted (55)
    @Test(.enabled(if: SmallDisk.isPermitted))
    func `a full disk fails no request and leaves no wrong or old response`() async throws {
        try await SmallDisk.withSmallDisk { disk in
            let names = (0..<40).map { "\($0)" }
            var stored: [Int: Int] = [:]
            for (version, size) in [(1, 9_000), (2, 20_000), (3, 5_000)] {
                let writing = CacheProbe(directory: disk, version: version, size: size)
                for name in names {
                    let result = try await writing.load(name, reload: true)
                    #expect(result.version == version)
                    writing.cache.flush()
                }
                let reading = CacheProbe(directory: disk, version: version)
                for name in names {
                    let result = try await reading.load(name)
                    #expect(result.version == version)
                    if result.source == .cache { stored[version, default: 0] += 1 }
                    reading.cache.flush()
                }
            }

            #expect((1..<40).contains(stored[1, default: 0]))
            #expect((1..<40).contains(stored[2, default: 0]))

            let cache = ResponseCache(directory: disk)
            cache.removeAll()
            cache.flush()
            #expect(FileManager.default.files(in: disk).isEmpty)
        }
    }

    // Rule: cache/read-only-disk-loses-changes (69)
    @Test(.enabled(if: SmallDisk.isPermitted), arguments: [true, false])
    func `changes are lost for the next process if the disk is read-only`(
        isOpen: Bool
    ) async throws {
        try await SmallDisk.withSmallDisk { disk, setReadOnly in
            let writing = CacheProbe(directory: disk, version: 1)
            _ = try await writing.load("name")
            writing.cache.flush()
            let probe = CacheProbe(directory: disk, version: 2)
            if isOpen { #expect(try await probe.load("name").source == .cache) }

            try setReadOnly(true)
            probe.cache.removeAll()
            #expect(try await probe.load("name").source == .network)
            #expect(try await probe.load("name").version == 2)
            probe.cache.flush()
            #expect(!probe.cache.contentsDescription().contains("disk failures: 0"))
            try setReadOnly(false)

            let next = try await CacheProbe(directory: disk, version: 3).load("name")
            #expect(next.source == .cache && next.version == 1)
        }
    }

    // Rule: cache/read-only-disk-loses-changes (69)
    @Test(.enabled(if: SmallDisk.isPermitted), arguments: [true, false])
    func `an invalidation is lost for the next process if the disk is read-only`(
        isOpen: Bool
    ) async throws {
        try await SmallDisk.withSmallDisk { disk, setReadOnly in
            let writing = CacheProbe(directory: disk, version: 1)
            _ = try await writing.load("name")
            writing.cache.flush()
            let probe = CacheProbe(directory: disk, version: 2)
            if isOpen { #expect(try await probe.load("name").source == .cache) }

            try setReadOnly(true)
            probe.invalidate("name")
            #expect(try await probe.load("name").version == 2)
            probe.cache.flush()
            #expect(!probe.cache.contentsDescription().contains("disk failures: 0"))
            try setReadOnly(false)

            let next = try await CacheProbe(directory: disk, version: 3).load("name")
            #expect(next.source == .cache && next.version == 1)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a file in place of the directory fails no request`() async throws {
        try await FileManager.default.withTemporaryDirectory { file in
            try Data("mine".utf8).write(to: file)
            try await expectResponses(in: file)
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test(arguments: ["/proc/cache", "/dev/null/cache"])
    func `a directory that cannot be created fails no request`(path: String) async throws {
        try await expectResponses(in: URL(filePath: path))
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `only the owner has access to the folder and its files`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let probe = CacheProbe(directory: directory, version: 1)
            _ = try await probe.load("name")
            probe.cache.flush()

            let file = try #require(FileManager.default.files(in: directory).first)
            #expect(try permissions(of: file) == 0o600)
            #expect(try permissions(of: file.deletingLastPathComponent()) == 0o700)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a folder that was deleted is created again`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let probe = CacheProbe(directory: directory, version: 1)
            _ = try await probe.load("name")
            probe.cache.flush()
            try FileManager.default.removeItem(at: directory)
            _ = try await probe.load("other", reload: true)
            probe.cache.flush()

            let result = try await CacheProbe(directory: directory, version: 2).load("other")
            #expect(result.source == .cache)
            #expect(result.version == 1)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `other files in the directory are left alone`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let probe = CacheProbe(directory: directory, version: 1)
            _ = try await probe.load("name")
            probe.cache.flush()
            let other = directory.appending(path: "notes.txt")
            try Data("mine".utf8).write(to: other)

            let later = CacheProbe(directory: directory, version: 2)
            _ = try await later.load("name")
            later.cache.removeAll()
            later.cache.flush()

            #expect(try Data(contentsOf: other) == Data("mine".utf8))
            #expect(FileManager.default.files(in: directory).count == 1)
        }
    }

    private func permissions(of url: URL) throws -> Int? {
        let path = url.path(percentEncoded: false)
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func expectResponses(in directory: URL) async throws {
        let probe = CacheProbe(directory: directory, version: 1)
        for number in 0..<20 {
            #expect(try await probe.load("\(number % 5)").version == 1)
        }
        probe.cache.flush()
        probe.cache.removeAll()
        #expect(try await probe.load("0").version == 1)
    }
}
