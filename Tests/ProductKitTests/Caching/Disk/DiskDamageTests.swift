import Foundation
import ProductKit
import Testing

/// Files that differ from those that the cache has written, some with a correct checksum.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskDamageTests {
    private let disk = TemporaryDisk()

    // Rule: cache/damaged-file-is-removed (53); security/bad-file-is-not-used (30)
    @Test func `a file with a flipped bit is removed`() async throws {
        let file = try await storedFile()
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

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a file with missing or additional bytes is removed`() async throws {
        let file = try await storedFile()
        let intact = try Data(contentsOf: file)
        let shorter = (0..<intact.count).map { intact.prefix($0) }
        let longer = [intact + Data([0]), intact + Data(count: 8), intact + intact]

        for bytes in shorter + longer {
            try bytes.write(to: file)
            let sendsRequest = await disk.launch().sendsRequest(policy: .cacheFirst)
            try #require(sendsRequest && disk.names.isEmpty, "\(bytes.count) bytes")
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a damaged file is not listed`() async throws {
        try await storedFile().write("damaged")

        #expect(disk.launch().cache.summaries().isEmpty)
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: [
        ("products/boots?size=42", ""), ("products/hat", ""), ("products/boots", "bert"),
    ])
    func `the file of another URL or partition is removed`(
        path: String,
        partition: String
    ) async throws {
        let file = try await storedFile()
        let client = disk.launch()
        client.partition = partition
        try await client.store("other", path)
        let other = try #require(disk.names.first { $0 != file.lastPathComponent })
        try Data(contentsOf: disk.folder.appending(path: other)).write(to: file)

        #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

        #expect(disk.names == [other])
        let next = disk.launch()
        next.partition = partition
        #expect(await !next.sendsRequest(path))
    }

    /// What happens to an entry whose file is a link.
    enum Access: CaseIterable {
        case read, written, invalidated, removed
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: Access.allCases)
    func `a link is removed or replaced, and its target is unchanged`(access: Access) async throws {
        let file = try await storedFile()
        let target = disk.directory.appending(path: "elsewhere")
        try FileManager.default.moveItem(at: file, to: target)
        let bytes = try Data(contentsOf: target)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        let client = disk.launch()

        switch access {
        case .read: #expect(await client.sendsRequest(policy: .cacheFirst))
        case .written: try await client.store("new")
        case .invalidated: client.cache.make(.invalidated)
        case .removed: client.cache.make(.removed)
        }

        #expect(disk.names.isEmpty == (access != .written))
        let next = try? await disk.launch().send(policy: .cacheOnly)
        #expect(next?.text == (access == .written ? "new" : nil))
        #expect(try Data(contentsOf: target) == bytes)
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test(arguments: [false, true])
    func `a folder in place of a file is removed, and the next write succeeds`(
        isFull: Bool
    ) async throws {
        let file = try await storedFile()
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
        try await client.send(policy: .reload) { _ in .fresh("newer") }

        #expect(try await disk.launch().send().text == "newer")
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `files with other names are not read, counted or removed`() async throws {
        let file = try await storedFile()
        let digits = file.deletingPathExtension().lastPathComponent
        let names = [
            "notes", "abc.entry", "\(digits.uppercased())A.entry", "\(digits)0.entry",
            "g\(digits.dropFirst()).entry", "\(digits).entries",
        ]
        for name in names {
            try FileManager.default.copyItem(at: file, to: disk.folder.appending(path: name))
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

    @Test func `a forged file with a correct checksum is read`() async throws {
        let file = try await storedFile()
        let intact = try Data(contentsOf: file)
        let content = intact.dropFirst(Forgery.contentOffset).dropLast(5) + Data("shoes".utf8)
        try Forgery.file(like: intact, content: content).write(to: file)

        #expect(try await disk.launch().send(policy: .cacheFirst).text == "shoes")
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a forged file with bytes after the last response is removed`() async throws {
        let file = try await storedFile()
        let intact = try Data(contentsOf: file)
        let content = intact.dropFirst(Forgery.contentOffset) + Data(count: 3)
        try Forgery.file(like: intact, content: content).write(to: file)

        let client = disk.launch()

        #expect(await client.sendsRequest(policy: .cacheFirst))
        #expect(client.cache.statistics.diskFailureCount == 1)
    }

    // Rule: cache/forged-file-does-no-harm (54); security/bad-file-is-not-used (30)
    @Test func `forged lengths never exceed the bytes that are left`() async throws {
        let file = try await storedFile()
        let intact = try Data(contentsOf: file)
        var generator = SeededGenerator(seed: 53)
        for place in Forgery.contentOffset..<intact.count - 3 {
            var content = intact.dropFirst(Forgery.contentOffset)
            let number = intact[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            let numbers: [UInt32] = [
                number &+ 1, number &- 1, 0, 7, 1_000, 0x7FFF_FFFF, .max,
                .random(in: 0 ... .max, using: &generator),
            ]
            for number in numbers {
                content.replaceSubrange(place..<place + 4, with: Forgery.bytes(of: number))
                try Forgery.file(like: intact, content: content).write(to: file)

                let response = try await disk.launch().send(policy: .cacheFirst)

                #expect(response.statusCode == 599 || response.body.count < intact.count)
            }
        }
    }

    // Rule: cache/forged-file-does-no-harm (54); security/bad-file-is-not-used (30)
    @Test func `random content with a correct checksum is removed`() async throws {
        let file = try await storedFile()
        let intact = try Data(contentsOf: file)
        var generator = SeededGenerator(seed: 54)
        for _ in 0..<500 {
            let count = Int.random(in: 0...400, using: &generator)
            let content = (0..<count).map { _ in
                UInt8.random(in: 0 ... .max, using: &generator)
                    >> UInt8.random(in: 0...7, using: &generator)
            }
            try Forgery.file(like: intact, content: Data(content)).write(to: file)

            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
            #expect(disk.names.isEmpty)
        }
    }

    private func storedFile() async throws -> URL {
        try await disk.launch().store()
        return try disk.file()
    }
}

/// The file format: sixteen bytes of type and mark, eight bytes of checksum, and the content.
private enum Forgery {
    static let contentOffset = 24

    static func file(like intact: Data, content: Data) -> Data {
        intact.prefix(16) + bytes(of: checksum(of: content)) + content
    }

    static func bytes(of number: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    private static func checksum(of data: Data) -> UInt64 {
        var rest = data[...]
        var sum = UInt64(data.count) &* 0xD6E8_FEB8_6659_FD93
        func mix(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 32
        }
        func word() -> UInt64 {
            rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        while rest.count >= 8 {
            mix(word())
            rest = rest.dropFirst(8)
        }
        mix(word())
        mix(sum >> 29)
        return sum
    }
}
