import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StoringTests {
    private let client = CachedClient()

    // Rule: cache/only-get-is-stored (1)
    @Test(
        arguments: ["HEAD", "OPTIONS", "TRACE"].map { ($0, true) }
            + ["POST", "PUT", "PATCH", "DELETE", "M-SEARCH"].map { ($0, false) }
    )
    func `only responses to GET are stored, and other safe requests are forwarded`(
        method: String,
        isSafe: Bool
    ) async throws {
        try await client.store("old")

        let response = try await client.send(method) { _ in .fresh(statusCode: 202) }

        #expect(response == .fresh(statusCode: 202))
        #expect(client.cache.summaries().map(\.statusCode) == (isSafe ? [200] : []))
    }

    // Rule: cache/no-store-is-obeyed (2)
    @Test func `a request with no-store looks up, stores and removes nothing`()
        async throws
    {
        try await client.store("old")

        let response = try await client.send(headers: ["Cache-Control": "No-Store"]) { _ in
            .text("new", statusCode: 404)
        }

        #expect(response.text == "new" && client.requestCount == 2)
        #expect(try await client.send().text == "old")
        #expect(client.lastCondition == nil)
    }

    // Rule: cache/must-understand (3)
    @Test(
        arguments: [(200, true), (404, true), (201, false), (403, false), (299, false)],
        ["must-understand, no-store, max-age=60", "must-understand, max-age=60"]
    )
    func `must-understand overrides no-store for understood status codes`(
        status: (code: Int, isStored: Bool),
        directives: String
    ) async throws {
        try await client.send { _ in
            .text("", statusCode: status.code, headers: ["Cache-Control": directives])
        }

        #expect(client.cache.summaries().isEmpty == !status.isStored)
    }

    // Rule: cache/understood-status-codes (4)
    @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func `heuristically cacheable status codes have a heuristic freshness lifetime`(
        status: Int
    ) async throws {
        let headers: NetworkHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"]
        try await client.send { _ in .text("", statusCode: status, headers: headers) }

        client.clock.advance(by: .seconds(59))
        #expect(await !client.sendsRequest())
        client.clock.advance(by: .seconds(1))
        #expect(await client.sendsRequest())
    }

    // Rule: cache/understood-status-codes (4)
    @Test(
        arguments: [201, 202, 205, 207, 226, 299, 302, 303, 307, 400, 402, 418, 451, 499],
        [
            ("ETag", "\"1\"", nil), ("Cache-Control", "max-age=60", 60),
            ("Cache-Control", "public", 60), ("Expires", "Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ] as [(String, String, Int?)]
    )
    func `other status codes are stored only with explicit permission`(
        status: Int,
        field: (name: String, value: String, seconds: Int?)
    ) async throws {
        let modified = "Sun, 06 Nov 1994 08:39:37 GMT"
        let headers: NetworkHeaders = ["Last-Modified": modified, field.name: field.value]
        try await client.send { _ in .text("", statusCode: status, headers: headers) }

        #expect(client.cache.summaries().isEmpty == (field.seconds == nil))
        client.clock.advance(by: .seconds(59))
        #expect(await client.sendsRequest() == (field.seconds == nil))
    }

    // Rule: cache/understood-status-codes (4); cache/heuristic-lifetime (14)
    @Test func `other status codes have no heuristic freshness lifetime`() async throws {
        let modified = "Sun, 06 Nov 1994 00:00:00 GMT"
        let headers: NetworkHeaders = ["Cache-Control": "private", "Last-Modified": modified]
        try await client.send { _ in .text("", statusCode: 201, headers: headers) }

        #expect(client.cache.summaries().map(\.freshUntil) == [nil])
        #expect(await client.sendsRequest())
    }

    // Rule: cache/understood-status-codes (4)
    @Test(arguments: [100, 103, 199, 206, 304, 401, 403, 407, 600])
    func `interim, partial and 304 responses, and those about credentials, are not stored`(
        status: Int
    ) async throws {
        try await client.send { _ in
            .text("", statusCode: status, headers: ["Cache-Control": "max-age=60, public"])
        }

        #expect(client.cache.summaries().isEmpty)
    }

    // Rule: cache/useless-failure-is-not-stored (5)
    @Test(
        arguments: [200, 301, 404, 410, 501],
        [
            ([:], false), (["Cache-Control": "public"], false), (["Expires": "0"], false),
            (["Cache-Control": "max-age=0"], false), (["ETag": "\"1\""], true),
        ] as [(NetworkHeaders, Bool)]
    )
    func `a success is always stored, and others only if they are fresh or have a validator`(
        status: Int,
        headers: (NetworkHeaders, suffice: Bool)
    ) async throws {
        try await client.send { _ in .text("", statusCode: status, headers: headers.0) }

        #expect(client.cache.summaries().isEmpty == (status != 200 && !headers.suffice))
    }

    // Rule: cache/connection-fields-are-not-stored (6)
    @Test func `header fields of the connection are not stored`() async throws {
        try await client.store(
            responseHeaders: [
                "Cache-Control": "max-age=60, no-cache=\"X-Private, x-secret\"",
                "Connection": "close, X-Hop", "keep-alive": "timeout=5", "TE": "trailers",
                "Transfer-Encoding": "chunked", "Upgrade": "h2c", "Proxy-Authenticate": "Basic",
                "proxy-anything": "1", "x-hop": "1", "X-private": "1", "X-Secret": "1",
                "X-Kept": "1", "Set-Cookie": "a=b",
            ]
        )

        let names = try await client.send().headers.map { name, _ in name }

        #expect(Set(names) == ["Cache-Control", "X-Kept", "Set-Cookie", "Age"])
    }

    // Rule: cache/redirected-response-is-not-stored (8)
    @Test(arguments: [
        ("https://api.example.com/v1/products/boots", true),
        ("https://API.example.com:443/v1/products/boots#part", true),
        ("https://api.example.com/v1/products/hat", false),
        ("https://api.example.com/v1/products/boots?a=b", false),
        ("http://api.example.com/v1/products/boots", false),
        ("https://www.example.com/v1/products/boots", false),
        ("https://api.example.com:8443/v1/products/boots", false),
    ])
    func `a response that a redirect led to is not stored`(
        address: String,
        isStored: Bool
    ) async throws {
        let url = try #require(URL(string: address))
        try await client.send { _ in NetworkResponse(headers: .fresh, url: url) }

        #expect(client.cache.summaries().isEmpty == !isStored)
    }

    // Rule: cache/redirected-response-is-not-stored (8)
    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `a response reached over another origin and back is not stored and removes nothing`()
        async throws
    {
        try await client.storeStale("of the user")
        let sends = Counter()
        let networking = ClosureNetworking.closure { request in
            let targets = ["https://check.example/", "https://api.example.com/v1/products/boots"]
            let number = sends.next()
            guard number <= targets.count else {
                return NetworkResponse(headers: .fresh, body: Data("guest".utf8), url: request.url)
            }
            return NetworkResponse(statusCode: 302, headers: ["Location": targets[number - 1]])
        }

        let response = try await client.send {
            try await networking.followingRedirects().response(for: $0)
        }

        #expect(response.text == "guest" && sends.count == 3)
        #expect(try await client.send(policy: .cacheOnly).text == "of the user")
        let reason = "not stored: 1 (a redirect over another origin and back)"
        #expect(client.cache.contentsDescription().contains(reason))
    }

    // Rule: cache/redirected-response-is-not-stored (8)
    @Test func `a redirected response is not stored, also if its networking states no URL`()
        async throws
    {
        let networking = ClosureNetworking.closure { request in
            request.url?.lastPathComponent == "boots"
                ? NetworkResponse(statusCode: 302, headers: ["Location": "/v1/products/hat"])
                : NetworkResponse(headers: .fresh, body: Data("hat".utf8))
        }

        let response = try await client.send {
            try await networking.followingRedirects().response(for: $0)
        }

        #expect(response.text == "hat" && response.url?.lastPathComponent == "hat")
        await expectNetworkError(.notCached) { try await client.send(policy: .cacheOnly) }
    }

    // Rule: cache/incomplete-response-is-not-stored (9); security/failure-replaces-nothing (22)
    @Test func `an incomplete response is not stored`() async throws {
        await #expect(throws: NetworkError.self) {
            try await client.send { _ in throw NetworkError(.incomplete) }
        }

        #expect(client.cache.summaries().isEmpty)
    }
}
