import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ResponseCacheTests {
    // Rule: cache/web-page-changes-nothing (74)
    @Test(
        arguments: [NetworkResponse.webPage, .webPage(statusCode: 404), .webPage(statusCode: 410)]
            + ["", " ", "Service temporarily unavailable", "nothing", "ok"].map {
                NetworkResponse.text($0)
            }
    )
    func `a web page, or a success that is not JSON, leaves the stored response`(
        response: NetworkResponse
    ) async throws {
        let network = CachedClient().network(returning: .json(#"{"id": "pan"}"#), response)
        let request = NetworkRequest<[String: String]>.get("goods", "pan")
        _ = try await network.send(request)

        await #expect(throws: NetworkError.self) {
            _ = try await network.send(request.fetching(.reload))
        }

        #expect(try await network.send(request.fetching(.cacheOnly)) == ["id": "pan"])
    }

    // Rule: cache/web-page-changes-nothing (74)
    @Test(arguments: ["application/hal+json", "application/a+json;v=1, application/json;q=0.9"])
    func `a web page leaves the stored response if all accepted types are JSON`(
        mediaTypes: String
    ) async throws {
        let network = CachedClient().network(returning: .json("7"), .webPage)
        let request = NetworkRequest<Int>.get("goods").header("Accept", mediaTypes)
        _ = try await network.send(request)

        _ = try? await network.send(request.fetching(.reload))

        #expect(try await network.send(request.fetching(.cacheOnly)) == 7)
    }

    // Rule: cache/web-page-changes-nothing (74)
    @Test func `a 204 replaces the stored response`() async throws {
        let network = CachedClient()
            .network(returning: .json("[7]"), NetworkResponse(statusCode: 204))
        let request = NetworkRequest<[Int]>(method: "GET", segments: ["goods"]) {
            $0.body.isEmpty ? [] : try $0.json()
        }
        .header("Accept", "application/json")
        _ = try await network.send(request)

        _ = try await network.send(request.fetching(.reload))

        #expect(try await network.send(request.fetching(.cacheOnly)) == [])
    }

    // Rule: cache/web-page-changes-nothing (74)
    @Test(arguments: ["true", " null", "-1", "\"a\"", "[]", "{}", "\u{FEFF}{}"])
    func `a success that is JSON replaces the stored response`(body: String) async throws {
        let network = CachedClient().network(returning: .text("1"), .text(body))
        let request = NetworkRequest<NetworkResponse>.get("goods", "pan")
        _ = try await network.send(request)

        _ = try await network.send(request.fetching(.reload))

        #expect(try await network.send(request.fetching(.cacheOnly)).text == body)
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `the least recently used responses are removed first`() async throws {
        let client = CachedClient(cache: ResponseCache(entryLimit: 3))
        for path in ["a", "b", "c"] { try await client.store(path, path) }
        #expect(await !client.sendsRequest("a"))

        try await client.store("d", "d")

        #expect(client.cache.summaries().map { $0.url.suffix(1) } == ["d", "a", "c"])
        #expect(await client.sendsRequest("b"))
        #expect(await !client.sendsRequest("c"))
        try await client.store("e", "e")
        #expect(client.cache.summaries().map { $0.url.suffix(1) } == ["e", "c", "d"])
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `memory holds 2,000 URLs by default`() async throws {
        let client = CachedClient()
        for number in 0...2_000 { try await client.store("", "products/\(number)") }

        #expect(client.cache.summaries().count == 2_000)
        #expect(await client.sendsRequest("products/0"))
        #expect(await !client.sendsRequest("products/1"))
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `memory never exceeds its byte limit`() async throws {
        let client = CachedClient(cache: ResponseCache(byteLimit: 10_000))
        var generator = SeededGenerator(seed: 5)
        for number in 0..<500 {
            let size = Int.random(in: 0...3_000, using: &generator)
            let path = "products/\(Int.random(in: 0..<20, using: &generator))"
            try await client.send("GET", path, policy: .reload) { _ in
                .fresh(String(repeating: "x", count: size))
            }
            let byteCount = client.cache.statistics.byteCount
            #expect(byteCount <= 10_000, "after \(number)")
            let bodies = client.cache.summaries().reduce(0) { $0 + $1.byteCount }
            #expect(bodies <= byteCount)
        }
        #expect(client.cache.summaries().count > 3)
        client.cache.removeAll()
        #expect(client.cache.statistics.byteCount == 0)
    }

    // Rule: cache/memory-is-limited (50)
    @Test
    func
        `a response larger than a quarter of memory is not stored, and the one it replaces is removed`()
        async throws
    {
        let client = CachedClient(cache: ResponseCache(byteLimit: 8_000))
        try await client.store("other", "other")
        try await client.store("old", "big")

        try await client.send("GET", "big", policy: .revalidate) { _ in
            .fresh(String(repeating: "x", count: 2_000))
        }

        #expect(client.cache.summaries().map(\.byteCount) == [5])
        #expect(await !client.sendsRequest("other"))
    }

    // Rule: cache/eight-variants (20); cache/memory-is-limited (50)
    @Test func `variants are stored as far as they fit into a quarter of memory`() async throws {
        let client = CachedClient(cache: ResponseCache(byteLimit: 8_000))
        for mode in 1...4 {
            try await client.storeVariant("\(mode)", String(repeating: "x", count: 400))
        }

        #expect((1...3).contains(client.cache.summaries().count))
        #expect(await !client.sendsRequest(headers: ["X-Mode": "4"]))
        #expect(await client.sendsRequest(headers: ["X-Mode": "1"]))
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `a cache with a limit of 0 stores nothing`() async throws {
        for cache in [ResponseCache(byteLimit: 0), ResponseCache(entryLimit: 0)] {
            let client = CachedClient(cache: cache)
            try await client.store()
            try await client.store()

            #expect(client.cache.summaries().isEmpty && client.requestCount == 2)
        }
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `a response is listed as fresh until the end of its lifetime, or an invalidation`()
        async throws
    {
        let client = CachedClient()
        try await client.store("hat", "hat", responseHeaders: ["Cache-Control": "no-cache"])
        try await client.store()

        #expect(client.cache.summaries().map(\.freshUntil) == [client.clock.date + 60, nil])
        client.cache.make(.invalidated)
        #expect(client.cache.summaries().map(\.freshUntil) == [nil, nil])
    }

    // Rule: cache/memory-is-limited (50)
    @Test func `the description lists the stored responses and the totals`() async throws {
        let client = CachedClient()
        try await client.store("boots", "products?q=boots&token=secret")
        client.partition = "anna"
        try await client.store("hat", "hat", responseHeaders: ["Cache-Control": "no-cache"])
        try await client.store("cap", "cap", responseHeaders: ["Cache-Control": "max-age=0"])
        client.clock.advance(by: .seconds(1))
        let fields: NetworkHeaders = ["Cache-Control": "max-age=0, must-revalidate"]
        try await client.store("tie", "tie", responseHeaders: fields)
        client.partition = ""
        try await client.send("GET", "products?q=boots&token=secret")

        #expect(
            client.cache.contentsDescription() == """
                https://api.example.com/v1/products?q=boots&token=redacted
                  status 200, 5 bytes, stored 1994-11-06T08:49:37Z, \
                fresh until 1994-11-06T08:50:37Z, partition “”
                https://api.example.com/v1/tie
                  status 200, 3 bytes, stored 1994-11-06T08:49:38Z, must be revalidated, \
                partition “anna”
                https://api.example.com/v1/cap
                  status 200, 3 bytes, stored 1994-11-06T08:49:37Z, stale, partition “anna”
                https://api.example.com/v1/hat
                  status 200, 3 bytes, stored 1994-11-06T08:49:37Z, must be revalidated, \
                partition “anna”
                responses: 4
                bytes in memory: \(client.cache.statistics.byteCount)
                bytes on disk: 0
                hits: 1
                misses: 4
                disk failures: 0
                """
        )
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/success-removes-responses (44)
    // Rule: cache/invalidation-survives-restart (46); cache/memory-is-limited (50)
    @Test func `concurrent lookups, stores and removals keep the cache within its limits`()
        async throws
    {
        let cache = ResponseCache(byteLimit: 40_000, entryLimit: 20)
        let client = CachedClient(cache: cache)
        await withTaskGroup { group in
            for worker in 0..<64 {
                group.addTask {
                    for turn in 0..<50 {
                        let path = "products/\((worker * 7 + turn) % 30)"
                        switch (worker + turn) % 16 {
                        case 0: cache.remove(.shop(path), partition: "")
                        case 1: cache.invalidate(.shop(path), partition: "")
                        case 2 where turn % 25 == 0: cache.removeAll()
                        case 3: _ = try? await client.send("PUT", path) { _ in NetworkResponse() }
                        case 4: _ = cache.summaries()
                        default:
                            let response = try? await client.send("GET", path) { _ in .fresh(path) }
                            #expect(response?.text == path)
                        }
                        #expect(cache.summaries().count <= 20)
                        #expect(cache.statistics.byteCount <= 40_000)
                    }
                }
            }
        }
        cache.removeAll()
        #expect(cache.statistics.byteCount == 0 && cache.summaries().isEmpty)
    }
}
