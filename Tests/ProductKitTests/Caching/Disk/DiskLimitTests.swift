import Foundation
import ProductKit
import Testing

/// The location of the files, and the limits of their size.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskLimitTests {
    /// Nine of these fill a disk of 40,000 bytes, because each takes a block of 4,096.
    private let body = String(repeating: "x", count: 1_000)
    private let paths = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]

    // Rule: cache/disk-is-limited (51)
    @Test func `without a directory nothing is found at the next launch`() async throws {
        try await CachedClient().store()

        #expect(await CachedClient().sendsRequest(policy: .cacheFirst))
    }

    // Rule: cache/disk-is-limited (51); security/nothing-kept-by-default (29)
    @Test func `the cache uses its own folder and leaves other files in the directory alone`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            try disk.directory.makeFolder()
            let other = disk.directory.appending(path: "notes")
            try Data("mine".utf8).write(to: other)

            let client = disk.launch()
            try await client.store()
            #expect(disk.directoryNames == ["ProductKit-cache-2", "notes"])
            #expect(disk.names.count == 1)

            client.cache.removeAll()
            disk.flush()
            #expect(disk.directoryNames == ["notes"])
            #expect(try Data(contentsOf: other) == Data("mine".utf8))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the directory is created when it is first used`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            #expect(disk.directoryNames.isEmpty)

            try await client.store()

            #expect(try disk.file().lastPathComponent.hasSuffix(".entry"))
            #expect(client.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `all files together never exceed the limit`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(diskLimit: 100_000)
            var generator = SeededGenerator(seed: 7)
            for number in 0..<60 {
                let size = Int.random(in: 0...10_000, using: &generator)
                try await client.store(String(repeating: "x", count: size), "\(number % 40)")
                disk.flush()
                #expect(disk.byteCount <= 100_000, "after \(number)")
                #expect(client.cache.statistics.diskByteCount == disk.byteCount, "after \(number)")
            }
            #expect(disk.byteCount > 80_000)

            let next = disk.launch(diskLimit: 25_000)
            #expect(next.cache.statistics.diskByteCount == disk.byteCount)

            #expect((1...25_000).contains(disk.byteCount))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `small files count with the blocks that they take`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(diskLimit: 40_000)

            for number in 0..<40 { try await client.store("", "\(number)") }

            #expect((1...9).contains(disk.names.count))
            #expect((1...40_000).contains(disk.byteCount))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the number of files is limited, and the least recently used is removed first`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(byteLimit: 0, diskEntryLimit: 3)
            for path in ["a", "b", "c"] {
                try await client.store("old", path)
                disk.flush()
            }
            #expect(await !client.sendsRequest("a"))
            try await client.send("GET", "c", policy: .reload) { _ in
                .text("new", headers: ["Cache-Control": "max-age=60"])
            }
            disk.flush()
            #expect(disk.names.count == 3)

            try await client.store("new", "d")
            disk.flush()

            #expect(disk.names.count == 3)
            for path in ["a", "c", "d"] { #expect(await !client.sendsRequest(path), "\(path)") }
            let next = disk.launch(diskEntryLimit: 1)
            #expect(next.cache.summaries().count == 1)
            #expect(disk.names.count == 1)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the disk holds 4,096 URLs by default`() async throws {
        try await TemporaryDisk.with { disk in
            let cache = ResponseCache(byteLimit: 0, directory: disk.directory)
            let client = CachedClient(cache: cache)

            for number in 0..<4_100 { try await client.store("", "products/\(number)") }

            cache.flush()
            #expect(disk.names.count == 4_096)
            #expect(await client.sendsRequest("products/3"))
            #expect(await !client.sendsRequest("products/4"))
        }
    }

    // Rule: cache/disk-is-limited (51); cache/processes-may-share-a-directory (56)
    @Test func `two caches in one directory each exceed the limit by an eighth at most`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let clients = (1...2).map { _ in disk.launch(byteLimit: 0, diskEntryLimit: 16) }
            for number in 0..<60 {
                for (index, client) in clients.enumerated() {
                    try await client.store("", "\(index)/\(number)")
                    client.cache.flush()
                }
                #expect(disk.entryNames.count <= 22, "after \(number)")
            }
            #expect(disk.entryNames.count >= 16)
            for client in clients { #expect(client.cache.statistics.diskFailureCount == 0) }
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test(arguments: [(64 << 20, 0), (4_095, 4_096)])
    func `a response is not written if the limits allow no file`(
        byteLimit: Int,
        fileLimit: Int
    ) async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(diskLimit: byteLimit, diskEntryLimit: fileLimit)
            try await client.store()

            #expect(disk.names.isEmpty)
            #expect(client.cache.statistics.diskFailureCount == 1)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the statistics count the files of an earlier process`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            let byteCount = disk.byteCount

            #expect(byteCount > 0)
            #expect(disk.launch().cache.statistics.diskByteCount == byteCount)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the least recently used file is removed first`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(byteLimit: 0, diskLimit: 40_000)
            for path in paths {
                try await client.store(body, path)
                disk.flush()
            }
            #expect(disk.names.count == 9)
            #expect(await !client.sendsRequest("a"))

            try await client.store(body, "j")
            disk.flush()

            #expect(await !client.sendsRequest("a"))
            #expect(await client.sendsRequest("b"))
            #expect(await !client.sendsRequest("c"))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the modification dates of files give the order of use at the next launch`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let first = disk.launch(diskLimit: 40_000)
            for (age, path) in paths.enumerated() {
                let known = Set(disk.names)
                try await first.store(body, path)
                let name = try #require(Set(disk.names).subtracting(known).first)
                try disk.folder.appending(path: name)
                    .setDate(Date(timeIntervalSince1970: 1e9 - Double(age)))
            }
            // Reading a file updates its date.
            #expect(await !disk.launch(diskLimit: 40_000).sendsRequest("i"))

            let last = disk.launch(diskLimit: 40_000)
            try await last.store(body, "j")
            disk.flush()

            #expect(await last.sendsRequest("h"))
            for path in ["a", "g", "i", "j"] { #expect(await !last.sendsRequest(path), "\(path)") }
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test(arguments: [0, 100, 191]) func `a limit smaller than any file removes all files`(
        byteLimit: Int
    ) async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()

            let next = disk.launch(diskLimit: byteLimit)
            #expect(await next.sendsRequest(policy: .cacheFirst))
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(next.cache.statistics.diskByteCount == 0)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `replacing a file removes no other file`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(diskLimit: 40_000)
            for path in paths {
                try await client.store(body, path)
            }
            disk.flush()
            let names = disk.names

            try await client.send("GET", "i", policy: .reload) { _ in
                .text(body, headers: ["Cache-Control": "max-age=99"])
            }
            disk.flush()

            #expect(disk.names == names && names.count == 9)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `a response above an eighth of the limit only removes the old one`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(diskLimit: 16_000)
            try await client.store(String(repeating: "x", count: 1_800))
            disk.flush()
            #expect(client.cache.statistics.diskFailureCount == 0 && disk.names.count == 1)

            try await client.send(policy: .reload) { _ in
                .text(String(repeating: "x", count: 2_000), headers: ["Cache-Control": "max-age=9"])
            }
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(client.cache.statistics.diskFailureCount == 1)
            #expect(await !client.sendsRequest())
            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `a response above the limit of pending writes only removes the old one`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(diskLimit: 1 << 30)
            try await client.store()
            disk.flush()

            try await client.send(policy: .reload) { _ in
                NetworkResponse(
                    headers: ["Cache-Control": "max-age=60"],
                    body: Data(count: 8 << 20)
                )
            }
            #expect(disk.names.isEmpty)
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(client.cache.statistics.diskFailureCount == 1)
            #expect(await !client.sendsRequest())
        }
    }

    // Rule: cache/memory-is-limited (50); cache/disk-is-limited (51)
    @Test func `a response that does not fit in memory is read from disk`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(byteLimit: 0)
            try await client.store()

            let response = try await client.send(policy: .cacheOnly)

            #expect(response.text == "boots")
            #expect(client.cache.statistics.entryCount == 0)
            #expect(client.cache.summaries().count == 1)
        }
    }
}
