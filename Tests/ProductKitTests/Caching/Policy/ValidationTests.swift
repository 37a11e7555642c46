import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ValidationTests {
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
        #expect(client.lastCondition == condition)
        #expect(request.value(forHTTPHeaderField: "If-Modified-Since") == modified)
        #expect(request.value(forHTTPHeaderField: "Cache-Control") == nil)
    }

    // Rule: cache/conditions-are-sent (27)
    @Test(arguments: [
        (37, nil, false), (37, "\"1\"", true), (36, nil, true), (42, nil, false),
        (37, "\"1\u{7}\"", false),
    ])
    func `a date of the second in which the response was sent is no condition without a tag`(
        second: Int,
        tag: String?,
        isSent: Bool
    ) async throws {
        var headers: NetworkHeaders = [
            "Cache-Control": "max-age=0", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
            "Last-Modified": "Sun, 06 Nov 1994 08:49:\(second) GMT",
        ]
        headers["ETag"] = tag
        try await client.store("on", responseHeaders: headers)
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { request in
            let isConditional = request.value(forHTTPHeaderField: "If-Modified-Since") != nil
            return isConditional ? NetworkResponse(statusCode: 304) : .fresh("off")
        }

        #expect(response.text == (isSent ? "on" : "off"))
    }

    // Rule: cache/conditions-are-sent (27); cache/policy-reaches-every-behavior (59)
    // With the directives of the caller, and without.
    @Test(
        arguments: [
            (FetchPolicy.standard, "a, Max-Age=7, b=\"c, d\"", nil, "\"1\""),
            (.cacheFirst, "a, Max-Age=7, b=\"c, d\"", nil, "\"1\""),
            (.networkFirst, "a, b=\"c, d\", max-age=0", "max-age=0", "\"1\""),
            (.revalidate, "a, b=\"c, d\", max-age=0", "max-age=0", "\"1\""),
            (.reload, "a, Max-Age=7, b=\"c, d\", no-cache", "no-cache", nil),
        ] as [(FetchPolicy, String, String?, String?)]
    )
    func `a policy adds Cache-Control to the directives of the caller, and URLCache is bypassed`(
        policy: FetchPolicy,
        control: String,
        ownControl: String?,
        condition: String?
    ) async throws {
        try await client.store()
        client.cache.make(.invalidated)

        let headers = ["cache-control": "a, Max-Age=7, b=\"c, d\""]
        let directives: [([String: String], String?)] = [(headers, control), ([:], ownControl)]
        for (headers, control) in directives {
            #expect(await client.sendsRequest(headers: headers, policy: policy))
            let request = try #require(client.requests.last)
            #expect(request.value(forHTTPHeaderField: "Cache-Control") == control)
            #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
            #expect(client.lastCondition == condition)
        }
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
        try await client.send(headers: [name: "\"x\""]) { _ in .text("new", statusCode: 404) }

        #expect(response == NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""]))
        #expect(client.requests.allSatisfy { $0.cachePolicy == .reloadIgnoringLocalCacheData })
        #expect(try await client.send().text == "old")
    }

    // Rule: cache/304-returns-stored-body (29); cache/304-updates-fields (30)
    @Test func `a 304 returns the stored status code and body with updated header fields`()
        async throws
    {
        let stored: NetworkHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5",
            "Content-Encoding": "br", "Content-Type": "text/plain", "X-Old": "1", "X-Both": "1",
            "Age": "30", "Date": "Sun, 06 Nov 1994 08:49:30 GMT",
        ]
        try await client.send { _ in .text("boots", statusCode: 410, headers: stored) }
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { _ in
            var response = NetworkResponse(
                statusCode: 304,
                headers: [
                    "ETag": "\"1\"", "Content-Length": "0", "Content-Encoding": "gzip",
                    "Content-Range": "bytes 0-0/1", "Content-Type": "text/html", "X-Both": "2",
                    "X-New": "2", "Connection": "X-Hop", "X-Hop": "1", "Keep-Alive": "1",
                ]
            )
            response.attempts = [NetworkAttempt(statusCode: 503)]
            return response
        }

        #expect(response.statusCode == 410 && response.text == "boots")
        #expect(response.source == .revalidated && response.attempts.count == 1)
        let fields: NetworkHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "5",
            "Content-Encoding": "br", "Content-Type": "text/plain", "X-Old": "1", "X-Both": "2",
            "X-New": "2", "Age": "0",
        ]
        #expect(response.headers == fields)
        client.clock.advance(by: .seconds(59))
        let served = try await client.send()
        #expect(served.source == .cache(asOf: client.clock.date - 59))
        #expect(served.text == "boots" && served.headers["X-New"] == "2")
        client.clock.advance(by: .seconds(1))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/304-updates-fields (30)
    @Test(
        arguments: [
            "Content-Type", "content-encoding", "Content-Language", "Content-Length",
            "Content-Location", "Content-Disposition", "Content-Range", "Content-MD5",
            "Content-Digest", "Repr-Digest", "Digest",
        ],
        [nil, "1"]
    )
    func `a 304 neither changes nor adds a field that describes the body`(
        name: String,
        stored: String?
    ) async throws {
        var headers: NetworkHeaders = ["Cache-Control": "max-age=0", "ETag": "\"1\""]
        headers[name] = stored
        try await client.store(responseHeaders: headers)

        #expect(try await revalidate([name: "2"]).headers[name] == stored)
        #expect(try await client.send(policy: .cacheOnly).headers[name] == stored)
    }

    // Rule: cache/304-updates-fields (30)
    @Test func `a 304 with Age and Date has that age`() async throws {
        try await client.storeStale()

        let response = try await revalidate(["Age": "20", "Date": "Sun, 06 Nov 1994 08:50:12 GMT"])

        #expect(response.headers["Age"] == "25")
        client.clock.advance(by: .seconds(35))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/no-store-is-obeyed (2); cache/304-updates-fields (30)
    // Rule: cache/unstored-responses-are-counted (78)
    @Test(arguments: [
        ("Cache-Control", "no-store", "Cache-Control: no-store"), ("Vary", "*", "Vary"),
    ])
    func `a 304 that forbids storing removes the stored response, and is counted`(
        name: String,
        value: String,
        reason: String
    ) async throws {
        try await client.storeStale()

        let response = try await revalidate([name: value])

        #expect(response.text == "old" && client.cache.summaries().isEmpty)
        #expect(client.cache.contentsDescription().hasSuffix("not stored: 1 (\(reason))"))
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
                return .fresh()
            }
            var response = NetworkResponse(statusCode: 304)
            response.headers["ETag"] = tag
            return response
        }

        #expect(client.requestCount == requestCount)
        #expect(response.text == (requestCount == 3 ? "new" : "old"))
        #expect(response.source == (requestCount == 3 ? .network : .revalidated))
        #expect(try await client.send(policy: .cacheOnly).text == response.text)
    }

    // Rule: cache/304-for-another-version (31)
    @Test(arguments: [
        ("https://API.example.com:443/v1/products/boots#part", true),
        ("https://api.example.com/v1/products/hat", false),
        ("https://www.example.com/v1/products/boots", false),
    ])
    func `a 304 that a redirect led to does not validate the stored response`(
        address: String,
        isValid: Bool
    ) async throws {
        let url = try #require(URL(string: address))
        try await client.storeStale()

        let response = try await client.send { request in
            let isConditional = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return isConditional
                ? NetworkResponse(statusCode: 304, url: url)
                : NetworkResponse(body: Data("hat".utf8), url: url)
        }

        #expect(response.text == (isValid ? "old" : "hat"))
        #expect(response.source == (isValid ? .revalidated : .network))
        #expect(client.requestCount == (isValid ? 2 : 3))
        #expect(client.cache.summaries().isEmpty == !isValid)
    }

    // Rule: cache/304-for-another-version (31)
    @Test func `after 304s with too many header fields the request is repeated without conditions`()
        async throws
    {
        try await client.storeStale()
        for page in 1...2 {
            client.clock.advance(by: .seconds(60))
            let fields = (1...600).map { ("X-\(page)-\($0)", "1") }

            let response = try await client.send { request in
                guard request.value(forHTTPHeaderField: "If-None-Match") != nil else {
                    return .fresh()
                }
                var response = NetworkResponse(statusCode: 304)
                for (name, value) in fields { response.headers[name] = value }
                return response
            }

            #expect(response.text == (page == 1 ? "old" : "new"))
        }
        #expect(client.requestCount == 4)
    }

    // Rule: cache/304-for-another-version (31)
    @Test func `an unsolicited 304 is returned to the caller`() async throws {
        try await client.storeStale()

        let response = try await revalidate(["ETag": "\"2\""])

        #expect(response.statusCode == 304 && client.requestCount == 3)
        #expect(client.cache.summaries().count == 1)
    }

    // Rule: cache/full-response-replaces (32); cache/no-store-is-obeyed (2)
    // Rule: security/no-store-and-private-files (20)
    @Test(arguments: [
        (200, true), (204, true), (206, false), (302, true), (400, true), (404, true), (410, true),
        (401, false), (403, false), (407, false), (408, false), (421, false), (425, false),
        (429, false),
        (500, false), (503, false), (599, false),
    ])
    func `a response that may not be stored removes the stored one unless it is transient`(
        status: Int,
        isRemoved: Bool
    ) async throws {
        for mode in ["a", "b"] { try await client.storeVariant(mode) }

        try await client.send(headers: ["X-Mode": "a"], policy: .revalidate) { _ in
            .text("new", statusCode: status, headers: ["Cache-Control": "no-store"])
        }

        #expect(client.cache.summaries().count == (isRemoved ? 0 : 2))
    }

    // Rule: cache/full-response-replaces (32); security/failure-replaces-nothing (22)
    @Test(arguments: [401, 403, 407, 408, 421, 425, 429, 500, 503], ["X-Mode", "X-Other", nil])
    func `a transient response removes no variant, whatever its Vary is`(
        status: Int,
        vary: String?
    ) async throws {
        for mode in 1...8 { try await client.storeVariant("\(mode)") }

        try await client.send(headers: ["X-Mode": "9"]) { _ in
            var response = NetworkResponse.fresh("failed", statusCode: status)
            response.headers["Vary"] = vary
            return response
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
        try await client.send { _ in .fresh("failed", statusCode: status) }
        #expect(try await client.send(policy: .cacheOnly).text == "failed")
        await #expect(throws: NetworkError.self) {
            try await client.send(policy: .networkFirst, server: unreachable)
        }
        client.clock.advance(by: .seconds(60))

        let headers = ["Cache-Control": "max-stale"]
        await #expect(throws: NetworkError.self) {
            try await client.send(headers: headers, policy: policy, server: unreachable)
        }
    }

    // Rule: cache/full-response-replaces (32)
    @Test func `a transient response is stored when no other response is`() async throws {
        for status in [500, 503] {
            try await client.send(policy: .revalidate) { _ in .fresh("failed", statusCode: status) }
            #expect(try await client.send().statusCode == status)
        }

        #expect(client.requestCount == 2)
    }

    private func revalidate(_ headers: NetworkHeaders) async throws -> NetworkResponse {
        try await client.send { _ in NetworkResponse(statusCode: 304, headers: headers) }
    }
}
