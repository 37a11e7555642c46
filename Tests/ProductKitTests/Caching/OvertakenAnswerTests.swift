import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OvertakenAnswerTests {
    private let client = CachedClient(related: { _ in [.shop("favorites")] })
    private let gate = Gate()

    // Rule: cache/invalidation-precedes-return (43)
    @Test(arguments: ["products/boots", "favorites", "favorites?page=2"])
    func `what is read after a mutation was never stored before it`(path: String) async throws {
        try await client.store("old", path)
        let sent = Gate()
        let write = Task {
            try await client.send("PUT") { _ in
                sent.open()
                try await gate.pass()
                return NetworkResponse(statusCode: 204)
            }
        }
        try await sent.pass()
        #expect(try await client.send("GET", path).text == "old")

        gate.open()
        _ = try await write.value

        #expect(await client.sendsRequest(path))
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test(arguments: ["removed", "expired", "put", "related", "lost"], [200, 304])
    func `an answer asked for before an invalidation is delivered and not kept`(
        way: String,
        status: Int
    ) async throws {
        let path = way == "related" ? "favorites?page=2" : "products/boots"
        try await client.store("old", path)
        client.timeline.move(by: .seconds(60))
        let answer = Task { try await held(path, status) }
        await gate.arrival()

        switch way {
        case "removed": client.cache.remove(.shop(path))
        case "expired": client.cache.invalidate(.shop(path))
        case "lost": _ = try? await client.send("PUT") { _ in throw NetworkError(.timedOut) }
        default: try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }
        }
        gate.open()

        #expect(try await answer.value.text == (status == 200 ? "new" : "old"))
        let next = try? await client.send("GET", path, policy: .cacheFirst, server: unreachable)
        #expect(next?.source.code != .cache && next?.text != "new")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `an answer that removes comes too late as well`() async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))
        let answer = Task { try await held("products/boots", 404) }
        await gate.arrival()

        client.cache.invalidate(.shop("products/boots"))
        try await client.store("new")
        gate.open()

        #expect(try await answer.value.statusCode == 404)
        #expect(try await client.send().text == "new")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `an invalidation of something else overtakes nothing`() async throws {
        let answer = Task { try await held("products/hat", 200) }
        await gate.arrival()

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }
        client.cache.invalidate(.shop("products/hat"), partition: "anna")
        gate.open()

        _ = try await answer.value
        #expect(await !client.sendsRequest("products/hat"))
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `the answer to an earlier question does not replace a later one's`() async throws {
        let answer = Task { try await held("products/boots", 200) }
        await gate.arrival()

        try await client.store("later")
        gate.open()

        #expect(try await answer.value.text == "new")
        #expect(try await client.send().text == "later")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `an earlier question's answer does not remove a later one's`() async throws {
        let answer = Task { try await held("products/boots", 404) }
        await gate.arrival()

        try await client.store("later")
        gate.open()

        #expect(try await answer.value.statusCode == 404)
        #expect(try await client.send().text == "later")
    }

    // Rule: cache/removal-before-request-counts (49)
    @Test(arguments: ["all removed", "removed", "another expired"], [200, 304])
    func `what was forgotten between looking up and asking is not kept`(
        way: String,
        status: Int
    ) async throws {
        let cache = ResponseCache()
        let readings = Counter()
        // A question reads the clock after it has looked up, and each answer twice more.
        let behavior = CachingBehavior(
            cache: cache,
            now: {
                let reading = readings.next()
                if reading == 4 {
                    switch way {
                    case "all removed": cache.removeAll()
                    case "removed": cache.remove(.shop("a"))
                    default: cache.invalidate(.shop("b"))
                    }
                }
                return Date(timeIntervalSince1970: reading < 4 ? 0 : 100)
            }
        )
        let request = URLRequest("GET", .shop("a"))
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        _ = try await behavior.send(request) { _ in .text("old", headers: headers) }

        let answer = try await behavior.send(request) { _ in
            .text("new", statusCode: status, headers: headers)
        }

        #expect(answer.text == (status == 200 ? "new" : "old"))
        let kept = way == "another expired" ? [Date(timeIntervalSince1970: 0)] : []
        #expect(cache.entries().map(\.asOf) == kept)
    }

    /// Asks for something whose answer waits at the gate.
    private func held(_ path: String, _ status: Int) async throws -> NetworkResponse {
        try await client.send("GET", path) { _ in
            try await gate.pass()
            let headers: NetworkHeaders =
                status == 404 ? [:] : ["Cache-Control": "max-age=60"]
            return .text("new", statusCode: status, headers: headers)
        }
    }
}
