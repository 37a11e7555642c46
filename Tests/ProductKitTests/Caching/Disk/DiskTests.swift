import Foundation
import ProductKit
import Testing

/// Stored responses after a relaunch of the app.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskTests {
    private let disk = TemporaryDisk()

    // Rule: cache/disk-is-limited (51)
    @Test func `a response is the same after a relaunch`() async throws {
        let first = disk.launch()
        let note = "Käse, \tBrot\u{7F}"
        let headers: NetworkHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "X-Note": note,
        ]
        try await first.send { _ in .text("boots", statusCode: 203, headers: headers) }
        first.clock.advance(by: .seconds(7))
        let expected = try await first.send()

        let second = disk.launch()
        second.clock.advance(by: .seconds(7))
        let response = try await second.send()

        #expect(response == expected && second.requestCount == 0)
        #expect(response.statusCode == 203 && response.text == "boots")
        #expect(response.headers["Age"] == "7" && response.headers["X-Note"] == note)
        #expect(response.source == .cache(asOf: second.clock.date - 7))
        #expect(second.cache.summaries() == first.cache.summaries())
        second.clock.advance(by: .seconds(53))
        #expect(await second.sendsRequest())
    }

    // Rule: cache/eight-variants (20)
    @Test(arguments: [0, 4_000, 8_000, 64 << 20])
    func `eight variants are stored on disk, however small the memory is`(
        byteLimit: Int
    ) async throws {
        let client = disk.launch(byteLimit: byteLimit)
        let modes = (0...8).map { String(repeating: "\($0)", count: 400) }
        for mode in modes { try await client.storeVariant(mode) }

        for later in [client, disk.launch(byteLimit: byteLimit)] {
            let requestCount = later.requestCount
            #expect(later.cache.summaries().count == 8)
            for mode in modes.dropFirst() {
                #expect(try await later.send(headers: ["X-Mode": mode]).text == mode)
            }
            #expect(later.requestCount == requestCount)
            #expect(await later.sendsRequest(headers: ["X-Mode": modes[0]]))
        }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test(arguments: [true, false])
    func `an invalidated response is revalidated and served as stale-if-error after a relaunch`(
        isWritten: Bool
    ) async throws {
        let first = disk.launch()
        let paths = ["products/boots", "products/boots?size=42"]
        for path in paths { try await first.store(path, path) }
        try await first.store("hat", "products/boots/hat")
        if isWritten { disk.flush() }
        first.cache.make(.invalidated, of: "products/boots?anything")

        let second = disk.launch()

        #expect(await !second.sendsRequest("products/boots/hat"))
        for path in paths {
            let offline = try await second.send("GET", path, server: unreachable)
            #expect(offline.text == path && offline.source.code == .staleIfError)
            let confirmed = try await second.send("GET", path) { _ in
                NetworkResponse(statusCode: 304)
            }
            #expect(confirmed.text == path && confirmed.source == .revalidated)
        }
        let third = disk.launch()
        for path in paths { #expect(await !third.sendsRequest(path)) }
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `a response that was read from the disk is in memory`() async throws {
        try await disk.launch().store()
        let client = disk.launch()

        #expect(await !client.sendsRequest())
        try FileManager.default.removeItem(at: disk.file())

        #expect(await !client.sendsRequest())
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `an invalidation keeps the order of use`() async throws {
        try await disk.launch().store()
        let file = try disk.file()
        let date = Date(timeIntervalSince1970: 1_000_000)
        try file.setDate(date)

        disk.launch().cache.invalidateAll(partition: "")

        let attributes = try FileManager.default.attributesOfItem(atPath: file.filePath)
        #expect(attributes[.modificationDate] as? Date == date)
        #expect(await disk.launch().sendsRequest())
    }

    // Rule: cache/invalidation-survives-restart (46); cache/key-is-partition-and-url (18)
    // Rule: cache/partitions-are-separate (40)
    @Test(arguments: [true, false])
    func `a partition is invalidated on the disk, and others are not`(
        isWritten: Bool
    ) async throws {
        let first = disk.launch()
        let partitions = ["anna", "annabel", "bert", ""]
        let paths = ["a", "a?b", "a/b"]
        for partition in partitions {
            first.partition = partition
            for path in paths { try await first.store("\(partition) \(path)", path) }
        }

        (isWritten ? disk.launch() : first).cache.invalidateAll(partition: "anna")

        for client in [disk.launch()] + (isWritten ? [] : [first]) {
            for partition in partitions {
                client.partition = partition
                for path in paths {
                    #expect(await client.sendsRequest(path) == (partition == "anna"))
                    let offline = try await client.send("GET", path, server: unreachable)
                    #expect(offline.text == "\(partition) \(path)")
                }
            }
        }
    }

    // Rule: cache/invalidation-survives-restart (46); cache/incomplete-response-is-not-stored (9)
    @Test(arguments: [CacheChange.invalidated, .removed])
    func `a path that only the disk has is invalidated in one partition, and a URL is removed`(
        change: CacheChange
    ) async throws {
        let first = disk.launch()
        let paths = ["a", "a?b", "b"]
        for partition in ["", "anna"] {
            first.partition = partition
            for path in paths { try await first.store(path, path) }
        }

        disk.launch().cache.make(change, of: "a#fragment")

        let third = disk.launch()
        #expect(await third.sendsRequest("a"))
        let offline = try? await third.send("GET", "a", server: unreachable)
        #expect(offline?.text == (change == .invalidated ? "a" : nil))
        #expect(await third.sendsRequest("a?b") == (change == .invalidated))
        #expect(await !third.sendsRequest("b"))
        third.partition = "anna"
        for path in paths { #expect(await !third.sendsRequest(path)) }
    }
}
