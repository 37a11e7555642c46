import Foundation
import ProductKit
import Testing

/// How files are written.
@Suite(.timeLimit(.minutes(5))) struct DiskWritingTests {
    // Rule: cache/files-are-atomic-and-private (52); security/no-store-and-private-files (20)
    @Test func `the folder and its files are their owner's alone`() async throws {
        try await Disk.with { disk in
            try await disk.run().store()

            let file = try disk.file()

            #expect(try disk.folder.permissions() == 0o700)
            #expect(try file.permissions() == 0o600)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `a folder that others could look into is closed to them`() async throws {
        try await Disk.with { disk in
            try disk.folder.makeFolder()
            let path = disk.folder.filePath
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: path)

            _ = await disk.run().sendsRequest()

            #expect(try disk.folder.permissions() == 0o700)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `there is one file for each address and user, whatever the variants`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            for language in ["de", "fr"] {
                try await shop.store(
                    headers: ["Accept-Language": language],
                    responseHeaders: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
                )
            }
            #expect(disk.names.count == 1)
            let name = disk.names.first ?? ""
            let digits = name.dropLast(".response".count)
            #expect(digits.count == 32 && digits.allSatisfy(\.isHexDigit))

            try await shop.store("boots", "products/boots?size=42")
            shop.partition = "bert"
            try await shop.store()
            disk.flush()

            #expect(disk.names.count == 3 && disk.names.contains(name))
            #expect(disk.names.filter { $0.hasPrefix(name.prefix(16)) }.count == 2)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `what was never finished is removed, and nothing unfinished stays`() async throws {
        try await Disk.with { disk in
            try disk.folder.makeFolder()
            let digits = String(repeating: "0", count: 32)
            for name in ["\(digits).writing", "mine.writing"] {
                try Data("half".utf8).write(to: disk.folder.appending(path: name))
            }

            let shop = disk.run()
            for _ in 0..<3 {
                try await shop.send(policy: .reload) { _ in
                    .text("boots", headers: ["Cache-Control": "max-age=60"])
                }
            }
            disk.flush()

            #expect(disk.names.count == 2)
            #expect(disk.names.contains("mine.writing"))
            #expect(shop.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/invalidation-precedes-return (43); cache/files-are-atomic-and-private (52)
    @Test func `what is removed while it is written is not there afterwards`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            let body = Data(count: 2 << 20)
            for round in 0..<60 {
                try await shop.send { _ in
                    NetworkResponse(headers: ["Cache-Control": "max-age=60"], body: body)
                }
                // A little later each time, so that the file is in another state.
                for _ in 0..<round * 20 { _ = shop.cache.statistics }
                shop.cache.remove(.shop("products/boots"))
                try #require(disk.readableNames.isEmpty, "round \(round)")
                try #require(disk.names.isEmpty, "round \(round)")
            }
        }
    }

    // Rule: cache/invalidation-survives-restart (46); cache/files-are-atomic-and-private (52)
    @Test func `what is made old while it is written is old afterwards`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            let body = Data(count: 1 << 20)
            for round in 0..<20 {
                let path = "products/\(round)"
                try await shop.send("GET", path) { _ in
                    NetworkResponse(headers: ["Cache-Control": "max-age=60"], body: body)
                }
                for _ in 0..<round * 20 { _ = shop.cache.statistics }
                shop.cache.invalidate(.shop(path))
                disk.flush()
            }

            let next = disk.run()

            for round in 0..<20 {
                let answer = try await next.send("GET", "products/\(round)", server: unreachable)
                #expect(answer.source.code == .staleIfError, "round \(round)")
            }
            #expect(next.requestCount == 20)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `the last answer is the one that is kept`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            for version in 1...100 {
                try await shop.send(policy: .reload) { _ in
                    .text("\(version)", headers: ["Cache-Control": "max-age=60"])
                }
            }

            let next = disk.run()

            #expect(try await next.send().text == "100")
            #expect(disk.names.count == 1)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a folder that somebody has deleted is made again, and that is no failure`()
        async throws
    {
        try await Disk.with { disk in
            let shop = disk.run()
            for gone in [disk.folder, disk.directory] {
                try await shop.store("boots", "\(gone.lastPathComponent)/before")
                disk.flush()
                try FileManager.default.removeItem(at: gone)
                try await shop.store("boots", "\(gone.lastPathComponent)/after")
                disk.flush()
                #expect(disk.names.count == 1)
            }
            #expect(shop.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a directory that is a file costs no request, and is counted`() async throws {
        try await Disk.with { disk in
            try Data("mine".utf8).write(to: disk.directory)
            let shop = disk.run(byteLimit: 0)

            for _ in 0..<2 {
                try await shop.store()
                disk.flush()
            }
            shop.cache.invalidate(.shop("products/boots"))
            shop.cache.remove(.shop("products/boots"))
            shop.cache.removeAll()
            #expect(try await shop.send { _ in .text("boots") }.text == "boots")

            #expect(shop.requestCount == 3)
            #expect(shop.cache.statistics.diskFailureCount > 0)
            #expect(shop.cache.statistics.diskByteCount == 0)
            #expect(shop.cache.entries().isEmpty)
            #expect(try Data(contentsOf: disk.directory) == Data("mine".utf8))
        }
    }

    // Rule: cache/damaged-file-is-removed (53); cache/disk-failure-is-counted (55)
    @Test func `a link where the folder should be is not followed`() async throws {
        try await Disk.with { disk in
            let elsewhere = disk.directory.appending(path: "elsewhere")
            try elsewhere.makeFolder()
            let mine = elsewhere.appending(path: "\(String(repeating: "0", count: 32)).response")
            try Data("mine".utf8).write(to: mine)
            try FileManager.default.createSymbolicLink(
                at: disk.folder,
                withDestinationURL: elsewhere
            )

            let shop = disk.run()
            try await shop.store()
            #expect(disk.names.count == 1 && disk.names.first != mine.lastPathComponent)
            shop.cache.removeAll()

            #expect(disk.namesOutside == ["elsewhere"])
            #expect(try Data(contentsOf: mine) == Data("mine".utf8))
        }
    }
}
