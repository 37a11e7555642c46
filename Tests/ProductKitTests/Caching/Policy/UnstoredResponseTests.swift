import Foundation
import ProductKit
import Synchronization
import Testing

/// Responses that a server forbids to store, and those that are not stored for other reasons.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnstoredResponseTests {
    private let client = CachedClient()

    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `the description says how many responses were not stored and why`() async throws {
        try await client.store("a", "a", responseHeaders: ["Cache-Control": "no-store"])
        try await client.store("a", "a", responseHeaders: ["Cache-Control": "private, no-store"])
        try await client.store("a", "b", responseHeaders: ["Vary": "*"])
        try await client.send("GET", "c") { _ in .text("", statusCode: 403) }
        try await client.send("GET", "d") { _ in .text("", statusCode: 206) }
        try await client.send("GET", "e") { _ in .text("", statusCode: 404) }
        try await client.send("GET", "f") { _ in
            NetworkResponse(url: URL(string: "https://api.example.com/elsewhere"))
        }

        let lines = client.cache.contentsDescription().split(separator: "\n")

        #expect(
            lines.suffix(6).sorted() == [
                "not stored: 1 (Vary)", "not stored: 1 (a redirect)",
                "not stored: 1 (incomplete, or another media type than the request accepts)",
                "not stored: 1 (neither fresh nor with a validator)",
                "not stored: 1 (the status code)", "not stored: 2 (Cache-Control: no-store)",
            ]
        )
    }

    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `a success that reports a failure is counted`() async throws {
        let cache = ResponseCache()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"errors": [{"message": "No"}]}"#) },
            behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        )

        await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Product>.get("pan").failing(at: "errors"))
        }

        #expect(cache.contentsDescription().hasSuffix("1 (a success that reports a failure)"))
    }

    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `a response that varies by a secret is counted if it cannot be on disk`()
        async throws
    {
        let fields: NetworkHeaders = ["Cache-Control": "max-age=60", "Vary": "X-Access-Key"]
        try await TemporaryDisk.with { disk in
            let (memory, stored) = (CachedClient(), disk.launch())
            let (key, credentials) = (["X-Access-Key": "secret"], ["Authorization": "secret"])
            for client in [memory, stored] {
                try await client.store("a", "a", headers: key, responseHeaders: fields)
                try await client.store("b", "b", headers: credentials)
                try await client.store("c", "c", responseHeaders: fields)
            }

            let line = "not on disk: 2 (Authorization, or a secret that Vary names)"
            #expect(stored.cache.contentsDescription().hasSuffix(line))
            #expect(!memory.cache.contentsDescription().contains("not on disk"))
            #expect(await !stored.sendsRequest("a", headers: key))
            let next = disk.launch()
            #expect(await next.sendsRequest("a", headers: key))
            #expect(await !next.sendsRequest("c"))
        }
    }

    // Rule: cache/unstored-responses-are-counted (78)
    @Test func `a stored response that a 304 forbids to store is counted`() async throws {
        try await client.store(responseHeaders: ["Cache-Control": "max-age=0", "ETag": "\"1\""])

        try await client.send { _ in
            NetworkResponse(
                statusCode: 304,
                headers: ["Cache-Control": "no-store", "ETag": "\"1\""]
            )
        }

        #expect(client.cache.contentsDescription().hasSuffix("1 (Cache-Control: no-store)"))
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `with another Cache-Control, a response is stored and served offline`() async throws
    {
        let server = Server()
        let request = NetworkRequest<String>.get("wishlist").overridingCacheControl("max-age=0")

        let first = try await server.client.send(request)
        let second = try await server.client.send(request)
        server.isDown.set(true)
        let third = try await server.client.send(request.fetched)

        #expect([first, second, third.value] == ["list 1", "list 2", "list 2"])
        #expect(third.source.code == .staleIfError)
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `with another Cache-Control, a response is fresh`() async throws {
        let server = Server()
        let request = NetworkRequest<String>.get("wishlist").overridingCacheControl("max-age=60")

        for _ in 1...2 { #expect(try await server.client.send(request) == "list 1") }
        await #expect(throws: NetworkError.self) {
            server.isDown.set(true)
            _ = try await server.client.send(NetworkRequest<String>.get("cart"))
        }
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `a client replaces the Cache-Control of all requests that do not`() async throws {
        let server = Server()
        let client = server.client.overridingCacheControl("max-age=60")
        let own = NetworkRequest<String>.get("cart").overridingCacheControl("no-store")

        for _ in 1...2 { #expect(try await client.send(.get("wishlist")) == "list 1") }

        #expect(try await client.send(own) == "list 2")
        #expect(try await client.send(own) == "list 3")
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test func `a 304 does not remove a response with another Cache-Control`() async throws {
        let server = Server(tag: "\"1\"")
        let request = NetworkRequest<String>.get("wishlist").overridingCacheControl("max-age=0")

        for _ in 1...3 { #expect(try await server.client.send(request) == "list 1") }

        #expect(server.statusCodes.all == ["200", "304", "304"])
    }

    // Rule: cache/cache-control-is-overridden (79)
    @Test(arguments: [401, 404, 500])
    func `the Cache-Control of a failure is not replaced`(statusCode: Int) async throws {
        let server = Server(statusCode: statusCode)
        let request = NetworkRequest<String>.get("wishlist").overridingCacheControl("max-age=60")

        for _ in 1...2 {
            await #expect(throws: NetworkError.self) { try await server.client.send(request) }
        }

        #expect(server.statusCodes.all == ["\(statusCode)", "\(statusCode)"])
    }
}

/// A server that forbids to store its responses.
private final class Server: Sendable {
    let client: NetworkClient
    let isDown = Flag()
    let statusCodes = Lines()

    init(statusCode: Int = 200, tag: String? = nil) {
        client = NetworkClient(
            baseURL: .api,
            networking: .closure { [isDown, statusCodes] request in
                guard !isDown.value else { throw NetworkError(.unreachable) }
                let isKnown =
                    tag != nil && request.value(forHTTPHeaderField: "If-None-Match") == tag
                statusCodes.add(isKnown ? "304" : "\(statusCode)")
                var fields: NetworkHeaders = ["Cache-Control": "no-cache, no-store"]
                fields["ETag"] = tag
                guard !isKnown else { return NetworkResponse(statusCode: 304, headers: fields) }
                return .json(
                    #""list \#(statusCodes.all.count)""#,
                    statusCode: statusCode,
                    headers: fields
                )
            },
            behaviors: [CachingBehavior(partition: { "anna" })]
        )
    }
}

/// A value that a test changes while a server reads it.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var value: Bool { state.withLock(\.self) }

    func set(_ value: Bool) { state.withLock { $0 = value } }
}
