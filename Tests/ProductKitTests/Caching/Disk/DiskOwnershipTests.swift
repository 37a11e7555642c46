import Foundation
import ProductKit
import Testing

/// Links, and files and folders of other users, in a directory where others may create names.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskOwnershipTests {
    private let disk = TemporaryDisk()
    private static let digits = String(repeating: "0123456789abcdef", count: 2)
    private let gone = "ProductKit-cache-2-\(UUID().uuidString)"
    private let names = [".bashrc", "\(Self.digits).entry"]

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `a file of another user is not used`() async throws {
        try await disk.launch().store()
        try OtherUser.give(disk.file())

        let client = disk.launch()

        #expect(await client.sendsRequest(policy: .cacheFirst))
        #expect(client.cache.statistics.diskFailureCount == 1)
        try await client.store("new")
        #expect(try await disk.launch().send(policy: .cacheOnly).text == "new")
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `a file of another user is not changed by an invalidation`() async throws {
        let client = disk.launch()
        try await client.store()
        let file = try disk.file()
        let copy = disk.directory.appending(path: "theirs")
        try FileManager.default.linkItem(at: file, to: copy)
        try OtherUser.give(file)
        let bytes = try Data(contentsOf: copy)

        client.cache.make(.invalidated)

        #expect(try Data(contentsOf: copy) == bytes)
        #expect(disk.names.isEmpty)
    }

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `a folder of another user in place of the cache's is neither used nor moved`()
        async throws
    {
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

    // Rule: cache/files-of-others-are-ignored (68)
    @Test(.enabled(if: OtherUser.isPermitted))
    func `nothing is deleted from a planted folder`() async throws {
        let planted = try disk.makeFolder(gone, with: names, text: "theirs")
        try OtherUser.give(planted)

        let client = disk.launch()
        try await client.store()
        client.cache.removeAll()
        disk.flush()

        #expect(disk.directoryNames == [gone])
        #expect(TemporaryDisk.names(in: planted) == names)
    }

    // Rule: cache/files-of-others-are-ignored (68); cache/damaged-file-is-removed (53)
    @Test func `planted links are not followed when all responses are removed`() async throws {
        let home = try disk.makeFolder("home", with: names)
        for link in ["ProductKit-cache-2", gone] {
            try FileManager.default.createSymbolicLink(
                at: disk.directory.appending(path: link),
                withDestinationURL: home
            )
        }

        let client = disk.launch()
        client.cache.removeAll()
        try await client.store()
        #expect(try disk.file().lastPathComponent != names[1])
        client.cache.removeAll()
        disk.flush()

        #expect(disk.directoryNames == ["home"])
        for name in names { #expect(try home.appending(path: name).text == "mine") }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a link below a folder in place of a file is removed, and its target is left`()
        async throws
    {
        try await disk.launch().store()
        let file = try disk.file()
        let target = try disk.makeFolder("elsewhere", with: ["notes"])
        try FileManager.default.removeItem(at: file)
        try file.appending(path: "more").makeFolder()
        try FileManager.default.createSymbolicLink(
            at: file.appending(path: "more/link"),
            withDestinationURL: target
        )

        #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

        #expect(disk.names.isEmpty)
        #expect(try target.appending(path: "notes").text == "mine")
    }
}
