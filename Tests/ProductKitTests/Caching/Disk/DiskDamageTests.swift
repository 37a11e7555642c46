import Foundation
import ProductKit
import Testing

/// Whatever a file is but what was written is no answer, and is removed.
@Suite(.timeLimit(.minutes(5))) struct DiskDamageTests {
    // Rule: cache/damaged-file-is-removed (53)
    @Test func `with any byte flipped, a file is no answer and is removed`() async throws {
        try await withStoredFile { disk, file in
            let sound = try Data(contentsOf: file)

            for place in sound.indices {
                var flipped = sound
                flipped[place] ^= 1 << UInt8(place % 8)
                try flipped.write(to: file)
                let run = disk.run()
                let asks = await run.sendsRequest(policy: .cacheFirst)
                try #require(asks && disk.names.isEmpty, "byte \(place)")
                #expect(run.cache.statistics.diskFailureCount == 1)
            }
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a file that is shorter or longer is no answer and is removed`() async throws {
        try await withStoredFile { disk, file in
            let sound = try Data(contentsOf: file)
            let shorter = (0..<sound.count).map { sound.prefix($0) }
            let longer = [sound + Data([0]), sound + Data(count: 8), sound + sound]

            for bytes in shorter + longer {
                try bytes.write(to: file)
                let asks = await disk.run().sendsRequest(policy: .cacheFirst)
                try #require(asks && disk.names.isEmpty, "\(bytes.count) bytes")
            }
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `the sound file is an answer again`() async throws {
        try await withStoredFile { disk, file in
            let sound = try Data(contentsOf: file)
            try Data().write(to: file)
            #expect(await disk.run().sendsRequest(policy: .cacheFirst))

            try sound.write(to: file)

            #expect(try await disk.run().send().text == "boots")
            #expect(disk.names.count == 1)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: ["products/boots?size=42", "products/hat"])
    func `another address's file is no answer and is removed`(path: String) async throws {
        try await withStoredFile { disk, file in
            let shop = disk.run()
            try await shop.store("other", path)
            disk.flush()
            let other = try #require(disk.names.first { $0 != file.lastPathComponent })
            try Data(contentsOf: disk.folder.appending(path: other)).write(to: file)

            #expect(await disk.run().sendsRequest(policy: .cacheFirst))

            #expect(disk.names == [other])
            #expect(await !disk.run().sendsRequest(path))
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `another user's file is no answer and is removed`() async throws {
        try await withStoredFile { disk, file in
            let shop = disk.run()
            shop.partition = "bert"
            try await shop.store("his")
            disk.flush()
            let other = try #require(disk.names.first { $0 != file.lastPathComponent })
            try Data(contentsOf: disk.folder.appending(path: other)).write(to: file)

            #expect(await disk.run().sendsRequest(policy: .cacheFirst))

            #expect(disk.names == [other])
        }
    }

    // Rule: cache/damaged-file-is-removed (53); security/bad-file-is-not-used (30)
    @Test func `a newer version is no answer and is removed`() async throws {
        try await withStoredFile { disk, file in
            var bytes = try Data(contentsOf: file)
            bytes[7] += 1
            try bytes.write(to: file)

            #expect(await disk.run().sendsRequest(policy: .cacheFirst))

            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a link is no answer and is removed, not what it leads to`() async throws {
        try await withStoredFile { disk, file in
            let target = disk.directory.appending(path: "elsewhere")
            for change in ["read", "written", "made old", "removed"] {
                try? FileManager.default.moveItem(at: file, to: target)
                let bytes = try Data(contentsOf: target)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
                let shop = disk.run()

                switch change {
                case "read":
                    #expect(await shop.sendsRequest(policy: .cacheFirst))
                    #expect(disk.names.isEmpty)
                case "written":
                    try await shop.store("new")
                    #expect(try await disk.run().send().text == "new")
                    try FileManager.default.removeItem(at: file)
                case "made old":
                    shop.cache.invalidate(.shop("products/boots"))
                    #expect(disk.names.isEmpty)
                default:
                    shop.cache.remove(.shop("products/boots"))
                    disk.flush()
                    #expect(disk.names.isEmpty)
                }

                #expect(try Data(contentsOf: target) == bytes, "\(change)")
            }
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: [false, true])
    func `a folder in its place is removed, and costs no writing`(
        isFull: Bool
    ) async throws {
        try await withStoredFile { disk, file in
            func putFolder() throws {
                try FileManager.default.removeItem(at: file)
                try (isFull ? file.appending(path: "more") : file).makeFolder()
            }
            try putFolder()
            #expect(await disk.run().sendsRequest(policy: .cacheFirst))
            #expect(disk.names.isEmpty)
            let shop = disk.run()
            try await shop.store("new")
            disk.flush()

            // What is in memory is replaced without the file being read.
            try putFolder()
            try await shop.send(policy: .reload) { _ in
                .text("newer", headers: ["Cache-Control": "max-age=60"])
            }

            #expect(try await disk.run().send().text == "newer")
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `foreign names are neither read nor counted nor removed`() async throws {
        try await withStoredFile { disk, file in
            let digits = file.deletingPathExtension().lastPathComponent
            let names = [
                "notes", "abc.response", "\(digits.uppercased())A.response", "\(digits)0.response",
                "g\(digits.dropFirst()).response", "\(digits).responses",
            ]
            for name in names {
                let other = disk.folder.appending(path: name)
                try FileManager.default.copyItem(at: file, to: other)
            }

            let shop = disk.run(diskLimit: 4_000)
            #expect(await !shop.sendsRequest())
            try await shop.store("x", "x")
            disk.flush()

            #expect(shop.cache.entries().count == 2)
            #expect(disk.names.count == 2 + names.count)
            #expect(shop.cache.statistics.diskByteCount < 1_000)
            #expect(shop.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a damaged file is not listed`() async throws {
        try await withStoredFile { disk, file in
            try Data("damaged".utf8).write(to: file)

            #expect(disk.run().cache.entries().isEmpty)
        }
    }

    private func withStoredFile(_ body: (Disk, URL) async throws -> Void) async throws {
        try await Disk.with { disk in
            try await disk.run().store()
            try await body(disk, disk.file())
        }
    }
}
