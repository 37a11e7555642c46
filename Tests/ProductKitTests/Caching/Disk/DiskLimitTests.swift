import Foundation
import ProductKit
import Testing

/// The location of the files, and the limits of their size.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskLimitTests {
    private let disk = TemporaryDisk()
    /// Nine of these fill a disk of 40,000 bytes, because each takes a block of 4,096.
    private let body = String(repeating: "x", count: 1_000)
    private let paths = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]

    // Rule: cache/disk-is-limited (51); security/nothing-kept-by-default (29)
    @Test func `the cache uses its own folder and leaves other files in the directory alone`()
        async throws
    {
        try disk.directory.makeFolder()
        let other = disk.directory.appending(path: "notes")
        try other.write("mine")

        let client = disk.launch()
        #expect(disk.directoryNames == ["notes"])
        try await client.store()
        #expect(try disk.file().lastPathComponent.hasSuffix(".entry"))
        #expect(disk.directoryNames == ["ProductKit-cache-2", "notes"])

        client.cache.removeAll()
        disk.flush()
        #expect(disk.directoryNames == ["notes"])
        #expect(try other.text == "mine")
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `all files together never exceed the limit`() async throws {
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

    // Rule: cache/disk-is-limited (51)
    @Test(arguments: [(40_000, 4_096, 9), (64 << 20, 3, 3)])
    func `a new file removes the least recently used one, and a replaced file none`(
        diskLimit: Int,
        diskEntryLimit: Int,
        count: Int
    ) async throws {
        let client = disk.launch(
            byteLimit: 0,
            diskLimit: diskLimit,
            diskEntryLimit: diskEntryLimit
        )
        for path in paths.prefix(count) {
            try await client.store(body, path)
            disk.flush()
        }
        let (names, last) = (disk.names, paths[count - 1])
        #expect(await !client.sendsRequest("a"))
        try await client.send("GET", last, policy: .reload) { _ in .fresh(body) }
        #expect(disk.names == names && names.count == count)

        try await client.store(body, "j")

        #expect(disk.names.count == count)
        for path in ["a", "c", last, "j"] { #expect(await !client.sendsRequest(path), "\(path)") }
        #expect(await client.sendsRequest("b"))
        #expect(disk.launch(diskEntryLimit: 1).cache.summaries().count == 1)
        #expect(disk.names.count == 1)
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the disk holds 4,096 URLs by default`() async throws {
        let cache = ResponseCache(byteLimit: 0, directory: disk.directory)
        let client = CachedClient(cache: cache)

        for number in 0..<4_100 { try await client.store("", "products/\(number)") }

        cache.flush()
        #expect(disk.names.count == 4_096)
        #expect(await client.sendsRequest("products/3"))
        #expect(await !client.sendsRequest("products/4"))
    }

    // Rule: cache/disk-is-limited (51)
    @Test(arguments: [(64 << 20, 0), (4_095, 4_096)])
    func `a response is not written if the limits allow no file`(
        byteLimit: Int,
        fileLimit: Int
    ) async throws {
        let client = disk.launch(diskLimit: byteLimit, diskEntryLimit: fileLimit)
        try await client.store()

        #expect(disk.names.isEmpty)
        #expect(client.cache.statistics.diskFailureCount == 1)
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the modification dates of files give the order of use at the next launch`()
        async throws
    {
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

    // Rule: cache/disk-is-limited (51)
    @Test func `a file with a date in the future is removed first, unless it was read since`()
        async throws
    {
        let first = disk.launch(diskLimit: 40_000)
        for path in paths {
            let known = Set(disk.names)
            try await first.store(body, path)
            let name = try #require(Set(disk.names).subtracting(known).first)
            try disk.folder.appending(path: name)
                .setDate(Date(timeIntervalSince1970: ["b", "c"].contains(path) ? 4e9 : 1e9))
        }
        #expect(await !disk.launch(diskLimit: 40_000).sendsRequest("c"))

        let last = disk.launch(diskLimit: 40_000)
        for path in ["j", "k"] { try await last.store(body, path) }
        disk.flush()

        for path in ["c", "j", "k"] { #expect(await !last.sendsRequest(path), "\(path)") }
        #expect(await last.sendsRequest("b"))
    }

    // Rule: cache/disk-is-limited (51)
    @Test(arguments: [0, 100, 191])
    func `a limit smaller than any file removes all files`(byteLimit: Int) async throws {
        try await disk.launch().store()

        let next = disk.launch(diskLimit: byteLimit)
        #expect(await next.sendsRequest(policy: .cacheFirst))

        #expect(disk.names.isEmpty)
        #expect(next.cache.statistics.diskByteCount == 0)
    }

    // Rule: cache/disk-is-limited (51); cache/eight-variants (20)
    @Test func `variants are stored on disk as far as they fit into the limit of a file`()
        async throws
    {
        let client = disk.launch(byteLimit: 0, diskLimit: 16_000)
        for mode in ["a", "b"] { try await client.storeVariant(mode, body + body.prefix(200)) }
        disk.flush()

        let later = disk.launch(byteLimit: 0, diskLimit: 16_000)
        #expect(await !later.sendsRequest(headers: ["X-Mode": "b"]))
        #expect(await later.sendsRequest(headers: ["X-Mode": "a"]))
        #expect(client.cache.statistics.diskFailureCount == 0)
    }

    // Rule: cache/eight-variants (20)
    @Test func `a file with fewer variants does not replace those in memory`() async throws {
        let client = disk.launch(byteLimit: 20_000, diskLimit: 16_000)
        let modes = ["a", "b", "c", "d", "e", "f", "g", "h"]
        for (former, mode) in zip([modes[0]] + modes, modes) {
            try await client.storeVariant(mode, body + body.prefix(200))
            disk.flush()

            _ = try? await client.send(headers: ["X-Mode": "other"], policy: .cacheOnly)

            #expect(await !client.sendsRequest(headers: ["X-Mode": former]), "\(former)")
            #expect(await !client.sendsRequest(headers: ["X-Mode": mode]), "\(mode)")
        }
    }

    // Rule: cache/disk-is-limited (51)
    // The limits are an eighth of that of the disk, and that of pending writes.
    @Test(arguments: [(16_000, 2_000), (1 << 30, 8 << 20)])
    func `a response above a limit only removes the old one`(
        diskLimit: Int,
        byteCount: Int
    ) async throws {
        let client = disk.launch(diskLimit: diskLimit)
        try await client.store(String(repeating: "x", count: 1_800))
        #expect(disk.names.count == 1 && client.cache.statistics.diskFailureCount == 0)

        try await client.send(policy: .reload) { _ in
            NetworkResponse(headers: .fresh, body: Data(count: byteCount))
        }

        #expect(disk.names.isEmpty)
        #expect(client.cache.statistics.diskFailureCount == 1)
        #expect(await !client.sendsRequest())
        #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
    }
}
