import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FreshnessTests {
    private let client = CachedClient()
    private let now = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let long = "Sun, 06 Nov 1994 00:00:00 GMT"

    // Rule: cache/no-store-is-obeyed (2); cache/must-understand (3)
    // Rule: cache/connection-fields-are-not-stored (6); cache/cache-is-private (7)
    // Rule: cache/lifetime-order (10); cache/invalid-max-age-is-zero (11)
    @Test(arguments: FreshnessCase.cacheControl)
    func `the freshness lifetime is max-age`(row: FreshnessCase) async throws {
        try await check(row, ["Cache-Control": row.text, "Date": now])
    }

    // Rule: cache/invalid-expires-is-past (12); cache/three-date-formats (13)
    @Test(arguments: FreshnessCase.expires)
    func `the freshness lifetime ends at Expires in one of three date formats`(
        row: FreshnessCase
    ) async throws {
        try await check(row, ["Expires": row.text, "Date": now, "Last-Modified": long])
        // Without a valid Date, it is relative to the date of receipt.
        try await check(row, ["Expires": row.text])
        try await check(row, ["Expires": row.text, "Date": "Sun 06 Nov 1994 08:49:37 GMT"])
    }

    // Rule: cache/age-of-response (15)
    @Test(arguments: FreshnessCase.age)
    func `the initial age is the first member of Age`(row: FreshnessCase) async throws {
        try await check(row, ["Age": row.text, "Cache-Control": "max-age=60", "Date": now])
    }

    // Rule: cache/heuristic-lifetime (14)
    @Test(arguments: FreshnessCase.lastModified)
    func `the heuristic freshness lifetime is a tenth of the time since Last-Modified`(
        row: FreshnessCase
    ) async throws {
        try await check(row, ["Last-Modified": row.text, "Date": now])
    }

    // Rule: cache/heuristic-lifetime (14)
    @Test func `the fraction and the limit of the heuristic can be configured`() async throws {
        let headers: NetworkHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"]
        let off = CachedClient(heuristicFraction: 0)
        let half = CachedClient(heuristicFraction: 0.5, maximumHeuristicLifetime: .seconds(200))

        try await check(FreshnessCase("off", 0), headers, client: off)
        try await check(FreshnessCase("half", 200), headers, client: half)
    }

    // Rule: cache/lifetime-order (10)
    @Test(arguments: [
        FreshnessCase("max-age=60", 60), FreshnessCase("max-age=x", 0), FreshnessCase("public", 40),
    ])
    func `max-age takes precedence over Expires, and Expires over the heuristic`(
        row: FreshnessCase
    ) async throws {
        let expires = "Sun, 06 Nov 1994 08:50:17 GMT"
        try await check(
            row,
            ["Cache-Control": row.text, "Expires": expires, "Last-Modified": long]
        )
    }

    // Rule: cache/lifetime-order (10); cache/age-of-response (15)
    // The server's clock is right, 20 seconds behind, 20 seconds ahead.
    @Test(arguments: [
        FreshnessCase("Sun, 06 Nov 1994 08:49:37 GMT", 60),
        FreshnessCase("Sun, 06 Nov 1994 08:49:17 GMT", 40),
        FreshnessCase("Sun, 06 Nov 1994 08:49:57 GMT", 60),
    ])
    func `a Date in the past adds to the age, and one in the future has no effect`(
        row: FreshnessCase
    ) async throws {
        try await check(row, ["Cache-Control": "max-age=60", "Date": row.text])
        try await check(
            row,
            ["Cache-Control": "max-age=60", "Date": row.text, "Age": "5"],
            allowing: 5
        )
    }

    // Rule: cache/lifetime-order (10); cache/age-of-response (15)
    @Test func `Expires is relative to the clock of the server`() async throws {
        try await check(
            FreshnessCase("ahead", 60),
            ["Date": "Sun, 06 Nov 1994 10:49:37 GMT", "Expires": "Sun, 06 Nov 1994 10:50:37 GMT"]
        )
        try await check(
            FreshnessCase("behind", 0),
            ["Date": "Sun, 06 Nov 1994 06:49:37 GMT", "Expires": "Sun, 06 Nov 1994 06:50:37 GMT"]
        )
    }

    // Rule: cache/age-of-response (15)
    @Test func `the duration of the exchange adds to the age`() async throws {
        try await client.send { [clock = client.clock] _ in
            clock.advance(by: .seconds(20))
            return .text("boots", headers: ["Cache-Control": "max-age=60", "Age": "10"])
        }

        client.clock.advance(by: .seconds(29))
        #expect(try await client.send().headers["Age"] == "59")
        #expect(client.requestCount == 1)
        client.clock.advance(by: .seconds(1))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/age-of-response (15)
    @Test(arguments: [200, 304])
    func `failed attempts and the delays before retries do not add to the age`(
        status: Int
    ) async throws {
        try await client.store(#""boots""#, "wishlist", responseHeaders: ["ETag": "\"1\""])
        let sends = Counter()
        let clock = client.clock
        let network = client.network(RetryBehavior(effects: clock.effects())) { _ in
            clock.advance(by: .seconds(7))
            return sends.next() == 1
                ? NetworkResponse(statusCode: 503, headers: ["Retry-After": "20"])
                : .json(#""boots""#, statusCode: status, headers: .fresh)
        }

        _ = try await network.send(NetworkRequest<String>.get("wishlist"))

        let stored = try await client.send("GET", "wishlist", policy: .cacheOnly)
        #expect(stored.headers["Age"] == "7" && sends.count == 2)
    }

    // Rule: cache/clock-moved-back (16)
    @Test func `no response is fresh after the clock was set back`() async throws {
        try await client.store()

        client.clock.date -= 1
        #expect(await client.sendsRequest())
        #expect(await client.sendsRequest(headers: ["Cache-Control": "max-stale=100"]))
        client.clock.advance(by: .seconds(1))
        #expect(await !client.sendsRequest())
    }

    // Rule: cache/age-field-is-updated (17)
    @Test func `a stored response has an updated Age, and its Date and Expires are unchanged`()
        async throws
    {
        let headers: NetworkHeaders = [
            "Cache-Control": "max-age=60", "Age": "5", "Date": now, "Expires": "0",
        ]
        try await client.store(responseHeaders: headers)

        for (moved, age) in [(0.0, "5"), (0.9, "5"), (0.2, "6"), (30, "36")] {
            client.clock.advance(by: .seconds(moved))
            let response = try await client.send()
            var expected = headers
            expected["Age"] = age
            #expect(response.headers == expected)
        }
        #expect(client.requestCount == 1)
    }

    /// Checks that a stored response is fresh just before the end of its lifetime, and stale at the
    /// end.
    private func check(
        _ row: FreshnessCase,
        _ headers: NetworkHeaders,
        client: CachedClient = CachedClient(),
        allowing tolerance: Int = 0
    ) async throws {
        try await client.store(responseHeaders: headers)

        #expect(client.cache.summaries().isEmpty == (row.seconds == nil))
        let seconds = (row.seconds ?? 0) - tolerance
        if seconds > 0 {
            client.clock.advance(by: .seconds(Double(seconds) - 0.001))
            #expect(await !client.sendsRequest(), "It is stale too early.")
            client.clock.advance(by: .seconds(0.001))
        }
        client.clock.advance(by: .seconds(tolerance))
        #expect(await client.sendsRequest(), "It is fresh for too long.")
    }
}
