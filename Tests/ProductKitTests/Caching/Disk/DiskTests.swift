import Foundation
import ProductKit
import Testing

/// Stored responses after a relaunch of the app.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskTests {
    // Rule: cache/disk-is-limited (51)
    @Test func `a response is the same after a relaunch`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            let headers: NetworkHeaders = [
                "Cache-Control": "max-age=60", "ETag": "\"1\"", "X-Note": "Käse, \tBrot",
            ]
            try await first.send { _ in .text("boots", statusCode: 203, headers: headers) }
            first.clock.advance(by: .seconds(7))
            let expected = try await first.send()

            let second = disk.launch()
            second.clock.advance(by: .seconds(7))
            let response = try await second.send()

            #expect(response == expected && second.requestCount == 0)
            #expect(response.statusCode == 203 && response.text == "boots")
            #expect(response.headers["Age"] == "7" && response.headers["X-Note"] == "Käse, \tBrot")
            #expect(response.source == .cache(asOf: second.clock.date - 7))
            #expect(second.cache.summaries() == first.cache.summaries())
            second.clock.advance(by: .seconds(53))
            #expect(await second.sendsRequest())
        }
    }

    // Rule: cache/eight-variants (20); cache/disk-is-limited (51)
    @Test func `all variants are found after a relaunch`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            for language in ["de", "fr"] {
                try await first.store(
                    language,
                    headers: ["Accept-Language": language],
                    responseHeaders: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
                )
            }

            let second = disk.launch()

            for language in ["de", "fr"] {
                let response = try await second.send(headers: ["Accept-Language": language])
                #expect(response.text == language)
            }
            #expect(second.requestCount == 0)
            #expect(await second.sendsRequest(headers: ["Accept-Language": "en"]))
            #expect(await second.sendsRequest())
        }
    }

    // Rule: cache/key-is-partition-and-url (18); cache/partitions-are-separate (40)
    @Test func `queries and partitions are separate`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            for (partition, path) in [
                ("anna", "a"), ("anna", "a?b"), ("bert", "a"), ("anna", "a/b"),
            ] {
                first.partition = partition
                try await first.store("\(partition) \(path)", path)
            }

            let second = disk.launch()

            #expect(second.cache.summaries().count == 4)
            second.partition = "anna"
            #expect(try await second.send("GET", "a").text == "anna a")
            #expect(try await second.send("GET", "a?b").text == "anna a?b")
            second.partition = "bert"
            #expect(try await second.send("GET", "a").text == "bert a")
            #expect(await second.sendsRequest("a?b"))
        }
    }

    // Rule: cache/304-updates-fields (30); cache/stale-if-error-is-marked (35)
    @Test func `the header fields of a 304 are stored`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            try await first.store()
            first.clock.advance(by: .seconds(100))
            try await first.send(policy: .revalidate) { _ in
                NetworkResponse(statusCode: 304, headers: ["Cache-Control": "max-age=500"])
            }

            let second = disk.launch()
            second.clock.advance(by: .seconds(599))

            let response = try await second.send()
            #expect(response.text == "boots" && second.requestCount == 0)
            #expect(response.source == .cache(asOf: second.clock.date - 499))
        }
    }

    // Rule: cache/full-response-replaces (32)
    @Test func `a response that a 410 has replaced is not found after a relaunch`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            try await first.store()
            disk.flush()
            try await first.send(policy: .revalidate) { _ in NetworkResponse(statusCode: 410) }

            #expect(disk.names.isEmpty)
            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
        }
    }

    // Rule: cache/invalidation-precedes-return (43); cache/success-removes-responses (44)
    @Test func `an unsafe request removes a response that only the disk has`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()

            let second = disk.launch()
            try await second.send("PUT") { _ in NetworkResponse(statusCode: 204) }

            #expect(disk.names.isEmpty)
            #expect(await second.sendsRequest(policy: .cacheFirst))
        }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test(arguments: [true, false])
    func `an invalidated response is revalidated and served as stale-if-error after a relaunch`(
        isWritten: Bool
    ) async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            let paths = ["products/boots", "products/boots?size=42"]
            for path in paths { try await first.store(path, path) }
            try await first.store("hat", "products/boots/hat")
            if isWritten { disk.flush() }
            first.cache.invalidate(.shop("products/boots?anything"), partition: "")

            let second = disk.launch()

            #expect(await !second.sendsRequest("products/boots/hat"))
            for path in paths {
                let offline = try await second.send("GET", path, server: unreachable)
                #expect(offline.text == path && offline.source.code == .staleIfError)
                let confirmed = try await second.send("GET", path) { request in
                    #expect(request.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
                    return NetworkResponse(statusCode: 304)
                }
                #expect(confirmed.text == path && confirmed.source == .revalidated)
            }
            let third = disk.launch()
            for path in paths { #expect(await !third.sendsRequest(path)) }
        }
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `an invalidation keeps the order of use`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            try await first.store()
            let file = try disk.file()
            let date = Date(timeIntervalSince1970: 1_000_000)
            try file.setDate(date)

            disk.launch().cache.invalidateAll(partition: "")

            let attributes = try FileManager.default.attributesOfItem(atPath: file.filePath)
            #expect(attributes[.modificationDate] as? Date == date)
            #expect(await disk.launch().sendsRequest())
        }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test(arguments: [true, false])
    func `a partition is invalidated on the disk, and others are not`(
        isWritten: Bool
    ) async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            for partition in ["anna", "annabel", "bert", ""] {
                first.partition = partition
                for path in ["a", "a?b", "b"] { try await first.store(path, path) }
            }

            if isWritten {
                disk.launch().cache.invalidateAll(partition: "anna")
            } else {
                first.cache.invalidateAll(partition: "anna")
            }

            for client in [disk.launch(), first] where !isWritten || client !== first {
                for partition in ["anna", "annabel", "bert", ""] {
                    client.partition = partition
                    for path in ["a", "a?b", "b"] {
                        #expect(await client.sendsRequest(path) == (partition == "anna"))
                        let offline = try await client.send("GET", path, server: unreachable)
                        #expect(offline.text == path)
                    }
                }
            }
        }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test func `invalidating a path affects responses that only the disk has, in one partition`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            for partition in ["anna", "bert"] {
                first.partition = partition
                for path in ["a", "a?b", "b"] { try await first.store(path, path) }
            }

            disk.launch().cache.invalidate(.shop("a"), partition: "anna")

            let third = disk.launch()
            third.partition = "anna"
            #expect(await third.sendsRequest("a"))
            #expect(await third.sendsRequest("a?b"))
            #expect(await !third.sendsRequest("b"))
            third.partition = "bert"
            for path in ["a", "a?b", "b"] { #expect(await !third.sendsRequest(path)) }
        }
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `a removed response is not found after a relaunch`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            for path in ["a", "a?b"] { try await first.store(path, path) }

            disk.launch().cache.remove(.shop("a#fragment"), partition: "")

            let third = disk.launch()
            #expect(await third.sendsRequest("a", policy: .cacheFirst))
            #expect(await !third.sendsRequest("a?b"))
        }
    }
}
