import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ValidationTests {
    private let client = CachedClient()
    private let modified = "sun, 06 nov 1994 00:00:00 gmt"

    // Rule: cache/conditions-are-sent (27)
    @Test(arguments: [
        ("\"1\"", "\"1\""), ("W/\"1\"", "W/\"1\""), ("1", "1"), ("\"a, b\"", "\"a, b\""),
        ("\"ä\"", "\"ä\""), (nil, nil), ("\"1\u{7}\"", nil),
    ])
    func `a stale response is revalidated with its validators, byte for byte`(
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
    @Test func `a request without a stored validator is unconditional`() async throws {
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
    func `a policy adds Cache-Control, and URLCache is bypassed`(
        policy: FetchPolicy,
        control: String?,
        condition: String?
    ) async throws {
        try await client.store()
        client.cache.invalidate(.shop("products/boots"), partition: "")

        _ = await client.sendsRequest(policy: policy)

        let request = try #require(client.requests.last)
        #expect(client.requestCount == 2)
        #expect(request.value(forHTTPHeaderField: "Cache-Control") == control)
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == condition)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    // Rule: cache/conditions-are-sent (27)
    @Test(arguments: [
        (FetchPolicy.standard, "a, Max-Age=7, b=\"c, d\""),
        (.networkFirst, "a, b=\"c, d\", max-age=0"), (.revalidate, "a, b=\"c, d\", max-age=0"),
        (.reload, "a, Max-Age=7, b=\"c, d\", no-cache"),
    ])
    func `a policy keeps the other directives of the caller`(
        policy: FetchPolicy,
        control: String
    ) async throws {
        let headers = ["cache-control": "a, Max-Age=7, b=\"c, d\""]

        try await client.send(headers: headers, policy: policy)

        #expect(client.requests.last?.value(forHTTPHeaderField: "Cache-Control") == control)
    }

    // Rule: cache/own-conditions-pass (28)
    @Test(arguments: [
        "If-None-Match", "if-match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
    ])
    func `a request with conditions of its own is forwarded unchanged`(name: String) async throws {
        try await client.store("old")

        let response = try await client.send(headers: [name: "\"x\""]) { _ in
            NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""])
        }
        try await client.send(headers: [name: "\"x\""]) { _ in
            .text("new", statusCode: 404)
        }

        #expect(response == NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""]))
        #expect(client.requests.allSatisfy { $0.cachePolicy == .reloadIgnoringLocalCacheData })
        #expect(try await client.send().text == "old")
    }

    // Rule: cache/304-returns-stored-body (29); cache/304-updates-fields (30)
    @Test func `a 304 returns the stored body with updated header fields`() async throws {
        try await client.store(
            "boots",
            responseHeaders: [
                "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5",
                "Content-Encoding": "br", "Content-Type": "text/plain", "X-Old": "1", "X-Both": "1",
                "Age": "30", "Date": "Sun, 06 Nov 1994 08:49:30 GMT",
            ]
        )
        client.clock.advance(by: .seconds(60))

        let response = try await revalidate([
            "ETag": "\"1\"", "Content-Length": "0", "Content-Encoding": "gzip",
            "Content-Range": "bytes 0-0/1", "Content-Type": "text/html", "X-Both": "2",
            "X-New": "2",
            "Connection": "X-Hop", "X-Hop": "1", "Keep-Alive": "1",
        ])

        #expect(response.statusCode == 200 && response.text == "boots")
        #expect(response.source == .revalidated)
        let fields: NetworkHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5",
            "Content-Encoding": "br", "Content-Type": "text/plain", "X-Old": "1", "X-Both": "2",
            "X-New": "2", "Age": "0",
        ]
        #expect(response.headers == fields)
        client.clock.advance(by: .seconds(59))
        let stored = try await client.send()
        #expect(stored.source == .cache(asOf: client.clock.date - 59))
        #expect(stored.text == "boots" && stored.headers["X-New"] == "2")
        client.clock.advance(by: .seconds(1))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/304-updates-fields (30)
    @Test(arguments: [
        "Content-Type", "content-encoding", "Content-Language", "Content-Length",
        "Content-Location",
        "Content-Disposition", "Content-Range", "Content-MD5", "Content-Digest", "Repr-Digest",
        "Digest",
    ])
    func `a 304 neither changes nor adds a field that describes the body`(name: String) async throws
    {
        for stored in [nil, "1"] {
            client.cache.removeAll()
            var headers: NetworkHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
            headers[name] = stored
            try await client.store("boots", responseHeaders: headers)
            client.clock.advance(by: .seconds(60))

            #expect(try await revalidate([name: "2"]).headers[name] == stored)
            #expect(try await client.send(policy: .cacheOnly).headers[name] == stored)
        }
    }

    // Rule: cache/304-returns-stored-body (29)
    @Test func `a 304 returns the stored status code and its own attempts`() async throws {
        try await client.send { _ in
            .text("gone", statusCode: 410, headers: ["ETag": "\"1\""])
        }

        let response = try await client.send { _ in
            var response = NetworkResponse(statusCode: 304)
            response.attempts = [NetworkAttempt(statusCode: 503)]
            return response
        }

        #expect(response.statusCode == 410 && response.attempts.count == 1)
    }

    // Rule: cache/304-updates-fields (30)
    @Test func `a 304 with Age and Date has that age`() async throws {
        try await client.store()
        client.clock.advance(by: .seconds(60))

        let response = try await revalidate(["Age": "20", "Date": "Sun, 06 Nov 1994 08:50:12 GMT"])

        #expect(response.headers["Age"] == "25")
        client.clock.advance(by: .seconds(35))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/no-store-is-obeyed (2); cache/304-updates-fields (30)
    @Test(arguments: ["Cache-Control", "Vary"])
    func `a 304 that forbids storing removes the stored response`(name: String) async throws {
        try await client.store()
        client.clock.advance(by: .seconds(60))

        let response = try await revalidate([name: name == "Vary" ? "*" : "no-store"])

        #expect(response.text == "boots" && client.cache.summaries().isEmpty)
    }

    // Rule: cache/304-for-another-version (31)
    @Test(arguments: [
        ("\"1\"", "\"2\"", 3), ("\"1\"", "\"1\"", 2), ("\"1\"", nil, 2), ("W/\"1\"", "W/\"1\"", 2),
        ("W/\"1\"", "\"2\"", 3), ("\"1\"", "W/\"1\"", 2), (nil, "\"2\"", 3), (nil, nil, 2),
        ("W/\"1\"", "\"1\"", 2),
    ])
    func `after a 304 about another version the request is repeated without conditions`(
        storedTag: String?,
        tag: String?,
        requestCount: Int
    ) async throws {
        var headers: NetworkHeaders = ["Last-Modified": modified, "Cache-Control": "max-age=0"]
        headers["ETag"] = storedTag
        try await client.store("old", responseHeaders: headers)

        let response = try await client.send { request in
            guard request.value(forHTTPHeaderField: "If-Modified-Since") != nil else {
                return .text("new", headers: ["Cache-Control": "max-age=60"])
            }
            var response = NetworkResponse(statusCode: 304)
            response.headers["ETag"] = tag
            return response
        }

        #expect(
            client.requestCount == requestCount
                && response.text == (requestCount == 3 ? "new" : "old")
        )
        #expect(response.source == (requestCount == 3 ? .network : .revalidated))
        #expect(try await client.send(policy: .cacheOnly).text == response.text)
    }

    // Rule: cache/304-for-another-version (31)
    @Test func `an unsolicited 304 is returned to the caller`() async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { _ in
            NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""])
        }

        #expect(response.statusCode == 304 && client.requestCount == 3)
        #expect(client.cache.summaries().count == 1)
    }

    // Rule: cache/full-response-replaces (32)
    @Test(arguments: [
        (200, true), (204, true), (206, false), (302, true), (400, true), (404, true), (410, true),
        (401, false), (403, false), (407, false), (408, false), (425, false), (429, false),
        (500, false), (503, false), (599, false),
    ])
    func `a response that may not be stored removes the stored one unless it is transient`(
        status: Int,
        isRemoved: Bool
    ) async throws {
        try await client.store("old", headers: ["X-Mode": "a"], responseHeaders: varying)
        try await client.store("old", headers: ["X-Mode": "b"], responseHeaders: varying)

        try await client.send(headers: ["X-Mode": "a"], policy: .revalidate) { _ in
            .text("new", statusCode: status, headers: ["Cache-Control": "no-store"])
        }

        #expect(client.cache.summaries().count == (isRemoved ? 0 : 2))
    }

    // Rule: cache/full-response-replaces (32); security/failure-replaces-nothing (22)
    @Test(arguments: [401, 429, 500, 503])
    func `a transient response does not replace a stored response`(
        status: Int
    ) async throws {
        try await client.store("old")

        try await client.send(policy: .revalidate) { _ in
            .text("failed", statusCode: status, headers: ["Cache-Control": "max-age=60"])
        }

        #expect(try await client.send().text == "old")
    }

    // Rule: cache/full-response-replaces (32); security/failure-replaces-nothing (22)
    @Test(arguments: [401, 403, 407, 408, 425, 429, 500, 503], ["X-Mode", "X-Other", nil])
    func `a transient response removes no variant, whatever its Vary is`(
        status: Int,
        vary: String?
    ) async throws {
        for mode in 1...8 {
            try await client.store(
                "\(mode)",
                headers: ["X-Mode": "\(mode)"],
                responseHeaders: varying
            )
        }
        var headers: NetworkHeaders = ["Cache-Control": "max-age=60"]
        headers["Vary"] = vary

        try await client.send(headers: ["X-Mode": "9"]) { [headers] _ in
            .text("failed", statusCode: status, headers: headers)
        }

        for mode in 1...8 {
            let response = try await client.send(headers: ["X-Mode": "\(mode)"])
            #expect(response.text == "\(mode)" && response.source.code == .cache)
        }
    }

    // Rule: cache/full-response-replaces (32)
    @Test(
        arguments: [408, 425, 429, 500, 503],
        [FetchPolicy.cacheFirst, .cacheOnly, .networkFirst]
    )
    func `a stored transient response is not served once it is stale`(
        status: Int,
        policy: FetchPolicy
    ) async throws {
        try await client.send { _ in
            .text("failed", statusCode: status, headers: ["Cache-Control": "max-age=60"])
        }
        #expect(try await client.send(policy: .cacheOnly).text == "failed")
        await #expect(throws: NetworkError.self) {
            try await client.send(policy: .networkFirst, server: unreachable)
        }
        client.clock.advance(by: .seconds(60))

        let response = try? await client.send(
            headers: ["Cache-Control": "max-stale"],
            policy: policy,
            server: unreachable
        )

        #expect(response == nil)
    }

    // Rule: cache/full-response-replaces (32)
    @Test func `a transient response is stored when no other response is`() async throws {
        for status in [500, 503] {
            try await client.send(policy: .revalidate) { _ in
                .text("failed", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
            #expect(try await client.send().statusCode == status)
        }

        #expect(client.requestCount == 2)
    }

    private let varying: NetworkHeaders = ["Cache-Control": "max-age=60", "Vary": "X-Mode"]

    private func revalidate(_ headers: NetworkHeaders) async throws -> NetworkResponse {
        try await client.send { _ in NetworkResponse(statusCode: 304, headers: headers) }
    }
}
