import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct StoringTests {
    private let client = CachedClient()

    // Rule: cache/only-get-is-stored (1)
    @Test(arguments: ["HEAD", "OPTIONS", "TRACE"])
    func `only responses to GET are stored, and other safe requests are forwarded`(
        method: String
    ) async throws {
        try await client.store()

        let response = try await client.send(method) { _ in NetworkResponse(statusCode: 202) }

        #expect(response == NetworkResponse(statusCode: 202))
        #expect(client.cache.summaries().map(\.statusCode) == [200])
        #expect(await !client.sendsRequest())
    }

    // Rule: cache/only-get-is-stored (1)
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "M-SEARCH"])
    func `the response to an unsafe request is not stored`(method: String) async throws {
        try await client.send(method) { _ in .text("", headers: ["Cache-Control": "max-age=60"]) }

        #expect(client.cache.summaries().isEmpty)
        #expect(await client.sendsRequest())
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
        #expect(client.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    // Rule: cache/no-store-is-obeyed (2); security/no-store-and-private-files (20)
    @Test func `a response with no-store removes the stored one`() async throws {
        try await client.store(responseHeaders: ["Cache-Control": "max-age=60"])
        client.clock.advance(by: .seconds(60))

        try await client.store(responseHeaders: ["Cache-Control": "no-store"])

        #expect(client.cache.summaries().isEmpty)
    }

    // Rule: cache/must-understand (3)
    @Test(arguments: [(200, true), (404, true), (201, false), (403, false), (299, false)])
    func `must-understand overrides no-store for understood status codes`(
        status: Int,
        isStored: Bool
    ) async throws {
        for directives in ["must-understand, no-store, max-age=60", "must-understand, max-age=60"] {
            let client = CachedClient()
            try await client.send { _ in
                .text("", statusCode: status, headers: ["Cache-Control": directives])
            }
            #expect(client.cache.summaries().isEmpty == !isStored)
        }
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
    @Test(arguments: [201, 202, 205, 207, 226, 299, 302, 303, 307, 400, 402, 418, 451, 499])
    func `other status codes are stored only with explicit permission`(status: Int) async throws {
        let modified = "Sun, 06 Nov 1994 08:39:37 GMT"
        for (field, value, seconds) in [
            ("ETag", "\"1\"", nil), ("Cache-Control", "max-age=60", 60),
            ("Cache-Control", "public", 60),
            ("Expires", "Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ] as [(String, String, Int?)] {
            let client = CachedClient()
            try await client.send { _ in
                .text(
                    "",
                    statusCode: status,
                    headers: ["Last-Modified": modified, field: value]
                )
            }
            #expect(client.cache.summaries().isEmpty == (seconds == nil), "\(field): \(value)")
            client.clock.advance(by: .seconds(59))
            #expect(await client.sendsRequest() == (seconds == nil), "\(field): \(value)")
        }
    }

    // Rule: cache/understood-status-codes (4); cache/heuristic-lifetime (14)
    @Test func `other status codes have no heuristic freshness lifetime`() async throws {
        try await client.send { _ in
            .text(
                "",
                statusCode: 201,
                headers: [
                    "Cache-Control": "private", "Last-Modified": "Sun, 06 Nov 1994 00:00:00 GMT",
                ]
            )
        }

        #expect(client.cache.summaries().map(\.freshUntil) == [nil])
        #expect(await client.sendsRequest())
    }

    // Rule: cache/understood-status-codes (4)
    @Test(arguments: [100, 103, 199, 206, 304, 600])
    func `partial, interim and 304 responses are not stored`(status: Int) async throws {
        try await client.send { _ in
            .text("", statusCode: status, headers: ["Cache-Control": "max-age=60, public"])
        }

        #expect(client.cache.summaries().isEmpty)
    }

    // Rule: cache/understood-status-codes (4)
    @Test(arguments: [401, 403, 407])
    func `a response that depends on credentials is not stored or served later`(
        status: Int
    ) async throws {
        try await client.send { _ in
            .text("refused", statusCode: status, headers: ["Cache-Control": "max-age=60, public"])
        }

        #expect(client.cache.summaries().isEmpty)
        for policy in [FetchPolicy.standard, .cacheFirst, .networkFirst] {
            await #expect(throws: NetworkError.self) {
                try await client.send(policy: policy, server: unreachable)
            }
        }
    }

    // Rule: cache/useless-failure-is-not-stored (5)
    @Test func `a 2xx response is stored even if it is never fresh`() async throws {
        try await client.store(responseHeaders: [:])

        #expect(try await client.send(server: unreachable).text == "boots")
    }

    // Rule: cache/useless-failure-is-not-stored (5)
    @Test(arguments: [301, 404, 410, 501])
    func `other responses are stored only if they are fresh or have a validator`(
        status: Int
    ) async throws {
        for headers in [
            [:], ["Cache-Control": "public"], ["Expires": "0"], ["Cache-Control": "max-age=0"],
        ] as [NetworkHeaders] {
            let client = CachedClient()
            try await client.send { _ in .text("", statusCode: status, headers: headers) }
            #expect(client.cache.summaries().isEmpty)
        }
        try await client.send { _ in .text("", statusCode: status, headers: ["ETag": "\"1\""]) }
        #expect(!client.cache.summaries().isEmpty)
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
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60"]
        let url = try #require(URL(string: address))
        try await client.send { _ in
            NetworkResponse(headers: headers, body: Data("boots".utf8), url: url)
        }

        #expect(client.cache.summaries().isEmpty == !isStored)
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `the responses of a URL can be removed`() async throws {
        try await client.store()
        try await client.store(headers: ["Authorization": "Bearer a"])
        try await client.store("hat", "products/hat")

        client.cache.remove(.shop("products/boots#part"), partition: "other")
        #expect(await !client.sendsRequest())
        client.cache.remove(.shop("products/boots#part"), partition: "")

        #expect(await client.sendsRequest())
        #expect(await client.sendsRequest(headers: ["Authorization": "Bearer a"]))
        #expect(await !client.sendsRequest("products/hat"))
    }

    // Rule: cache/incomplete-response-is-not-stored (9); security/failure-replaces-nothing (22)
    @Test func `an incomplete response is not stored`() async throws {
        await #expect(throws: NetworkError.self) {
            try await client.send { _ in throw NetworkError(.incomplete) }
        }

        #expect(client.cache.summaries().isEmpty)
    }
}
