import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StaleWhileRevalidateTests {
    private let client = CachedClient()
    private let gate = ActionGate<Void>()
    private let headers: NetworkHeaders = [
        "Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"1\"",
    ]

    // Rule: cache/stale-while-revalidate (25)
    @Test func `a stale response is served at once, and one revalidation runs in the background`()
        async throws
    {
        try await client.store("old", responseHeaders: headers)
        client.clock.advance(by: .seconds(89))
        let (revalidations, revalidated) = AsyncStream.makeStream(of: Void.self)
        try await sendTen(ended: revalidated.closure()) { _ in .text("new", headers: headers) }

        gate.open()
        for await _ in revalidations {}

        #expect(client.requestCount == 2)
        #expect(try await client.send().text == "new")
        #expect(client.lastCondition == "\"1\"")
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test(arguments: [
        ("", 90), ("max-age=100", 60), ("min-fresh=0", 60), ("max-age=0", 70), ("no-cache", 70),
    ])
    func `after stale-while-revalidate, or with a freshness directive, a request is sent first`(
        directive: String,
        age: Int
    ) async throws {
        try await client.store("old", responseHeaders: headers)
        client.clock.advance(by: .seconds(age))

        let response = try await client.send(headers: ["Cache-Control": directive]) { _ in
            .text("new")
        }

        #expect(response.text == "new")
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test func `no revalidation runs when the request may not be forwarded`() async throws {
        try await client.store("old", responseHeaders: headers)
        client.clock.advance(by: .seconds(70))

        let (calls, called) = AsyncStream.makeStream(of: Void.self)
        do {
            let call = called.closure()
            for policy in [FetchPolicy.standard, .cacheOnly] {
                let response = try await client.send(
                    headers: ["Cache-Control": "only-if-cached"],
                    policy: policy
                ) { _ in
                    call()
                    return .text("new")
                }
                #expect(response.text == "old")
            }
        }

        #expect(await calls.count == 0)
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test func `a failed background revalidation is ignored and the next one may run`() async throws
    {
        try await client.store("old", responseHeaders: headers)
        client.clock.advance(by: .seconds(70))
        try await revalidate(unreachable)
        try await revalidate { _ in NetworkResponse(statusCode: 500) }

        try await revalidate { _ in .text("new", headers: headers) }

        #expect(try await client.send().text == "new")
        #expect(client.requestCount == 4)
    }

    // Rule: cache/stale-while-revalidate (25); cache/changed-partition-drops-response (39)
    // Rule: cache/sign-out-empties-the-cache (42); cache/earlier-response-is-not-stored (48)
    @Test(arguments: [CacheChange.allRemoved, .removed, .invalidated, nil])
    func `a background revalidation that a change or another user supersedes stores nothing`(
        change: CacheChange?
    ) async throws {
        try await client.store("old", responseHeaders: headers)
        client.clock.advance(by: .seconds(70))
        let (revalidations, revalidated) = AsyncStream.makeStream(of: Void.self)
        try await sendTen(ended: revalidated.closure()) { _ in .text("late", headers: headers) }
        await gate.waitForCalls(1)

        if let change { client.cache.make(change) } else { client.partition = "anna" }
        gate.open()
        for await _ in revalidations {}

        #expect(client.requestCount == 2)
        client.partition = ""
        let next = try await client.send(policy: .cacheFirst) { _ in .text("fetched") }
        #expect(next.text == (change == nil ? "old" : "fetched"))
    }

    /// Sends ten requests; the background revalidation waits at the gate.
    private func sendTen(
        ended: @escaping @Sendable () -> Void,
        _ server: @escaping CachedClient.Server
    ) async throws {
        let gate = gate
        for _ in 0..<10 {
            let stale = try await client.send { request in
                defer { ended() }
                try await gate.hold()
                return try await server(request)
            }
            #expect(stale.text == "old" && stale.source.code == .cache)
        }
    }

    /// Sends a request, and waits until the background revalidation has ended.
    private func revalidate(_ server: @escaping CachedClient.Server) async throws {
        let (revalidations, revalidated) = AsyncStream.makeStream(of: Void.self)
        do {
            let ended = revalidated.closure()
            let stale = try await client.send { request in
                defer { ended() }
                return try await server(request)
            }
            #expect(stale.text == "old")
        }
        #expect(await revalidations.count == 1)
    }
}
