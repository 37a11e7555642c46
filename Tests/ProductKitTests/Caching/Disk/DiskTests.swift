import Foundation
import ProductKit
import Testing

/// What one run of a program leaves to the next.
@Suite(.timeLimit(.minutes(5))) struct DiskTests {
    // Rule: cache/disk-is-limited (51)
    @Test func `the next run answers as this one would`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            let headers: NetworkHeaders = [
                "Cache-Control": "max-age=60", "ETag": "\"1\"", "X-Note": "Käse",
            ]
            try await first.send { _ in .text("boots", statusCode: 203, headers: headers) }
            first.timeline.move(by: .seconds(7))
            let expected = try await first.send()

            let second = disk.run()
            second.timeline.move(by: .seconds(7))
            let answer = try await second.send()

            #expect(answer == expected && second.requestCount == 0)
            #expect(answer.statusCode == 203 && answer.text == "boots")
            #expect(answer.headers["Age"] == "7" && answer.headers["X-Note"] == "Käse")
            #expect(answer.source == .cache(asOf: second.timeline.now - 7))
            #expect(second.cache.entries() == first.cache.entries())
            second.timeline.move(by: .seconds(53))
            #expect(await second.sendsRequest())
        }
    }

    // Rule: cache/eight-variants (20); cache/disk-is-limited (51)
    @Test func `all variants are there in the next run`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            for language in ["de", "fr"] {
                try await first.store(
                    language,
                    headers: ["Accept-Language": language],
                    responseHeaders: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
                )
            }

            let second = disk.run()

            for language in ["de", "fr"] {
                let answer = try await second.send(headers: ["Accept-Language": language])
                #expect(answer.text == language)
            }
            #expect(second.requestCount == 0)
            #expect(await second.sendsRequest(headers: ["Accept-Language": "en"]))
            #expect(await second.sendsRequest())
        }
    }

    // Rule: cache/key-is-partition-and-url (18); cache/partitions-are-separate (40)
    @Test func `queries and users are kept apart`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            for (partition, path) in [
                ("anna", "a"), ("anna", "a?b"), ("bert", "a"), ("anna", "a/b"),
            ] {
                first.partition = partition
                try await first.store("\(partition) \(path)", path)
            }

            let second = disk.run()

            #expect(second.cache.entries().count == 4)
            second.partition = "anna"
            #expect(try await second.send("GET", "a").text == "anna a")
            #expect(try await second.send("GET", "a?b").text == "anna a?b")
            second.partition = "bert"
            #expect(try await second.send("GET", "a").text == "bert a")
            #expect(await second.sendsRequest("a?b"))
        }
    }

    // Rule: cache/304-updates-fields (30); cache/stale-if-error-is-marked (35)
    @Test func `what a 304 says is kept, too`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            try await first.store()
            first.timeline.move(by: .seconds(100))
            try await first.send(policy: .revalidate) { _ in
                NetworkResponse(statusCode: 304, headers: ["Cache-Control": "max-age=500"])
            }

            let second = disk.run()
            second.timeline.move(by: .seconds(599))

            let answer = try await second.send()
            #expect(answer.text == "boots" && second.requestCount == 0)
            #expect(answer.source == .cache(asOf: second.timeline.now - 499))
        }
    }

    // Rule: cache/full-response-replaces (32)
    @Test func `what the server has taken back is not there in the next run`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            try await first.store()
            disk.flush()
            try await first.send(policy: .revalidate) { _ in NetworkResponse(statusCode: 403) }

            #expect(disk.names.isEmpty)
            #expect(await disk.run().sendsRequest(policy: .cacheFirst))
        }
    }

    // Rule: cache/invalidation-precedes-return (43); cache/success-removes-responses (44)
    @Test func `a mutation removes what only the disk holds`() async throws {
        try await Disk.with { disk in
            try await disk.run().store()

            let second = disk.run()
            try await second.send("PUT") { _ in NetworkResponse(statusCode: 204) }

            #expect(disk.names.isEmpty)
            #expect(await second.sendsRequest(policy: .cacheFirst))
        }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test(arguments: [true, false])
    func `made old in one run, it is old in the next, and good to ask by and to stand in`(
        isWritten: Bool
    ) async throws {
        try await Disk.with { disk in
            let first = disk.run()
            let paths = ["products/boots", "products/boots?size=42"]
            for path in paths { try await first.store(path, path) }
            try await first.store("hat", "products/boots/hat")
            if isWritten { disk.flush() }
            first.cache.invalidate(.shop("products/boots?anything"))

            let second = disk.run()

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
            let third = disk.run()
            for path in paths { #expect(await !third.sendsRequest(path)) }
        }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test func `a run makes old what only the disk holds, and only what is meant`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            for partition in ["anna", "bert"] {
                first.partition = partition
                for path in ["a", "a?b", "b"] { try await first.store(path, path) }
            }

            disk.run().cache.invalidate(.shop("a"), partition: "anna")

            let third = disk.run()
            third.partition = "anna"
            #expect(await third.sendsRequest("a"))
            #expect(await third.sendsRequest("a?b"))
            #expect(await !third.sendsRequest("b"))
            third.partition = "bert"
            for path in ["a", "a?b", "b"] { #expect(await !third.sendsRequest(path)) }
        }
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `what one address is told to forget, the next run does not know`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            for path in ["a", "a?b"] { try await first.store(path, path) }

            disk.run().cache.remove(.shop("a#fragment"))

            let third = disk.run()
            #expect(await third.sendsRequest("a", policy: .cacheFirst))
            #expect(await !third.sendsRequest("a?b"))
        }
    }
}
