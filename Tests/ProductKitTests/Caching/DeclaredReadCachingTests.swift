import Foundation
import ProductKit
import Synchronization
import Testing

/// Stored responses to requests with a body that are declared to be reads, such as GraphQL queries.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DeclaredReadCachingTests {
    private let client = CachedClient()
    private let disk = TemporaryDisk()

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `a stale read is revalidated with its validator, and sent as a POST`() async throws {
        try await client.storeQuery("boots")
        client.clock.advance(by: .seconds(61))

        let response = try await client.query("boots") { request in
            #expect(request.httpMethod == "POST" && request.text == "boots")
            return NetworkResponse(statusCode: 304)
        }

        #expect(response.text == "result of boots" && response.source == .revalidated)
        #expect(client.lastCondition == "\"1\"")
        #expect(await !client.sendsQuery("boots"))
    }

    // Rule: reads/condition-may-be-refused (7)
    @Test func `a read whose condition a server refuses is sent without conditions`() async throws {
        try await client.storeQuery("boots")
        client.clock.advance(by: .seconds(61))

        let response = try await client.query("boots") { request in
            request.value(forHTTPHeaderField: "If-None-Match") == nil
                ? .fresh() : NetworkResponse(statusCode: 412)
        }

        #expect(response.text == "new" && client.requestCount == 3)
        #expect(await !client.sendsQuery("boots"))
    }

    // Rule: reads/condition-may-be-refused (7)
    @Test func `a 412 to a conditional GET is returned`() async throws {
        try await client.storeStale()

        let response = try await client.send { _ in NetworkResponse(statusCode: 412) }

        #expect(response.statusCode == 412 && client.requestCount == 2)
    }

    // Rule: reads/body-is-part-of-identity (2)
    @Test func `a response is never served to a read with another body or name`() async throws {
        let reads = [
            ("boots", ""), ("hats", ""), ("boots", "search"), ("boots", "Search"),
            ("hats", "search"), ("boots", "#/"), ("", ""), ("", "*"),
        ]
        for (body, name) in reads { try await client.storeQuery(body, as: name) }

        for (body, name) in reads {
            let response = try await client.query(body, as: name, policy: .cacheOnly)
            #expect(response.text == "result of \(body)")
        }
        #expect(client.requestCount == reads.count)
        #expect(await client.sendsRequest("graphql"))
    }

    // Rule: reads/body-is-part-of-identity (2)
    @Test func `a response is never served to a read with another method or media type`()
        async throws
    {
        let query = try OutgoingRequest.query("boots")
        var text = query
        text.headers["Content-Type"] = "text/plain"
        var compressed = query
        compressed.headers["Content-Encoding"] = "gzip"
        var search = query
        search.method = "SEARCH"

        for request in [query, text, compressed, search, query] {
            try await client.send(request) { _ in .fresh() }
        }

        #expect(client.requestCount == 4)
    }

    // Rule: reads/read-is-not-a-write (4)
    @Test func `a read invalidates nothing`() async throws {
        try await client.store("old", "graphql")
        try await client.storeQuery("boots")

        try await client.storeQuery("hats")
        _ = try? await client.query("caps", server: unreachable)
        _ = try await client.query("caps") { _ in NetworkResponse(statusCode: 500) }

        #expect(await !client.sendsRequest("graphql"))
        #expect(await !client.sendsQuery("boots"))
        #expect(await !client.sendsQuery("hats"))
    }

    // Rule: reads/write-invalidates-reads (5)
    @Test(arguments: [200, 500])
    func `a write to the URL of reads invalidates them and leaves them for offline use`(
        status: Int
    ) async throws {
        for body in ["boots", "hats"] { try await client.storeQuery(body) }

        try await client.send("POST", "graphql") { _ in NetworkResponse(statusCode: status) }

        for body in ["boots", "hats"] {
            let offline = try await client.query(body, server: unreachable)
            #expect(offline.source.code == .staleIfError && offline.text == "result of \(body)")
            #expect(await client.sendsQuery(body))
            #expect(client.lastCondition == "\"1\"")
        }
    }

    // Rule: reads/declared-read-is-like-get (1); reads/write-invalidates-reads (5)
    @Test func `reads survive a relaunch, also invalidated ones`() async throws {
        let first = disk.launch()
        for body in ["boots", "hats"] { try await first.storeQuery(body, as: "a?b") }

        let second = disk.launch()
        #expect(await !second.sendsQuery("boots", as: "a?b"))
        #expect(await second.sendsQuery("caps", as: "a?b"))
        try await second.send("POST", "graphql") { _ in NetworkResponse() }

        let third = disk.launch()
        for body in ["boots", "hats"] {
            #expect(await third.sendsQuery(body, as: "a?b"))
            let offline = try await third.query(body, as: "a?b", server: unreachable)
            #expect(offline.text == "result of \(body)")
        }
    }

    // Rule: reads/failed-read-leaves-others (6)
    @Test(arguments: [#"{"errors": [{"message": "Busy"}]}"#, "{", "[]"])
    func `a read that reports a failure or cannot be decoded removes only its own response`(
        failure: String
    ) async throws {
        for body in ["boots", "hats"] { try await client.storeQuery(body) }
        let network = client.network { _ in .fresh(failure) }
        let request = NetworkRequest<[String: Int]>.post("graphql").json(1)
            .reading().failing(at: "errors")

        for _ in 1...2 {
            await #expect(throws: NetworkError.self) { try await network.send(request) }
        }

        #expect(client.cache.summaries().count == 2)
        for body in ["boots", "hats"] {
            #expect(try await client.query(body, policy: .cacheFirst).source.code == .cache)
        }
    }

    // Rule: reads/failed-read-leaves-others (6); security/failure-replaces-nothing (22)
    @Test(arguments: ["GET", "POST"])
    func `a response that reports a failure is not stored and replaces nothing`(
        method: String
    ) async throws {
        let network = client.network(
            returning: .fresh(#"{"a":1}"#),
            .fresh(#"{"errors":[{"message":"Busy"}]}"#)
        )
        let request = NetworkRequest<NetworkResponse>(method: method, segments: ["a"]) { $0 }
            .reading().failing(at: "errors")
        _ = try await network.send(request)
        client.clock.advance(by: .seconds(61))

        await #expect(throws: NetworkError.self) { try await network.send(request) }
        let offline = try await network.send(request)

        #expect(offline.text == #"{"a":1}"# && offline.source.code == .staleIfError)
    }

    // Rule: reads/failed-read-leaves-others (6)
    @Test func `a failure is detected with the decoder of the client`() async throws {
        let bodies = Mutex(["{a: 1}", "{errors: ['Busy']}"])
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .text(bodies.withLock { $0.removeFirst() }) },
            behaviors: [client.behavior],
            decoder: {
                let decoder = JSONDecoder()
                decoder.allowsJSON5 = true
                return decoder
            }
        )
        let request = NetworkRequest<NetworkResponse>(method: "GET", segments: ["a"]) { $0 }
            .failing(at: "errors")
        _ = try await network.send(request)

        await #expect(throws: NetworkError.self) { try await network.send(request) }

        #expect(try await network.send(request.fetching(.cacheOnly)).text == "{a: 1}")
    }

    // Rule: reads/failed-read-leaves-others (6)
    @Test func `a stored response that reports a failure is removed by a request that detects it`()
        async throws
    {
        let request = NetworkRequest<NetworkResponse>(method: "GET", segments: ["a"]) { $0 }
        let network = client.network { _ in .fresh(#"{"errors":["Busy"]}"#) }
        _ = try await network.send(request)
        #expect(client.cache.summaries().count == 1)

        await #expect(throws: NetworkError.self) {
            try await network.send(request.failing(at: "errors"))
        }

        #expect(client.cache.summaries().isEmpty)
    }

    // Rule: reads/body-is-part-of-identity (2)
    @Test func `the contents of the cache list the name of a read`() async throws {
        try await client.storeQuery(String(repeating: "boots", count: 2_000), as: "all products")
        try await client.storeQuery("boots")
        try await client.storeQuery("boots", as: "a#b/%")

        let lines = client.cache.contentsDescription().split(separator: "\n")

        #expect(lines.contains("https://api.example.com/v1/graphql (read)"))
        #expect(lines.contains("https://api.example.com/v1/graphql (read: all products)"))
        #expect(lines.contains("https://api.example.com/v1/graphql (read: a#b/%)"))
    }
}

extension CachedClient {
    /// Sends a query through the cache as a declared read.
    @discardableResult fileprivate func query(
        _ body: String,
        as name: String = "",
        policy: FetchPolicy = .standard,
        server: @escaping Server = { _ in NetworkResponse(statusCode: 599) }
    ) async throws -> NetworkResponse {
        try await send(try .query(body, as: name), policy: policy, server: server)
    }

    /// Sends a query whose response the cache stores.
    fileprivate func storeQuery(_ body: String, as name: String = "") async throws {
        try await query(body, as: name) { _ in
            .text("result of \(body)", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
        }
    }

    /// Returns whether a query reaches the server.
    fileprivate func sendsQuery(_ body: String, as name: String = "") async -> Bool {
        let before = requestCount
        _ = try? await query(body, as: name)
        return requestCount > before
    }
}
