import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RangeTests {
    private let client = CachedClient()

    // Rule: cache/ranges-of-stored-responses (38)
    @Test(arguments: [
        ("bytes=0-0", "b", "0-0"), ("bytes=1-3", "oot", "1-3"), ("bytes=3-", "ts", "3-4"),
        ("bytes=-2", "ts", "3-4"), ("bytes=0-99", "boots", "0-4"), ("bytes=-99", "boots", "0-4"),
        ("BYTES=4-4", "s", "4-4"), ("bytes=0-", "boots", "0-4"),
        ("bytes=2-99999999999999999999", "ots", "2-4"),
    ])
    func `a range is served from the complete stored response`(
        range: String,
        text: String,
        bytes: String
    ) async throws {
        try await client.store("boots")

        let response = try await client.send(headers: ["range": range])

        #expect(response.statusCode == 206 && response.text == text && client.requestCount == 1)
        #expect(response.headers["Content-Range"] == "bytes \(bytes)/5")
        #expect(response.headers["Content-Length"] == "\(text.utf8.count)")
        #expect(response.headers["Age"] == "0" && response.source.code == .cache)
        #expect(try await client.send().headers["Content-Range"] == nil)
    }

    // Rule: cache/ranges-of-stored-responses (38)
    @Test(arguments: [
        "bytes=0-0,2-3", "bytes=3-1", "bytes=5-", "bytes=5-9", "bytes=-0", "bytes=-", "bytes=",
        "bytes", "", "items=0-1", "bytes=a-b", "bytes=1-b", "bytes=+1-2", "bytes=1-2-3",
        "bytes=1-2=3", "bytes= 1 - 2", "bytes 1-2",
    ])
    func `an unsatisfiable, multiple or invalid range returns the complete response`(
        range: String
    ) async throws {
        try await client.store("boots")

        let response = try await client.send(headers: ["Range": range])

        #expect(response.statusCode == 200 && response.text == "boots" && client.requestCount == 1)
    }

    // Rule: cache/ranges-of-stored-responses (38)
    @Test func `empty, encoded and unsuccessful responses are returned complete`() async throws {
        try await client.store("", "empty")
        try await client.store(
            "boots",
            "packed",
            responseHeaders: ["Cache-Control": "max-age=60", "Content-Encoding": "gzip"]
        )
        try await client.send("GET", "gone") { _ in
            .text("gone", statusCode: 410, headers: ["Cache-Control": "max-age=60"])
        }

        for (path, status) in [("empty", 200), ("packed", 200), ("gone", 410)] {
            for range in ["bytes=0-0", "bytes=-1"] {
                let response = try await client.send("GET", path, headers: ["Range": range])
                #expect(response.statusCode == status)
            }
        }
        #expect(client.requestCount == 3)
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
        let (cache, sends) = (ResponseCache(), Counter())
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                var response = NetworkResponse.json(
                    #"{"id": "boots", "name": "Boots"}"#,
                    headers: ["Cache-Control": "max-age=60"]
                )
                guard sends.next() > 1 else { return response }
                (response.statusCode, response.body) = (206, response.body.prefix(20))
                return response
            },
            behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        )
        let request = NetworkRequest<Product>.get("products", "boots")
        _ = try await network.send(request)

        await #expect(throws: NetworkError.self) {
            try await network.send(request.fetching(.reload))
        }

        #expect(try await network.send(request.fetching(.cacheOnly)).name == "Boots")
    }

    // Rule: cache/ranges-of-stored-responses (38)
    @Test(arguments: [206, 200, 404, 416])
    func `a forwarded range request is unconditional, and stores and removes nothing`(
        status: Int
    ) async throws {
        try await client.store(
            "boots",
            responseHeaders: ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        )
        client.clock.advance(by: .seconds(60))

        let response = try await client.send(headers: ["Range": "bytes=0-0"]) { _ in
            .text("x", statusCode: status, headers: ["Cache-Control": "max-age=60"])
        }

        #expect(response.text == "x")
        #expect(client.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(try await client.send(policy: .cacheOnly).text == "boots")
    }

    // Rule: cache/ranges-of-stored-responses (38)
    @Test func `a range is served on error, and starts no background revalidation`() async throws {
        try await client.store(
            "boots",
            responseHeaders: ["Cache-Control": "max-age=60, stale-while-revalidate=60"]
        )
        client.clock.advance(by: .seconds(70))

        let response = try await client.send(headers: ["Range": "bytes=0-0"], server: unreachable)

        #expect(response.text == "b" && response.statusCode == 206)
        #expect(response.source.code == .staleIfError)
    }
}
