import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct InvalidationTests {
    private let client = CachedClient(related: { url in
        url == .shop("products/boots") ? [.shop("favorites"), .shop("products?q=a")] : []
    })

    // Rule: cache/success-removes-responses (44)
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "M-SEARCH", "FOO"])
    func `a successful unsafe request removes the responses of its URL`(
        method: String
    ) async throws {
        for status in [200, 204, 302] {
            let client = CachedClient()
            try await client.store()
            try await client.store(headers: ["Authorization": "Bearer a"])
            try await client.store("hat", "products/hat")

            try await client.send(method) { _ in NetworkResponse(statusCode: status) }

            #expect(
                client.cache.summaries().map(\.url) == [URL.shop("products/hat").absoluteString]
            )
            #expect(client.requests.last?.cachePolicy == .reloadIgnoringLocalCacheData)
        }
    }

    // Rule: cache/success-removes-responses (44); security/invalidation-stays-on-origin (23)
    @Test(arguments: ["Location", "Content-Location"])
    func `a successful unsafe request removes same-origin URLs in Location and Content-Location`(
        name: String
    ) async throws {
        for (location, isRemoved) in [
            ("https://api.example.com/v1/lists/1", true), ("/v1/lists/1", true), ("1", false),
            ("HTTPS://API.example.com:443/v1/lists/1#a", true), ("lists/1", true),
            ("../v1/./lists/1", true), ("lists/%31", true), ("/v1/%6c%69sts/1", true),
            ("/v1/x/%2e%2E/lists/1", true), ("%2E/lists/1", true), ("lists/1%2F%2e%2e", false),
            ("//api.example.com/v1/lists/1", true),
            ("https://www.example.com/v1/lists/1", false), ("lists/1?a=b", false),
            ("http://api.example.com/v1/lists/1", false), (":", false), ("", false),
            ("https://api.example.com:8443/v1/lists/1", false),
        ] {
            let client = CachedClient()
            try await client.store("list", "lists/1")

            try await client.send("POST", "lists") { _ in
                NetworkResponse(statusCode: 201, headers: [name: location])
            }

            #expect(client.cache.summaries().isEmpty == isRemoved, "\(location)")
        }
    }

    // Rule: cache/success-removes-responses (44); cache/invalidation-survives-restart (46)
    @Test func `related URLs are invalidated and revalidated with conditions`() async throws {
        try await client.store("old", "favorites")
        try await client.store("other", "favorites?page=2")
        try await client.store("boots", "products")
        try await client.store("boots", "products?q=boots")
        try await client.store("hat", "products/hat")

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }

        for path in ["favorites", "favorites?page=2", "products", "products?q=boots"] {
            #expect(await client.sendsRequest(path), "\(path)")
            #expect(client.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        }
        #expect(await !client.sendsRequest("products/hat"))
    }

    // Rule: cache/success-removes-responses (44); cache/failure-invalidates-responses (45)
    @Test(arguments: [204, 404, 500])
    func `without related URLs, an unsafe request invalidates all responses of the partition`(
        status: Int
    ) async throws {
        let client = CachedClient(related: nil)
        for partition in ["anna", "bert"] {
            client.partition = partition
            try await client.store("hat", "products/hat")
            try await client.store("list", "lists/1?page=2")
        }

        try await client.send("PUT", "stars/hat") { _ in NetworkResponse(statusCode: status) }

        for path in ["products/hat", "lists/1?page=2"] {
            #expect(await client.sendsRequest(path) == (status != 404), "\(path)")
            let offline = try await client.send("GET", path, server: unreachable)
            #expect(offline.source.code == (status == 404 ? .cache : .staleIfError))
        }
        client.partition = "anna"
        #expect(await !client.sendsRequest("products/hat"))
        #expect(await !client.sendsRequest("lists/1?page=2"))
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test(arguments: [FetchPolicy.standard, .cacheFirst, .cacheOnly])
    func `an invalidated response is served by no policy without revalidation`(
        policy: FetchPolicy
    ) async throws {
        try await client.store(
            "old",
            responseHeaders: ["Cache-Control": "max-age=60, stale-while-revalidate=60"]
        )
        client.cache.invalidate(.shop("products/boots?any=query"), partition: "")

        let response = try? await client.send(
            headers: ["Cache-Control": "max-stale"],
            policy: policy
        ) { _ in .text("new", headers: ["Cache-Control": "max-age=60"]) }

        #expect(response?.text == (policy == .cacheOnly ? nil : "new"))
        #expect(await client.sendsRequest(policy: .cacheOnly) == false)
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test func `an invalidated response is served on error, and a 304 makes it fresh again`()
        async throws
    {
        try await client.store("old")
        client.cache.invalidate(.shop("products/boots"), partition: "")

        let offline = try await client.send(server: unreachable)
        let confirmed = try await client.send { _ in NetworkResponse(statusCode: 304) }

        #expect(offline.source.code == .staleIfError && offline.text == "old")
        #expect(confirmed.source == .revalidated)
        #expect(await !client.sendsRequest())
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test func `invalidating twice, another partition or another path changes nothing`()
        async throws
    {
        try await client.store()

        client.cache.invalidate(.shop("products/boots"), partition: "anna")
        client.cache.invalidate(.shop("products/boot"), partition: "")
        client.cache.invalidate(.shop("products/boots/more"), partition: "")
        #expect(await !client.sendsRequest())
        client.cache.invalidate(.shop("products/boots"), partition: "")
        client.cache.invalidate(.shop("products/boots"), partition: "")

        #expect(client.cache.summaries().count == 1)
        #expect(client.cache.summaries().allSatisfy { !$0.isFresh(at: client.clock.date) })
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(arguments: [400, 401, 403, 404, 407, 409, 410, 412, 429, 499])
    func `an unsafe request with a 4xx response invalidates nothing`(status: Int) async throws {
        try await client.store()
        try await client.store("old", "favorites")

        try await client.send("PUT") { _ in
            NetworkResponse(statusCode: status, headers: ["Location": "favorites"])
        }

        #expect(await !client.sendsRequest())
        #expect(await !client.sendsRequest("favorites"))
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(arguments: [408, 425, 500, 503, 599])
    func `an unsafe request that the server may have carried out in part invalidates`(
        status: Int
    ) async throws {
        for path in ["products/boots", "products/boots?a=b", "favorites", "lists/1"] {
            try await client.store("old", path)
        }

        try await client.send("PUT") { _ in
            NetworkResponse(statusCode: status, headers: ["Content-Location": "/v1/lists/1"])
        }

        #expect(client.cache.summaries().count == 4)
        for path in ["products/boots", "products/boots?a=b", "favorites", "lists/1"] {
            #expect(await client.sendsRequest(path), "\(path)")
        }
    }

    // Rule: cache/failure-invalidates-responses (45); errors/not-found-needs-an-api (7)
    @Test(arguments: [404, 410])
    func `an unsafe request invalidates if its 404 or 410 is a web page`(
        status: Int
    ) async throws {
        try await client.store()

        try await client.send("DELETE") { _ in
            .text("<html>", statusCode: status, headers: ["Content-Type": "text/html"])
        }

        #expect(await client.sendsRequest())
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(arguments: ["PUT", "DELETE"], [0, 404, 409, 410, 412])
    func `an unsafe request invalidates if any of its attempts may have reached the server`(
        method: String,
        status: Int
    ) async throws {
        for (failure, isInvalidated) in [
            (NetworkError.Code.connectionLost, true), (.timedOut, true),
            (.unreachable, false),
        ] {
            let client = CachedClient(related: { _ in [.shop("favorites")] })
            try await client.store()
            try await client.store("old", "favorites")
            let attempts = Counter()
            let network = NetworkClient(
                baseURL: .shop(""),
                networking: .closure { _ in
                    guard attempts.next() > 1 else { throw NetworkError(failure) }
                    guard status > 0 else { throw NetworkError(.unreachable) }
                    return NetworkResponse(statusCode: status)
                },
                behaviors: [
                    client.behavior, RetryBehavior(effects: client.clock.effects()),
                ]
            )

            let error = await #expect(throws: NetworkError.self) {
                try await network.send(
                    NetworkRequest<Void>(method: method, segments: ["products", "boots"]) { _ in }
                )
            }

            #expect(error?.attempts.count ?? 0 > 1)
            #expect(error?.statusCode == (status > 0 ? status : nil))
            #expect(await client.sendsRequest() == isInvalidated, "\(failure)")
            #expect(await client.sendsRequest("favorites") == isInvalidated, "\(failure)")
        }
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(arguments: [
        (NetworkError.Code.timedOut, true), (.connectionLost, true), (.incomplete, true),
        (.tooLarge, true), (.unreadable, true), (.redirect, true), (.unreachable, false),
        (.invalidRequest, false), (.insecure, false), (.untrusted, false),
    ])
    func
        `an unsafe request without a response invalidates unless it cannot have reached the server`(
            code: NetworkError.Code,
            isInvalidated: Bool
        ) async throws
    {
        try await client.store()
        try await client.store("old", "favorites")

        let error = await #expect(throws: NetworkError.self) {
            try await client.send("PUT") { _ in throw NetworkError(code) }
        }

        #expect(error?.code == code && client.cache.summaries().count == 2)
        #expect(await client.sendsRequest() == isInvalidated)
        #expect(await client.sendsRequest("favorites") == isInvalidated)
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test func `a cancelled unsafe request may have reached the server`() async throws {
        for (error, isInvalidated) in [
            (CancellationError(), true), (URLError(.networkConnectionLost), true),
            (URLError(.cancelled), true), (Offline(), true), (URLError(.cannotFindHost), false),
        ] as [(any Error, Bool)] {
            let client = CachedClient()
            try await client.store()
            _ = try? await client.send("PUT") { _ in throw error }
            #expect(await client.sendsRequest() == isInvalidated, "\(error)")
        }
    }
}
