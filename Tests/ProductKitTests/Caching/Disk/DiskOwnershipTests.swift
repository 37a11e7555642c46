import Foundation
import ProductKit
import Testing

/// Links, and files and folders of other users, in a directory where others may create names.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskOwnershipTests {
    private let digits = String(repeating: "0123456789abcdef", count: 2)

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `a file of another user is not used`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            try OtherUser.give(disk.file())

            let client = disk.launch()

            #expect(await client.sendsRequest(policy: .cacheFirst))
            #expect(client.cache.statistics.diskFailureCount == 1)
            try await client.store("new")
            #expect(try await disk.launch().send(policy: .cacheOnly).text == "new")
        }
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `a file of another user is not changed by an invalidation`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store()
            let file = try disk.file()
            let copy = disk.directory.appending(path: "theirs")
            try FileManager.default.linkItem(at: file, to: copy)
            try OtherUser.give(file)
            let bytes = try Data(contentsOf: copy)

            client.cache.invalidate(.shop("products/boots"), partition: "")

            #expect(try Data(contentsOf: copy) == bytes)
            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `a folder of another user in place of the cache's is neither used nor moved`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            let file = try disk.file()
            try OtherUser.give(disk.folder)

            let client = disk.launch(byteLimit: 0)
            #expect(await client.sendsRequest(policy: .cacheFirst))
            try await client.store("new")
            client.cache.removeAll()
            disk.flush()

            #expect(disk.directoryNames == [disk.folder.lastPathComponent])
            #expect(disk.names == [file.lastPathComponent])
            #expect(client.cache.statistics.diskFailureCount > 0)
        }
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(
        .enabled(if: OtherUser.isPermitted),
        arguments: ["1", "2-0123456789abcdef0123456789abcdef.gone"]
    )
    func `nothing is moved out of a planted folder, nor deleted from it`(
        version: String
    ) async throws {
        try await TemporaryDisk.with { disk in
            let planted = disk.directory.appending(path: "ProductKit-cache-\(version)")
            let names = [".bashrc", "\(digits).entry", "\(digits).former"]
            try planted.makeFolder()
            for name in names { try Data("theirs".utf8).write(to: planted.appending(path: name)) }
            try OtherUser.give(planted)

            let client = disk.launch()
            try await client.store()
            client.cache.removeAll()
            disk.flush()

            #expect(disk.directoryNames == [planted.lastPathComponent])
            let left = try FileManager.default.contentsOfDirectory(atPath: planted.filePath)
            #expect(left.sorted() == names)
        }
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test func `planted links are not followed when all responses are removed`() async throws {
        try await TemporaryDisk.with { disk in
            let home = disk.directory.appending(path: "home")
            try home.makeFolder()
            let names = [".bashrc", "\(digits).entry", "\(digits).former"]
            for name in names { try Data("mine".utf8).write(to: home.appending(path: name)) }
            let links = [
                "ProductKit-cache-2", "ProductKit-cache-1", "ProductKit-cache-2-\(digits).gone",
            ]
            for link in links {
                try FileManager.default.createSymbolicLink(
                    at: disk.directory.appending(path: link),
                    withDestinationURL: home
                )
            }

            let client = disk.launch()
            client.cache.removeAll()
            try await client.store()
            client.cache.removeAll()
            disk.flush()

            #expect(disk.directoryNames == [links[1], links[2], "home"])
            for name in names {
                #expect(try Data(contentsOf: home.appending(path: name)) == Data("mine".utf8))
            }
        }
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test func `a file that is moved back replaces no other file`() async throws {
        try await TemporaryDisk.with { disk in
            let old = disk.directory.appending(path: "ProductKit-cache-2-\(digits).gone")
            try old.makeFolder()
            try disk.folder.makeFolder()
            for name in ["notes", "letter"] {
                try Data("old".utf8).write(to: old.appending(path: name))
            }
            try Data("new".utf8).write(to: disk.folder.appending(path: "notes"))

            _ = await disk.launch().sendsRequest()

            #expect(disk.names == ["letter", "notes"])
            let notes = try Data(contentsOf: disk.folder.appending(path: "notes"))
            #expect(notes == Data("new".utf8))
            #expect(FileManager.default.fileExists(atPath: old.appending(path: "notes").filePath))
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a link below a folder in place of a file is removed, and its target is left`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            let file = try disk.file()
            let target = disk.directory.appending(path: "elsewhere")
            try FileManager.default.removeItem(at: file)
            try target.makeFolder()
            try Data("mine".utf8).write(to: target.appending(path: "notes"))
            try file.appending(path: "more").makeFolder()
            try FileManager.default.createSymbolicLink(
                at: file.appending(path: "more/link"),
                withDestinationURL: target
            )

            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

            #expect(disk.names.isEmpty)
            let notes = try Data(contentsOf: target.appending(path: "notes"))
            #expect(notes == Data("mine".utf8))
        }
    }
}
