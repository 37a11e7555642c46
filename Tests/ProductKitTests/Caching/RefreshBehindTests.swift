import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RefreshBehindTests {
    private let client = CachedClient()
    private let gate = Gate()
    private let headers: NetworkHeaders = [
        "Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"1\"",
    ]

    // Rule: cache/stale-while-revalidate (25)
    @Test func `a stale answer is given at once, and one refresh runs behind it`() async throws {
        try await client.store("old", responseHeaders: headers)
        client.timeline.move(by: .seconds(89))
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        try await askTen(ended: end.closure()) { _ in .text("new", headers: headers) }

        gate.open()
        for await _ in ends {}

        #expect(client.requestCount == 2)
        #expect(try await client.send().text == "new")
        #expect(client.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test func `past that time it waits for the server`() async throws {
        try await client.store("old", responseHeaders: headers)
        client.timeline.move(by: .seconds(90))

        #expect(try await client.send { _ in .text("new") }.text == "new")
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test(arguments: ["max-age=100", "min-fresh=0", "max-age=0", "no-cache"])
    func `who says how fresh it must be waits for the server`(directive: String) async throws {
        try await client.store("old", responseHeaders: headers)
        client.timeline.move(by: .seconds(70))

        let answer = try await client.send(headers: ["Cache-Control": directive]) { _ in
            .text("new")
        }

        #expect(answer.text == "new")
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test func `when the network may not be asked, no refresh runs`() async throws {
        try await client.store("old", responseHeaders: headers)
        client.timeline.move(by: .seconds(70))

        let (calls, called) = AsyncStream.makeStream(of: Void.self)
        do {
            let call = called.closure()
            for policy in [FetchPolicy.standard, .cacheOnly] {
                let answer = try await client.send(
                    headers: ["Cache-Control": "only-if-cached"],
                    policy: policy
                ) { _ in
                    call()
                    return .text("new")
                }
                #expect(answer.text == "old")
            }
        }

        #expect(await calls.count == 0)
    }

    // Rule: cache/stale-while-revalidate (25)
    @Test func `a refresh that fails is silent, and the next one may run`() async throws {
        try await client.store("old", responseHeaders: headers)
        client.timeline.move(by: .seconds(70))
        try await refresh("old", unreachable)
        try await refresh("old") { _ in NetworkResponse(statusCode: 500) }

        try await refresh("old") { _ in .text("new", headers: headers) }

        #expect(try await client.send().text == "new")
        #expect(client.requestCount == 4)
    }

    // Rule: cache/stale-while-revalidate (25); cache/changed-partition-drops-response (39)
    // Rule: cache/sign-out-empties-the-cache (42); cache/earlier-response-is-not-stored (48)
    @Test(arguments: ["all removed", "removed", "made old", "signed in"])
    func `a refresh that is overtaken stores nothing`(way: String) async throws {
        try await client.store("old", responseHeaders: headers)
        client.timeline.move(by: .seconds(70))
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        try await askTen(ended: end.closure()) { _ in .text("late", headers: headers) }
        await gate.arrival()

        switch way {
        case "all removed": client.cache.removeAll()
        case "removed": client.cache.remove(.shop("products/boots"))
        case "made old": client.cache.invalidate(.shop("products/boots"))
        default: client.partition = "anna"
        }
        gate.open()
        for await _ in ends {}

        #expect(client.requestCount == 2)
        client.partition = ""
        let next = try await client.send(policy: .cacheFirst) { _ in .text("asked") }
        #expect(next.text == (way == "signed in" ? "old" : "asked"))
    }

    /// Asks ten times; the refresh waits at the gate.
    private func askTen(
        ended: @escaping @Sendable () -> Void,
        _ answer: @escaping CachedClient.Server
    ) async throws {
        let gate = gate
        for _ in 0..<10 {
            let stale = try await client.send { request in
                defer { ended() }
                try await gate.pass()
                return try await answer(request)
            }
            #expect(stale.text == "old" && stale.source.code == .cache)
        }
    }

    /// Asks once, and waits until the refresh behind has come to its end.
    private func refresh(_ text: String, _ answer: @escaping CachedClient.Server) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        do {
            let ended = end.closure()
            let stale = try await client.send { request in
                defer { ended() }
                return try await answer(request)
            }
            #expect(stale.text == text)
        }
        #expect(await ends.count == 1)
    }
}
