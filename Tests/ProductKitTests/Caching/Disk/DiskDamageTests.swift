import Foundation
import ProductKit
import Testing

/// Files that differ from those that the cache has written.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskDamageTests {
    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a file with a flipped bit is removed`() async throws {
        try await withStoredFile { disk, file in
            let intact = try Data(contentsOf: file)

            for place in intact.indices {
                var flipped = intact
                flipped[place] ^= 1 << UInt8(place % 8)
                try flipped.write(to: file)
                let client = disk.launch()
                let sendsRequest = await client.sendsRequest(policy: .cacheFirst)
                try #require(sendsRequest && disk.names.isEmpty, "byte \(place)")
                #expect(client.cache.statistics.diskFailureCount == 1)
            }
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a file with missing or additional bytes is removed`() async throws {
        try await withStoredFile { disk, file in
            let intact = try Data(contentsOf: file)
            let shorter = (0..<intact.count).map { intact.prefix($0) }
            let longer = [intact + Data([0]), intact + Data(count: 8), intact + intact]

            for bytes in shorter + longer {
                try bytes.write(to: file)
                let sendsRequest = await disk.launch().sendsRequest(policy: .cacheFirst)
                try #require(sendsRequest && disk.names.isEmpty, "\(bytes.count) bytes")
            }
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `an intact file is used again after a damaged one was removed`() async throws {
        try await withStoredFile { disk, file in
            let intact = try Data(contentsOf: file)
            try Data().write(to: file)
            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

            try intact.write(to: file)

            #expect(try await disk.launch().send().text == "boots")
            #expect(disk.names.count == 1)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: ["products/boots?size=42", "products/hat"])
    func `the file of another URL is removed`(path: String) async throws {
        try await withStoredFile { disk, file in
            let client = disk.launch()
            try await client.store("other", path)
            disk.flush()
            let other = try #require(disk.names.first { $0 != file.lastPathComponent })
            try Data(contentsOf: disk.folder.appending(path: other)).write(to: file)

            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

            #expect(disk.names == [other])
            #expect(await !disk.launch().sendsRequest(path))
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `the file of another partition is removed`() async throws {
        try await withStoredFile { disk, file in
            let client = disk.launch()
            client.partition = "bert"
            try await client.store("his")
            disk.flush()
            let other = try #require(disk.names.first { $0 != file.lastPathComponent })
            try Data(contentsOf: disk.folder.appending(path: other)).write(to: file)

            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

            #expect(disk.names == [other])
        }
    }

    // Rule: cache/damaged-file-is-removed (53); security/bad-file-is-not-used (30)
    @Test func `a file in a newer format is removed`() async throws {
        try await withStoredFile { disk, file in
            var bytes = try Data(contentsOf: file)
            bytes[7] += 1
            try bytes.write(to: file)

            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a link is removed, and its target is unchanged`() async throws {
        try await withStoredFile { disk, file in
            let target = disk.directory.appending(path: "elsewhere")
            for change in ["read", "written", "invalidated", "removed"] {
                try? FileManager.default.moveItem(at: file, to: target)
                let bytes = try Data(contentsOf: target)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
                let client = disk.launch()

                switch change {
                case "read":
                    #expect(await client.sendsRequest(policy: .cacheFirst))
                    #expect(disk.names.isEmpty)
                case "written":
                    try await client.store("new")
                    #expect(try await disk.launch().send().text == "new")
                    try FileManager.default.removeItem(at: file)
                case "invalidated":
                    client.cache.invalidate(.shop("products/boots"), partition: "")
                    #expect(disk.names.isEmpty)
                default:
                    client.cache.remove(.shop("products/boots"), partition: "")
                    disk.flush()
                    #expect(disk.names.isEmpty)
                }

                #expect(try Data(contentsOf: target) == bytes, "\(change)")
            }
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: [false, true])
    func `a folder in place of a file is removed, and the next write succeeds`(
        isFull: Bool
    ) async throws {
        try await withStoredFile { disk, file in
            func putFolder() throws {
                try FileManager.default.removeItem(at: file)
                try (isFull ? file.appending(path: "more") : file).makeFolder()
            }
            try putFolder()
            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
            #expect(disk.names.isEmpty)
            let client = disk.launch()
            try await client.store("new")
            disk.flush()

            // This response is in memory, so the file is replaced without being read.
            try putFolder()
            try await client.send(policy: .reload) { _ in
                .text("newer", headers: ["Cache-Control": "max-age=60"])
            }

            #expect(try await disk.launch().send().text == "newer")
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `files with other names are not read, counted or removed`() async throws {
        try await withStoredFile { disk, file in
            let digits = file.deletingPathExtension().lastPathComponent
            let names = [
                "notes", "abc.entry", "\(digits.uppercased())A.entry", "\(digits)0.entry",
                "g\(digits.dropFirst()).entry", "\(digits).entries",
            ]
            for name in names {
                let other = disk.folder.appending(path: name)
                try FileManager.default.copyItem(at: file, to: other)
            }

            let client = disk.launch(diskLimit: 8_192)
            #expect(await !client.sendsRequest())
            try await client.store("x", "x")
            disk.flush()

            #expect(client.cache.summaries().count == 2)
            #expect(disk.names.count == 2 + names.count)
            #expect(client.cache.statistics.diskByteCount == 8_192)
            #expect(client.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a damaged file does not occur in entries`() async throws {
        try await withStoredFile { disk, file in
            try Data("damaged".utf8).write(to: file)

            #expect(disk.launch().cache.summaries().isEmpty)
        }
    }

    private func withStoredFile(_ body: (TemporaryDisk, URL) async throws -> Void) async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            try await body(disk, disk.file())
        }
    }
}
