import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ValidatingTests {
    private let client = CachedClient()
    private let modified = "sun, 06 nov 1994 00:00:00 gmt"

    // Rule: cache/conditions-are-sent (27)
    @Test(arguments: [
        ("\"1\"", "\"1\""), ("W/\"1\"", "W/\"1\""), ("1", "1"), ("\"a, b\"", "\"a, b\""),
        ("\"ä\"", "\"ä\""), (nil, nil), ("\"1\u{7}\"", nil),
    ])
    func `what is stale is asked for with the server's own words`(
        tag: String?,
        condition: String?
    ) async throws {
        var headers: NetworkHeaders = ["Last-Modified": modified, "Cache-Control": "max-age=0"]
        headers["ETag"] = tag
        try await client.store(responseHeaders: headers)

        _ = await client.sendsRequest()

        let request = try #require(client.requests.last)
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == condition)
        #expect(request.value(forHTTPHeaderField: "If-Modified-Since") == modified)
        #expect(request.value(forHTTPHeaderField: "Cache-Control") == nil)
    }

    // Rule: cache/conditions-are-sent (27)
    @Test func `without a validator there is no condition`() async throws {
        try await client.store(responseHeaders: ["Cache-Control": "max-age=0"])

        _ = await client.sendsRequest()

        #expect(client.requests.last?.allHTTPHeaderFields ?? [:] == [:])
    }

    // Rule: cache/conditions-are-sent (27); cache/policy-reaches-every-behavior (59)
    @Test(
        arguments: [
            (FetchPolicy.standard, nil, "\"1\""), (.cacheFirst, nil, "\"1\""),
            (.networkFirst, "max-age=0", "\"1\""), (.revalidate, "max-age=0", "\"1\""),
            (.reload, "no-cache", nil),
        ] as [(FetchPolicy, String?, String?)]
    )
    func `caches on the way are told, and no cache below answers`(
        policy: FetchPolicy,
        control: String?,
        condition: String?
    ) async throws {
        try await client.store()
        client.cache.invalidate(.shop("products/boots"))

        _ = await client.sendsRequest(policy: policy)

        let request = try #require(client.requests.last)
        #expect(client.requestCount == 2)
        #expect(request.value(forHTTPHeaderField: "Cache-Control") == control)
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == condition)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    // Rule: cache/conditions-are-sent (27)
    @Test func `what the caller tells caches stays`() async throws {
        try await client.send(headers: ["cache-control": "max-age=7"], policy: .revalidate)
        try await client.send(headers: ["cache-control": "max-age=7"], policy: .networkFirst)

        let told = client.requests.map { $0.value(forHTTPHeaderField: "Cache-Control") }
        #expect(told == ["max-age=7", "max-age=7"])
    }

    // Rule: cache/own-conditions-pass (28)
    @Test(arguments: [
        "If-None-Match", "if-match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
    ])
    func `who asks with conditions of their own is left alone`(name: String) async throws {
        try await client.store("old")

        let answer = try await client.send(headers: [name: "\"x\""]) { _ in
            NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""])
        }
        try await client.send(headers: [name: "\"x\""]) { _ in
            .text("new", statusCode: 404)
        }

        #expect(answer == NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""]))
        #expect(client.requests.allSatisfy { $0.cachePolicy == .reloadIgnoringLocalCacheData })
        #expect(try await client.send().text == "old")
    }

    // Rule: cache/304-returns-stored-body (29); cache/304-updates-fields (30)
    @Test func `a 304 brings the stored body with the newer fields, confirmed`() async throws {
        try await client.store(
            "boots",
            responseHeaders: [
                "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5",
                "Content-Encoding": "br", "Content-Type": "text/plain", "X-Old": "1", "X-Both": "1",
                "Age": "30", "Date": "Sun, 06 Nov 1994 08:49:30 GMT",
            ]
        )
        client.timeline.move(by: .seconds(60))

        let answer = try await confirm([
            "ETag": "\"1\"", "Content-Length": "0", "Content-Encoding": "gzip",
            "Content-Range": "bytes 0-0/1", "Content-Type": "text/html", "X-Both": "2",
            "X-New": "2",
            "Connection": "X-Hop", "X-Hop": "1", "Keep-Alive": "1",
        ])

        #expect(answer.statusCode == 200 && answer.text == "boots")
        #expect(answer.source == .revalidated)
        let fields: NetworkHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5",
            "Content-Encoding": "br", "Content-Type": "text/html", "X-Old": "1", "X-Both": "2",
            "X-New": "2", "Age": "0",
        ]
        #expect(answer.headers == fields)
        client.timeline.move(by: .seconds(59))
        let stored = try await client.send()
        #expect(stored.source == .cache(asOf: client.timeline.now - 59))
        #expect(stored.text == "boots" && stored.headers["X-New"] == "2")
        client.timeline.move(by: .seconds(1))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/304-returns-stored-body (29)
    @Test func `the status stays as stored, and attempts are told`() async throws {
        try await client.send { _ in
            .text("gone", statusCode: 410, headers: ["ETag": "\"1\""])
        }

        let answer = try await client.send { _ in
            var response = NetworkResponse(statusCode: 304)
            response.attempts = [NetworkAttempt(statusCode: 503)]
            return response
        }

        #expect(answer.statusCode == 410 && answer.attempts.count == 1)
    }

    // Rule: cache/304-updates-fields (30)
    @Test func `a 304 with an age and a date of its own is that old`() async throws {
        try await client.store()
        client.timeline.move(by: .seconds(60))

        let answer = try await confirm(["Age": "20", "Date": "Sun, 06 Nov 1994 08:50:12 GMT"])

        #expect(answer.headers["Age"] == "25")
        client.timeline.move(by: .seconds(35))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/no-store-is-obeyed (2); cache/304-updates-fields (30)
    @Test(arguments: ["Cache-Control", "Vary"])
    func `a 304 can forbid to keep the answer any longer`(name: String) async throws {
        try await client.store()
        client.timeline.move(by: .seconds(60))

        let answer = try await confirm([name: name == "Vary" ? "*" : "no-store"])

        #expect(answer.text == "boots" && client.cache.entries().isEmpty)
    }

    // Rule: cache/304-for-another-version (31)
    @Test(arguments: [
        ("\"1\"", "\"2\"", 3), ("\"1\"", "\"1\"", 2), ("\"1\"", nil, 2), ("W/\"1\"", "W/\"1\"", 2),
        ("W/\"1\"", "\"2\"", 3), ("\"1\"", "W/\"1\"", 2), (nil, "\"2\"", 3), (nil, nil, 2),
        ("W/\"1\"", "\"1\"", 2),
    ])
    func `a 304 about another version is no answer, and it is asked once more`(
        ours: String?,
        theirs: String?,
        asks: Int
    ) async throws {
        var headers: NetworkHeaders = ["Last-Modified": modified, "Cache-Control": "max-age=0"]
        headers["ETag"] = ours
        try await client.store("old", responseHeaders: headers)

        let answer = try await client.send { request in
            guard request.value(forHTTPHeaderField: "If-Modified-Since") != nil else {
                return .text("new", headers: ["Cache-Control": "max-age=60"])
            }
            var response = NetworkResponse(statusCode: 304)
            response.headers["ETag"] = theirs
            return response
        }

        #expect(client.requestCount == asks && answer.text == (asks == 3 ? "new" : "old"))
        #expect(answer.source == (asks == 3 ? .network : .revalidated))
        #expect(try await client.send(policy: .cacheOnly).text == answer.text)
    }

    // Rule: cache/304-for-another-version (31)
    @Test func `a server that insists on 304 is told to its caller`() async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        let answer = try await client.send { _ in
            NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""])
        }

        #expect(answer.statusCode == 304 && client.requestCount == 3)
        #expect(client.cache.entries().count == 1)
    }

    // Rule: cache/full-response-replaces (32)
    @Test(arguments: [
        (200, true), (204, true), (206, true), (302, true), (400, true), (403, true), (404, true),
        (410, true), (425, true), (401, false), (408, false), (429, false), (500, false),
        (503, false), (599, false),
    ])
    func `what may not be stored removes what was, unless it may pass`(
        status: Int,
        isRemoved: Bool
    ) async throws {
        try await client.store("old", headers: ["X-Mode": "a"], responseHeaders: varying)
        try await client.store("old", headers: ["X-Mode": "b"], responseHeaders: varying)

        try await client.send(headers: ["X-Mode": "a"], policy: .revalidate) { _ in
            .text("new", statusCode: status, headers: ["Cache-Control": "no-store"])
        }

        #expect(client.cache.entries().count == (isRemoved ? 0 : 2))
    }

    // Rule: cache/full-response-replaces (32); security/failure-replaces-nothing (22)
    @Test(arguments: [401, 429, 500, 503])
    func `a failure that may be stored does not take the place of an answer`(
        status: Int
    ) async throws {
        try await client.store("old")

        try await client.send(policy: .revalidate) { _ in
            .text("failed", statusCode: status, headers: ["Cache-Control": "max-age=60"])
        }

        #expect(try await client.send().text == "old")
    }

    // Rule: cache/full-response-replaces (32)
    @Test func `a failure that may be stored is, where there was nothing better`() async throws {
        for status in [500, 503] {
            try await client.send(policy: .revalidate) { _ in
                .text("failed", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
            #expect(try await client.send().statusCode == status)
        }

        #expect(client.requestCount == 2)
    }

    private let varying: NetworkHeaders = ["Cache-Control": "max-age=60", "Vary": "X-Mode"]

    private func confirm(_ headers: NetworkHeaders) async throws -> NetworkResponse {
        try await client.send { _ in NetworkResponse(statusCode: 304, headers: headers) }
    }
}
