import Foundation
import ProductKit
import Testing

/// How much is kept on disk, and where.
@Suite(.timeLimit(.minutes(5))) struct DiskLimitTests {
    /// Nine of these fill a disk of 11,000 bytes.
    private let body = String(repeating: "x", count: 1_000)
    private let paths = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]

    // Rule: cache/disk-is-limited (51)
    @Test func `without a directory the next run knows nothing`() async throws {
        try await CachedClient().store()

        #expect(await CachedClient().sendsRequest(policy: .cacheFirst))
    }

    // Rule: cache/disk-is-limited (51); security/nothing-kept-by-default (29)
    @Test func `all is in a folder of its own, in a directory that may hold other things`()
        async throws
    {
        try await Disk.with { disk in
            try disk.directory.makeFolder()
            let other = disk.directory.appending(path: "notes")
            try Data("mine".utf8).write(to: other)

            let shop = disk.run()
            try await shop.store()
            #expect(disk.namesOutside == ["ProductKit-cache-2", "notes"])
            #expect(disk.names.count == 1)

            shop.cache.removeAll()
            #expect(disk.namesOutside == ["notes"])
            #expect(try Data(contentsOf: other) == Data("mine".utf8))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `a directory that is not there is made, and nothing before it is needed`()
        async throws
    {
        try await Disk.with { disk in
            let shop = disk.run()
            #expect(disk.namesOutside.isEmpty)

            try await shop.store()

            #expect(try disk.file().lastPathComponent.hasSuffix(".response"))
            #expect(shop.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the files never take more bytes than they may, and are counted`() async throws {
        try await Disk.with { disk in
            let shop = disk.run(diskLimit: 20_000)
            var generator = SeededGenerator(seed: 7)
            for number in 0..<60 {
                let size = Int.random(in: 0...2_000, using: &generator)
                try await shop.store(String(repeating: "x", count: size), "\(number % 40)")
                disk.flush()
                #expect(disk.byteCount <= 20_000, "after \(number)")
                #expect(shop.cache.statistics.diskByteCount == disk.byteCount, "after \(number)")
            }
            #expect(disk.byteCount > 16_000)

            let next = disk.run(diskLimit: 5_000)
            _ = await next.sendsRequest()
            disk.flush()

            #expect((1...5_000).contains(disk.byteCount))
            #expect(next.cache.statistics.diskByteCount == disk.byteCount)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the least recently used file leaves first`() async throws {
        try await Disk.with { disk in
            let shop = disk.run(byteLimit: 0, diskLimit: 11_000)
            for path in paths {
                try await shop.store(body, path)
                disk.flush()
            }
            #expect(disk.names.count == 9)
            #expect(await !shop.sendsRequest("a"))

            try await shop.store(body, "j")
            disk.flush()

            #expect(await !shop.sendsRequest("a"))
            #expect(await shop.sendsRequest("b"))
            #expect(await !shop.sendsRequest("c"))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `the next run knows by their dates which files were used last`() async throws {
        try await Disk.with { disk in
            let first = disk.run(diskLimit: 11_000)
            for (age, path) in paths.enumerated() {
                let known = Set(disk.names)
                try await first.store(body, path)
                let name = try #require(Set(disk.names).subtracting(known).first)
                try disk.folder.appending(path: name)
                    .setDate(Date(timeIntervalSince1970: 1e9 - Double(age)))
            }
            // A file that is read is dated anew.
            #expect(await !disk.run(diskLimit: 11_000).sendsRequest("i"))

            let last = disk.run(diskLimit: 11_000)
            try await last.store(body, "j")
            disk.flush()

            #expect(await last.sendsRequest("h"))
            for path in ["a", "g", "i", "j"] { #expect(await !last.sendsRequest(path), "\(path)") }
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test(arguments: [0, 100]) func `a limit smaller than any file removes all files`(
        byteLimit: Int
    ) async throws {
        try await Disk.with { disk in
            try await disk.run().store()

            let next = disk.run(diskLimit: byteLimit)
            #expect(await next.sendsRequest(policy: .cacheFirst))
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(next.cache.statistics.diskByteCount == 0)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `what replaces a file needs no room besides it`() async throws {
        try await Disk.with { disk in
            let shop = disk.run(diskLimit: 11_000)
            for path in paths {
                try await shop.store(body, path)
            }
            disk.flush()
            let names = disk.names

            try await shop.send("GET", "i", policy: .reload) { _ in
                .text(body, headers: ["Cache-Control": "max-age=99"])
            }
            disk.flush()

            #expect(disk.names == names && names.count == 9)
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `what takes more than an eighth is not written, nor is what it replaces kept`()
        async throws
    {
        try await Disk.with { disk in
            let shop = disk.run(diskLimit: 16_000)
            try await shop.store(String(repeating: "x", count: 1_800))
            disk.flush()
            #expect(shop.cache.statistics.diskFailureCount == 0 && disk.names.count == 1)

            try await shop.send(policy: .reload) { _ in
                .text(String(repeating: "x", count: 2_000), headers: ["Cache-Control": "max-age=9"])
            }
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(shop.cache.statistics.diskFailureCount == 1)
            #expect(await !shop.sendsRequest())
            #expect(await disk.run().sendsRequest(policy: .cacheFirst))
        }
    }

    // Rule: cache/disk-is-limited (51)
    @Test func `more than may wait to be written is not written, nor is what it replaces kept`()
        async throws
    {
        try await Disk.with { disk in
            let shop = disk.run(diskLimit: 1 << 30)
            try await shop.store()
            disk.flush()

            try await shop.send(policy: .reload) { _ in
                NetworkResponse(
                    headers: ["Cache-Control": "max-age=60"],
                    body: Data(count: 8 << 20)
                )
            }
            #expect(disk.names.isEmpty)
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(shop.cache.statistics.diskFailureCount == 1)
            #expect(await !shop.sendsRequest())
        }
    }

    // Rule: cache/memory-is-limited (50); cache/disk-is-limited (51)
    @Test func `what memory had no room for is on the disk`() async throws {
        try await Disk.with { disk in
            let shop = disk.run(byteLimit: 0)
            try await shop.store()

            let answer = try await shop.send(policy: .cacheOnly)

            #expect(answer.text == "boots")
            #expect(shop.cache.statistics.entryCount == 0)
            #expect(shop.cache.entries().count == 1)
        }
    }
}
