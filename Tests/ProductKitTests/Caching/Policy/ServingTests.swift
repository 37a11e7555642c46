import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ServingTests {
    private let client = CachedClient()

    // Rule: cache/fresh-needs-no-request (22)
    @Test func `a fresh response is served without a request and dated`() async throws {
        let stored = client.clock.date
        let sent = try await client.send { _ in .fresh("boots") }
        #expect(sent == .fresh("boots") && sent.source == .network)
        client.clock.advance(by: .seconds(59))

        let response = try await client.send()

        #expect(response.text == "boots" && client.requestCount == 1)
        #expect(response.source == .cache(asOf: stored))
        #expect(response.url == .shop("products/boots"))
    }

    // Rule: cache/request-directives-are-obeyed (23)
    @Test(arguments: [
        ("", "", 59, false), ("", "", 60, true),
        ("", "no-cache", 0, true), ("", "NO-CACHE", 0, true), ("", "no-cache=\"a\"", 0, true),
        ("", "max-age=10", 10, false), ("", "max-age=10", 11, true), ("", "max-age=0", 0, true),
        ("", "max-age=x", 0, true), ("", "max-age=100", 61, true), ("", "max-age=\"10\"", 9, false),
        ("", "min-fresh=10", 50, false), ("", "min-fresh=10", 51, true),
        ("", "min-fresh=x", 0, true), ("", "min-fresh=61", 0, true),
        ("", "max-stale", 100_000, false), ("", "max-stale=10", 70, false),
        ("", "max-stale=10", 71, true), ("", "max-stale=x", 60, true),
        ("", "max-stale=0", 60, false),
        ("", "max-stale=10, max-age=65", 65, false), ("", "max-stale=10, max-age=65", 66, true),
        ("", "max-stale=100, min-fresh=1", 60, true), ("", "unknown", 59, false),
        (", must-revalidate", "max-stale", 60, true), (", no-cache", "max-stale", 0, true),
        (", proxy-revalidate", "max-stale", 60, false), (", s-maxage=1", "", 59, false),
    ])
    func `request directives determine whether a stored response is served`(
        responseDirectives: String,
        requestDirectives: String,
        age: Int,
        isSent: Bool
    ) async throws {
        let control = "max-age=60" + responseDirectives
        try await client.store(responseHeaders: ["Cache-Control": control])
        client.clock.advance(by: .seconds(age))

        #expect(await client.sendsRequest(headers: ["cache-control": requestDirectives]) == isSent)
    }

    // Rule: cache/request-directives-are-obeyed (23)
    @Test func `Pragma is ignored`() async throws {
        try await client.store(responseHeaders: [
            "Cache-Control": "max-age=60", "Pragma": "no-cache",
        ])

        #expect(await !client.sendsRequest(headers: ["Pragma": "no-cache"]))
    }

    // Rule: cache/request-directives-are-obeyed (23); cache/six-policies (58)
    @Test func `only-if-cached returns 504 when no response can be served`() async throws {
        let only = ["Cache-Control": "only-if-cached"]

        #expect(try await client.send(headers: only).statusCode == 504)
        try await client.store("boots")
        #expect(try await client.send(headers: only).text == "boots")
        for policy in [FetchPolicy.networkFirst, .revalidate, .reload] {
            #expect(try await client.send(headers: only, policy: policy).statusCode == 504)
        }
        client.clock.advance(by: .seconds(60))
        #expect(try await client.send(headers: only).statusCode == 504)
        let stale = ["Cache-Control": "only-if-cached, max-stale"]
        #expect(try await client.send(headers: stale).text == "boots")
        let unstored = ["Cache-Control": "only-if-cached, max-stale, no-store"]
        #expect(try await client.send(headers: unstored).statusCode == 504)
        #expect(client.requestCount == 1)
    }

    // Rule: cache/immutable-skips-reload (24); cache/invalidation-survives-restart (46)
    @Test func `a fresh immutable response is revalidated by reload only, or if it is invalidated`()
        async throws
    {
        try await client.store(responseHeaders: ["Cache-Control": "max-age=60, immutable"])

        #expect(await !client.sendsRequest(policy: .revalidate))
        #expect(await !client.sendsRequest(policy: .networkFirst))
        #expect(await client.sendsRequest(policy: .reload))
        client.cache.make(.invalidated)
        #expect(await client.sendsRequest())
        #expect(await client.sendsRequest(policy: .revalidate))
    }

    // Rule: cache/immutable-skips-reload (24)
    @Test(arguments: [FetchPolicy.revalidate, .networkFirst])
    func `a stale immutable response is revalidated`(policy: FetchPolicy) async throws {
        try await client.store(responseHeaders: ["Cache-Control": "max-age=60, immutable"])
        client.clock.advance(by: .seconds(60))

        #expect(await client.sendsRequest(policy: policy))
    }

    // Rule: cache/must-revalidate-is-obeyed (26); cache/must-revalidate-forbids-fallback (36)
    @Test(
        arguments: [
            FetchPolicy.standard, .cacheFirst, .cacheOnly, .networkFirst, .revalidate, .reload,
        ],
        [
            "max-age=60, must-revalidate", "max-age=600, no-cache",
            "max-age=60, must-revalidate, stale-while-revalidate=600, stale-if-error=600",
        ]
    )
    func `no policy serves what no-cache or must-revalidate forbids`(
        policy: FetchPolicy,
        directives: String
    ) async throws {
        try await client.store(responseHeaders: ["Cache-Control": directives, "ETag": "\"1\""])
        client.clock.advance(by: .seconds(60))

        let error = await #expect(throws: NetworkError.self) {
            _ = try await client.send(policy: policy, server: unreachable)
        }

        #expect(error?.code == (policy == .cacheOnly ? .notCached : .unreachable))
        let response = try? await client.send(
            headers: ["Cache-Control": "max-stale=600, stale-if-error=600"],
            policy: policy
        ) { _ in NetworkResponse(statusCode: 503) }
        #expect(response?.statusCode == (policy == .cacheOnly ? nil : 503))
    }
}
