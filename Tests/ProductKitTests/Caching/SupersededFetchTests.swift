import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SupersededFetchTests {
    private let client = CachedClient(related: { _ in [.shop("favorites")] })
    private let gate = ActionGate<Void>()

    // Rule: cache/invalidation-precedes-return (43)
    @Test(arguments: ["products/boots", "favorites", "favorites?page=2"])
    func `a response stored before an unsafe request is not served after it`(
        path: String
    ) async throws {
        try await client.store("old", path)
        let sent = ActionGate<Void>()
        let write = Task {
            try await client.send("PUT") { _ in
                sent.open()
                try await gate.hold()
                return NetworkResponse(statusCode: 204)
            }
        }
        try await sent.hold()
        #expect(try await client.send("GET", path).text == "old")

        gate.open()
        _ = try await write.value

        #expect(await client.sendsRequest(path))
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test(arguments: ["removed", "invalidated", "put", "related", "lost"], [200, 304])
    func `a response in flight during an invalidation is returned but not stored`(
        way: String,
        status: Int
    ) async throws {
        let path = way == "related" ? "favorites?page=2" : "products/boots"
        try await client.store("old", path)
        client.clock.advance(by: .seconds(60))
        let response = Task { try await held(path, status) }
        await gate.waitForCalls(1)

        switch way {
        case "removed": client.cache.remove(.shop(path), partition: "")
        case "invalidated": client.cache.invalidate(.shop(path), partition: "")
        case "lost": _ = try? await client.send("PUT") { _ in throw NetworkError(.timedOut) }
        default: try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }
        }
        gate.open()

        #expect(try await response.value.text == (status == 200 ? "new" : "old"))
        let next = try? await client.send("GET", path, policy: .cacheFirst, server: unreachable)
        #expect(next?.source.code != .cache && next?.text != "new")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `a superseded 404 does not remove a newer stored response`() async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))
        let response = Task { try await held("products/boots", 404) }
        await gate.waitForCalls(1)

        client.cache.invalidate(.shop("products/boots"), partition: "")
        try await client.store("new")
        gate.open()

        #expect(try await response.value.statusCode == 404)
        #expect(try await client.send().text == "new")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `an invalidation of another URL or partition does not affect a fetch`() async throws
    {
        let response = Task { try await held("products/hat", 200) }
        await gate.waitForCalls(1)

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }
        client.cache.invalidate(.shop("products/hat"), partition: "anna")
        gate.open()

        _ = try await response.value
        #expect(await !client.sendsRequest("products/hat"))
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `the response of an earlier fetch does not replace that of a later one`()
        async throws
    {
        let response = Task { try await held("products/boots", 200) }
        await gate.waitForCalls(1)

        try await client.store("later")
        gate.open()

        #expect(try await response.value.text == "new")
        #expect(try await client.send().text == "later")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `a 404 of an earlier fetch does not remove the response of a later one`()
        async throws
    {
        let response = Task { try await held("products/boots", 404) }
        await gate.waitForCalls(1)

        try await client.store("later")
        gate.open()

        #expect(try await response.value.statusCode == 404)
        #expect(try await client.send().text == "later")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test(arguments: [200, 304], [404, 410])
    func `the response of an earlier fetch does not restore what a later 404 or 410 removed`(
        status: Int,
        laterStatus: Int
    ) async throws {
        for control in ["no-store", "max-age=60"] {
            let (client, gate) = (CachedClient(), ActionGate<Void>())
            try await client.store("old")
            client.clock.advance(by: .seconds(60))
            let response = Task {
                try await client.send { _ in
                    try await gate.hold()
                    return .text(
                        "late",
                        statusCode: status,
                        headers: ["Cache-Control": "max-age=60"]
                    )
                }
            }
            await gate.waitForCalls(1)

            try await client.send { _ in
                .text("gone", statusCode: laterStatus, headers: ["Cache-Control": control])
            }
            gate.open()

            #expect(try await response.value.text == (status == 200 ? "late" : "old"))
            let next = try? await client.send(policy: .cacheOnly)
            #expect(next?.text == (control == "no-store" ? nil : "gone"))
        }
    }

    // Rule: cache/earlier-response-is-not-stored (48); cache/eight-variants (20)
    @Test func `of two variants that are fetched at once both are stored`() async throws {
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
        let slow = Task {
            try await client.send(headers: ["Accept-Language": "de"]) { _ in
                try await gate.hold()
                return .text("de", headers: headers)
            }
        }
        await gate.waitForCalls(1)

        try await client.store(
            "en",
            headers: ["Accept-Language": "en"],
            responseHeaders: headers
        )
        gate.open()
        _ = try await slow.value

        for language in ["de", "en"] {
            let response = try await client.send(headers: ["Accept-Language": language])
            #expect(response.text == language && response.source.code == .cache)
        }
    }

    // Rule: cache/earlier-response-is-not-stored (48); cache/eight-variants (20)
    @Test func `a variant of an earlier fetch does not replace those with a newer Vary`()
        async throws
    {
        let slow = Task {
            try await client.send(headers: ["X-Mode": "a"]) { _ in
                try await gate.hold()
                return .text("a", headers: ["Cache-Control": "max-age=60", "Vary": "X-Old"])
            }
        }
        await gate.waitForCalls(1)

        try await client.store(
            "b",
            headers: ["X-Mode": "b"],
            responseHeaders: ["Cache-Control": "max-age=60", "Vary": "X-Mode"]
        )
        gate.open()
        _ = try await slow.value

        #expect(try await client.send(headers: ["X-Mode": "b"]).text == "b")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test(arguments: ["removed", "all removed", "later 404", "later 200", "invalidated"])
    func `a fetch that fails serves what is stored then, not what was stored before`(
        way: String
    ) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))
        let response = Task {
            try await client.send { _ in
                try await gate.hold()
                throw NetworkError(.unreachable)
            }
        }
        await gate.waitForCalls(1)

        switch way {
        case "removed": client.cache.remove(.shop("products/boots"), partition: "")
        case "all removed": client.cache.removeAll()
        case "invalidated": client.cache.invalidate(.shop("products/boots"), partition: "")
        default:
            let isFound = way == "later 200"
            try await client.send { _ in .text("new", statusCode: isFound ? 200 : 404) }
        }
        gate.open()

        let text = try? await response.value.text
        #expect(text == ["later 200": "new", "invalidated": "old"][way])
    }

    // Rule: cache/stale-if-error-causes (33); cache/memory-is-limited (50)
    @Test func `a fetch that fails serves a response that memory had no room for meanwhile`()
        async throws
    {
        let client = CachedClient(cache: ResponseCache(entryLimit: 1))
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { _ in
            try await client.store("hat", "products/hat")
            throw NetworkError(.unreachable)
        }

        #expect(response.text == "old" && response.source.code == .staleIfError)
    }

    // Rule: cache/removal-before-request-counts (49)
    @Test(arguments: ["all removed", "removed", "another invalidated"], [200, 304])
    func `a response is not stored when its URL was removed between lookup and fetch`(
        way: String,
        status: Int
    ) async throws {
        let cache = ResponseCache()
        let readings = Counter()
        // The behavior reads the clock after the lookup, and twice for each fetch.
        let behavior = CachingBehavior(
            cache: cache,
            partition: { "" },
            effects: SystemEffects(now: {
                let reading = readings.next()
                if reading == 4 {
                    switch way {
                    case "all removed": cache.removeAll()
                    case "removed": cache.remove(.shop("a"), partition: "")
                    default: cache.invalidate(.shop("b"), partition: "")
                    }
                }
                return Date(timeIntervalSince1970: reading < 4 ? 0 : 100)
            })
        )
        let request = OutgoingRequest("GET", .shop("a"))
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        _ = try await behavior.send(request) { _ in .text("old", headers: headers) }

        let response = try await behavior.send(request) { _ in
            .text("new", statusCode: status, headers: headers)
        }

        #expect(response.text == (status == 200 ? "new" : "old"))
        let kept = way == "another invalidated" ? [Date(timeIntervalSince1970: 0)] : []
        #expect(cache.summaries().map(\.asOf) == kept)
    }

    /// Sends a request whose response waits at the gate.
    private func held(_ path: String, _ status: Int) async throws -> NetworkResponse {
        try await client.send("GET", path) { _ in
            try await gate.hold()
            let headers: NetworkHeaders =
                status == 404 ? [:] : ["Cache-Control": "max-age=60"]
            return .text("new", statusCode: status, headers: headers)
        }
    }
}
