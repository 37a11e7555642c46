import Foundation
import ProductKit
import Testing

/// Writing, replacing and removing files.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskWritingTests {
    // Rule: cache/files-are-atomic-and-private (52); security/no-store-and-private-files (20)
    @Test func `only the owner has access to the folder and its files`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()

            let file = try disk.file()

            #expect(try disk.folder.permissions() == 0o700)
            #expect(try file.permissions() == 0o600)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `the permissions of an existing folder are restricted to its owner`() async throws {
        try await TemporaryDisk.with { disk in
            try disk.folder.makeFolder()
            try disk.folder.setPermissions(0o755)

            _ = await disk.launch().sendsRequest()

            #expect(try disk.folder.permissions() == 0o700)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `there is one file for each URL and partition, whatever the number of variants`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            for language in ["de", "fr"] {
                try await client.store(
                    headers: ["Accept-Language": language],
                    responseHeaders: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
                )
            }
            #expect(disk.names.count == 1)
            let name = disk.names.first ?? ""
            let digits = name.dropLast(".entry".count)
            #expect(digits.count == 32 && digits.allSatisfy(\.isHexDigit))

            try await client.store("boots", "products/boots?size=42")
            client.partition = "bert"
            try await client.store()
            disk.flush()

            #expect(disk.names.count == 3 && disk.names.contains(name))
            #expect(disk.names.filter { $0.hasPrefix(name.prefix(16)) }.count == 2)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `temporary files are removed`() async throws {
        try await TemporaryDisk.with { disk in
            try disk.folder.makeFolder()
            let digits = String(repeating: "0", count: 32)
            for name in ["\(digits).writing", "mine.writing"] {
                try Data("half".utf8).write(to: disk.folder.appending(path: name))
            }

            let client = disk.launch()
            for _ in 0..<3 {
                try await client.send(policy: .reload) { _ in
                    .text("boots", headers: ["Cache-Control": "max-age=60"])
                }
            }
            disk.flush()

            #expect(disk.names.count == 2)
            #expect(disk.names.contains("mine.writing"))
            #expect(client.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `a temporary file that another process writes is not removed`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store()
            disk.flush()
            let name = "\(String(repeating: "0", count: 32)).writing"
            try Data("half".utf8).write(to: disk.folder.appending(path: name))

            try await client.store("hat", "products/hat")

            #expect(disk.names.count == 3 && disk.names.contains(name))
        }
    }

    // Rule: cache/invalidation-precedes-return (43); cache/files-are-atomic-and-private (52)
    @Test func `a response that is removed while it is written leaves no file`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            let body = Data(count: 2 << 20)
            for round in 0..<60 {
                try await client.send { _ in
                    NetworkResponse(headers: ["Cache-Control": "max-age=60"], body: body)
                }
                // Waits a little longer in each round, so that writing has progressed further.
                for _ in 0..<round * 20 { _ = client.cache.statistics }
                client.cache.remove(.shop("products/boots"), partition: "")
                try #require(disk.entryNames.isEmpty, "round \(round)")
                try #require(disk.names.isEmpty, "round \(round)")
            }
        }
    }

    // Rule: cache/invalidation-survives-restart (46); cache/files-are-atomic-and-private (52)
    @Test func `a response that is invalidated while it is written is invalidated in its file`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            let body = Data(count: 1 << 20)
            for round in 0..<20 {
                let path = "products/\(round)"
                try await client.send("GET", path) { _ in
                    NetworkResponse(headers: ["Cache-Control": "max-age=60"], body: body)
                }
                for _ in 0..<round * 20 { _ = client.cache.statistics }
                client.cache.invalidate(.shop(path), partition: "")
                disk.flush()
            }

            let next = disk.launch()

            for round in 0..<20 {
                let response = try await next.send("GET", "products/\(round)", server: unreachable)
                #expect(response.source.code == .staleIfError, "round \(round)")
            }
            #expect(next.requestCount == 20)
        }
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `the last one of many responses is stored`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            for version in 1...100 {
                try await client.send(policy: .reload) { _ in
                    .text("\(version)", headers: ["Cache-Control": "max-age=60"])
                }
            }

            let next = disk.launch()

            #expect(try await next.send().text == "100")
            #expect(disk.names.count == 1)
        }
    }

    // Rule: cache/disk-is-limited (51); cache/files-are-atomic-and-private (52)
    @Test func `a large response that replaces one that is not written yet is stored`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            let body = Data(count: 5 << 20)
            for _ in 1...10 {
                try await client.send(policy: .reload) { _ in
                    NetworkResponse(headers: ["Cache-Control": "max-age=60"], body: body)
                }
            }

            #expect(disk.names.count == 1)
            #expect(client.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test(arguments: ["\u{1}", "\u{1F}", "\u{7F}"])
    func `a response with a control character in a header field is not written`(
        character: String
    ) async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()

            try await client.store(
                responseHeaders: ["Cache-Control": "max-age=60", "X-Note": "a\(character)b"]
            )

            #expect(disk.names.isEmpty)
            #expect(client.cache.statistics.diskFailureCount == 1)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `after a failure only a write tries to open the folder again`() async throws {
        try await TemporaryDisk.with { disk in
            try Data("mine".utf8).write(to: disk.directory)
            let client = disk.launch(byteLimit: 0)

            for _ in 0..<3 { #expect(await client.sendsRequest()) }
            #expect(client.cache.statistics.diskFailureCount == 1)

            try FileManager.default.removeItem(at: disk.directory)
            try await client.store()
            #expect(disk.names.count == 1)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a folder that was deleted is created again and does not count as a failure`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            for gone in [disk.folder, disk.directory] {
                try await client.store("boots", "\(gone.lastPathComponent)/before")
                disk.flush()
                try FileManager.default.removeItem(at: gone)
                try await client.store("boots", "\(gone.lastPathComponent)/after")
                disk.flush()
                #expect(disk.names.count == 1)
            }
            #expect(client.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a file in place of the directory fails no request and is counted`() async throws {
        try await TemporaryDisk.with { disk in
            try Data("mine".utf8).write(to: disk.directory)
            let client = disk.launch(byteLimit: 0)

            for _ in 0..<2 {
                try await client.store()
                disk.flush()
            }
            client.cache.invalidate(.shop("products/boots"), partition: "")
            client.cache.remove(.shop("products/boots"), partition: "")
            client.cache.removeAll()
            #expect(try await client.send { _ in .text("boots") }.text == "boots")

            #expect(client.requestCount == 3)
            #expect(client.cache.statistics.diskFailureCount > 0)
            #expect(client.cache.statistics.diskByteCount == 0)
            #expect(client.cache.summaries().isEmpty)
            #expect(try Data(contentsOf: disk.directory) == Data("mine".utf8))
        }
    }

    // Rule: cache/read-only-disk-loses-changes (69); cache/disk-failure-is-counted (55)
    @Test(.enabled(if: !OtherUser.isPermitted, "An administrator may write to every folder."))
    func `a response that cannot be removed is not found again`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(byteLimit: 0)
            try await client.store()
            disk.flush()
            try disk.folder.setPermissions(0o500)
            client.cache.remove(.shop("products/boots"), partition: "")
            try disk.folder.setPermissions(0o700)
            #expect(await client.sendsRequest(policy: .cacheFirst))

            try await client.store("hat", "products/hat")
            disk.flush()

            #expect(await client.sendsRequest(policy: .cacheFirst))
            #expect(disk.names.count == 1 && client.cache.statistics.diskFailureCount == 1)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/disk-failure-is-counted (55)
    @Test(.enabled(if: !OtherUser.isPermitted, "An administrator may write to every folder."))
    func `a folder that cannot be renamed is emptied and used again`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store()
            disk.flush()
            try disk.directory.setPermissions(0o500)
            defer { try? disk.directory.setPermissions(0o700) }

            client.cache.removeAll()
            #expect(disk.names.isEmpty && client.cache.statistics.diskFailureCount == 1)
            try await client.store("new")

            #expect(try await disk.launch().send(policy: .cacheOnly).text == "new")
            #expect(client.cache.statistics.diskFailureCount == 1)
        }
    }

    // Rule: cache/damaged-file-is-removed (53); cache/disk-failure-is-counted (55)
    @Test func `a link in place of the folder is not followed`() async throws {
        try await TemporaryDisk.with { disk in
            let elsewhere = disk.directory.appending(path: "elsewhere")
            try elsewhere.makeFolder()
            let mine = elsewhere.appending(path: "\(String(repeating: "0", count: 32)).entry")
            try Data("mine".utf8).write(to: mine)
            try FileManager.default.createSymbolicLink(
                at: disk.folder,
                withDestinationURL: elsewhere
            )

            let client = disk.launch()
            try await client.store()
            #expect(disk.names.count == 1 && disk.names.first != mine.lastPathComponent)
            client.cache.removeAll()
            disk.flush()

            #expect(disk.directoryNames == ["elsewhere"])
            #expect(try Data(contentsOf: mine) == Data("mine".utf8))
        }
    }
}
