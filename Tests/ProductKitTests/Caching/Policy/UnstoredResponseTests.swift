import Foundation
import ProductKit
import Testing

/// Responses that a server forbids to store, parts, and those that are not stored for other reasons.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnstoredResponseTests {
    private let client = CachedClient()
    private let disk = TemporaryDisk()

    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `the description says how many responses were not stored and why`() async throws {
        try await client.store("a", "a", responseHeaders: ["Cache-Control": "no-store"])
        try await client.store("a", "a", responseHeaders: ["Cache-Control": "private, no-store"])
        try await client.store("a", "b", responseHeaders: ["Vary": "*"])
        for (path, status) in [("c", 403), ("d", 206), ("e", 404)] {
            try await client.send("GET", path) { _ in .text("", statusCode: status) }
        }
        try await client.send("GET", "f") { _ in
            NetworkResponse(url: URL(string: "https://api.example.com/elsewhere"))
        }
        let failing = NetworkRequest<Product>.get("pan").failing(at: "errors")
        await #expect(throws: NetworkError.self) {
            try await client.network { _ in .json(#"{"errors": ["No"]}"#) }.send(failing)
        }

        let lines = client.cache.contentsDescription().split(separator: "\n")

        #expect(
            lines.suffix(7).sorted() == [
                "not stored: 1 (Vary)", "not stored: 1 (a redirect)",
                "not stored: 1 (a success that reports a failure)",
                "not stored: 1 (incomplete, or another media type than the request accepts)",
                "not stored: 1 (neither fresh nor with a validator)",
                "not stored: 1 (the status code)", "not stored: 2 (Cache-Control: no-store)",
            ]
        )
    }

    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `a response that varies by a secret is counted if it cannot be on disk`()
        async throws
    {
        let fields: NetworkHeaders = ["Cache-Control": "max-age=60", "Vary": "X-Access-Key"]
        let (key, credentials) = (["X-Access-Key": "secret"], ["Authorization": "secret"])
        let stored = disk.launch()
        for client in [client, stored] {
            try await client.store("a", "a", headers: key, responseHeaders: fields)
            try await client.store("b", "b", headers: credentials)
            try await client.store("c", "c", responseHeaders: fields)
        }

        let line = "not on disk: 2 (Authorization, or a secret that Vary names)"
        #expect(stored.cache.contentsDescription().hasSuffix(line))
        #expect(!client.cache.contentsDescription().contains("not on disk"))
        #expect(await !stored.sendsRequest("a", headers: key))
        let next = disk.launch()
        #expect(await next.sendsRequest("a", headers: key))
        #expect(await !next.sendsRequest("c"))
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `with another Cache-Control, a response is stored and served offline`() async throws
    {
        let network = client.network(returning: unstored("1"), unstored("2"))
        let request = wishlist.overridingCacheControl("max-age=0")

        let values = try await [network.send(request), network.send(request)]
        let offline = try await network.send(request.fetched)

        #expect(values == ["1", "2"] && offline.value == "2")
        #expect(offline.source.code == .staleIfError)
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `a client replaces the Cache-Control of all requests that do not`() async throws {
        let network = client.network(returning: unstored("1"), unstored("2"), unstored("3"))
            .overridingCacheControl("max-age=60")
        let own = NetworkRequest<String>.get("cart").overridingCacheControl("no-store")

        for _ in 1...2 { #expect(try await network.send(wishlist) == "1") }

        #expect(try await network.send(own) == "2")
        #expect(try await network.send(own) == "3")
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `a 304 does not remove a response with another Cache-Control`() async throws {
        let notModified = NetworkResponse(statusCode: 304, headers: ["Cache-Control": "no-store"])
        let network = client.network(returning: unstored("1"), notModified, notModified)
        let request = wishlist.overridingCacheControl("max-age=0")

        for _ in 1...3 { #expect(try await network.send(request) == "1") }

        #expect(client.requestCount == 3 && client.lastCondition == "\"1\"")
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test(arguments: [401, 404, 500])
    func `the Cache-Control of a failure is not replaced`(statusCode: Int) async throws {
        let network = client.network { _ in .json(#""none""#, statusCode: statusCode) }
        let request = wishlist.overridingCacheControl("max-age=60")

        for _ in 1...2 {
            await #expect(throws: NetworkError.self) { try await network.send(request) }
        }

        #expect(client.requestCount == 2)
    }

    // Rule: cache/part-replaces-nothing (76)
    @Test(arguments: [FetchPolicy.revalidate, .reload, .networkFirst])
    func `a part that was not requested is returned, and the stored response stays`(
        policy: FetchPolicy
    ) async throws {
        try await client.store("boots")

        let response = try await client.send(policy: policy) { _ in
            .text("bo", statusCode: 206, headers: ["Content-Range": "bytes 0-1/5"])
        }

        #expect(response.statusCode == 206 && response.text == "bo")
        #expect(try await client.send(policy: .cacheOnly).text == "boots")
    }

    // Rule: cache/part-replaces-nothing (76)
    @Test func `a part that cannot be decoded does not remove the stored response`() async throws {
        let network = client.network(
            returning: .fresh(#"{"id": "boots", "name": "Boots"}"#),
            .fresh(#"{"id": "boots", "name"#, statusCode: 206)
        )
        let request = NetworkRequest<Product>.get("products", "boots")
        _ = try await network.send(request)

        await #expect(throws: NetworkError.self) {
            try await network.send(request.fetching(.reload))
        }

        #expect(try await network.send(request.fetching(.cacheOnly)).name == "Boots")
    }

    // Rule: cache/ranges-are-forwarded (77)
    @Test(arguments: [206, 200, 404, 416])
    func `a forwarded range request is unconditional, and stores and removes nothing`(
        status: Int
    ) async throws {
        try await client.store("boots")

        let response = try await client.send(headers: range) { _ in
            .fresh("x", statusCode: status)
        }

        #expect(response.text == "x")
        #expect(client.requests.last?.value(forHTTPHeaderField: "Range") == "bytes=0-0")
        #expect(client.lastCondition == nil)
        #expect(try await client.send(policy: .cacheOnly).text == "boots")
    }

    // Rule: cache/ranges-are-forwarded (77)
    @Test func `a range request is not served from the cache`() async throws {
        try await client.store("boots")

        await #expect(throws: NetworkError.self) {
            try await client.send(headers: range, server: unreachable)
        }
        await #expect(throws: NetworkError.self) {
            try await client.send(headers: range, policy: .cacheOnly)
        }
        #expect(client.requestCount == 2)
    }

    private let range = ["Range": "bytes=0-0"]
    private let wishlist = NetworkRequest<String>.get("wishlist")

    /// A response that may not be stored.
    private func unstored(_ number: String) -> NetworkResponse {
        .json("\"\(number)\"", headers: ["Cache-Control": "no-cache, no-store", "ETag": "\"1\""])
    }
}
