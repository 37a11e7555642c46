import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct InvalidationTests {
    private let client = CachedClient(related: { url in
        url == .shop("products/boots") ? [.shop("favorites"), .shop("products?q=a")] : []
    })

    // Rule: cache/success-removes-responses (44)
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "M-SEARCH", "FOO"], [200, 204, 302])
    func `a successful unsafe request removes the responses of its URL`(
        method: String,
        status: Int
    ) async throws {
        try await client.store()
        try await client.store(headers: ["Authorization": "Bearer a"])
        try await client.store("hat", "products/hat")

        try await client.send(method) { _ in NetworkResponse(statusCode: status) }

        #expect(client.cache.summaries().map(\.url) == [URL.shop("products/hat").absoluteString])
        #expect(client.requests.last?.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    // Rule: cache/success-removes-responses (44); security/invalidation-stays-on-origin (23)
    @Test(
        arguments: ["Location", "Content-Location"],
        [
            ("https://api.example.com/v1/lists/1", true), ("/v1/lists/1", true), ("1", false),
            ("HTTPS://API.example.com:443/v1/lists/1#a", true), ("lists/1", true),
            ("../v1/./lists/1", true), ("lists/%31", true), ("/v1/%6c%69sts/1", true),
            ("/v1/x/%2e%2E/lists/1", true), ("%2E/lists/1", true), ("lists/1%2F%2e%2e", false),
            ("//api.example.com/v1/lists/1", true),
            ("https://www.example.com/v1/lists/1", false), ("lists/1?a=b", false),
            ("http://api.example.com/v1/lists/1", false), (":", false), ("", false),
            ("https://api.example.com:8443/v1/lists/1", false),
        ]
    )
    func `a successful unsafe request removes same-origin URLs in Location and Content-Location`(
        name: String,
        location: (String, isRemoved: Bool)
    ) async throws {
        try await client.store("list", "lists/1")

        try await client.send("POST", "lists") { _ in
            NetworkResponse(statusCode: 201, headers: [name: location.0])
        }

        #expect(client.cache.summaries().isEmpty == location.isRemoved)
    }

    // Rule: cache/success-removes-responses (44); cache/invalidation-survives-restart (46)
    // Rule: cache/invalidation-precedes-return (43)
    @Test func `related URLs are invalidated and revalidated with conditions`() async throws {
        let related = ["favorites", "favorites?page=2", "products", "products?q=boots"]
        for path in related + ["products/hat"] { try await client.store("old", path) }

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }

        for path in related {
            #expect(await client.sendsRequest(path), "\(path)")
            #expect(client.lastCondition == "\"1\"")
        }
        #expect(await !client.sendsRequest("products/hat"))
    }

    // Rule: cache/success-removes-responses (44); cache/failure-invalidates-responses (45)
    @Test(arguments: [204, 404, 500])
    func `without related URLs, an unsafe request invalidates all responses of the partition`(
        status: Int
    ) async throws {
        let client = CachedClient(related: nil)
        let paths = ["products/hat", "lists/1?page=2"]
        for partition in ["anna", "bert"] {
            client.partition = partition
            for path in paths { try await client.store("old", path) }
        }

        try await client.send("PUT", "stars/hat") { _ in NetworkResponse(statusCode: status) }

        for path in paths {
            #expect(await client.sendsRequest(path) == (status != 404), "\(path)")
            let offline = try await client.send("GET", path, server: unreachable)
            #expect(offline.source.code == (status == 404 ? .cache : .staleIfError))
        }
        client.partition = "anna"
        for path in paths { #expect(await !client.sendsRequest(path), "\(path)") }
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test(arguments: [FetchPolicy.standard, .cacheFirst, .cacheOnly])
    func `an invalidated response is served by no policy without revalidation`(
        policy: FetchPolicy
    ) async throws {
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60, stale-while-revalidate=60"]
        try await client.store("old", responseHeaders: headers)
        client.cache.invalidate(.shop("products/boots?any=query"), partition: "")

        let response = try? await client.send(
            headers: ["Cache-Control": "max-stale"],
            policy: policy
        ) { _ in .fresh() }

        #expect(response?.text == (policy == .cacheOnly ? nil : "new"))
    }

    // Rule: cache/invalidation-survives-restart (46)
    @Test func `invalidating another partition or another path changes nothing`() async throws {
        try await client.store()

        client.cache.invalidate(.shop("products/boots"), partition: "anna")
        for path in ["products/boot", "products/boots/more"] {
            client.cache.make(.invalidated, of: path)
        }

        #expect(await !client.sendsRequest())
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(
        arguments: [400, 401, 403, 404, 407, 409, 410, 412, 429, 499].map { ($0, false) }
            + [408, 425, 500, 503, 599].map { ($0, true) }
    )
    func `a failed unsafe request invalidates unless the server has refused it`(
        status: Int,
        isInvalidated: Bool
    ) async throws {
        let paths = ["products/boots", "products/boots?a=b", "favorites", "lists/1"]
        for path in paths { try await client.store("old", path) }

        try await client.send("PUT") { _ in
            NetworkResponse(statusCode: status, headers: ["Content-Location": "/v1/lists/1"])
        }

        #expect(client.cache.summaries().count == 4)
        for path in paths { #expect(await client.sendsRequest(path) == isInvalidated, "\(path)") }
    }

    // Rule: cache/failure-invalidates-responses (45); errors/not-found-needs-an-api (7)
    @Test(arguments: [404, 410])
    func `an unsafe request invalidates if its 404 or 410 is a web page`(
        status: Int
    ) async throws {
        try await client.store()

        try await client.send("DELETE") { _ in .webPage(statusCode: status) }

        #expect(await client.sendsRequest())
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(
        arguments: [
            (NetworkError.Code.connectionLost, true), (.timedOut, true), (.unreachable, false),
        ],
        [nil, 404, 409, 410, 412]
    )
    func `an unsafe request invalidates if any of its attempts may have reached the server`(
        failure: (code: NetworkError.Code, isInvalidated: Bool),
        status: Int?
    ) async throws {
        try await client.store()
        try await client.store("old", "favorites")
        let attempts = Counter()
        let network = client.network(RetryBehavior(effects: client.clock.effects())) { _ in
            guard attempts.next() > 1 else { throw NetworkError(failure.code) }
            guard let status else { throw NetworkError(.unreachable) }
            return NetworkResponse(statusCode: status)
        }

        let error = await #expect(throws: NetworkError.self) {
            try await network.send(
                NetworkRequest<Void>(method: "PUT", segments: ["products", "boots"]) { _ in }
            )
        }

        #expect(error?.attempts.count ?? 0 > 1 && error?.statusCode == status)
        #expect(await client.sendsRequest() == failure.isInvalidated)
        #expect(await client.sendsRequest("favorites") == failure.isInvalidated)
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test(
        arguments: [
            (NetworkError(.timedOut), true), (NetworkError(.connectionLost), true),
            (NetworkError(.incomplete), true), (NetworkError(.tooLarge), true),
            (NetworkError(.unreadable), true), (NetworkError(.redirect), true),
            (NetworkError(.unreachable), false), (NetworkError(.invalidRequest), false),
            (NetworkError(.insecure), false), (NetworkError(.untrusted), false),
            (CancellationError(), true), (URLError(.networkConnectionLost), true),
            (URLError(.cancelled), true), (Offline(), true), (URLError(.cannotFindHost), false),
        ] as [(any Error, Bool)]
    )
    func
        `an unsafe request without a response invalidates unless it cannot have reached the server`(
            error: any Error,
            isInvalidated: Bool
        ) async throws
    {
        try await client.store()
        try await client.store("old", "favorites")

        await #expect(throws: (any Error).self) {
            try await client.send("PUT") { _ in throw error }
        }

        #expect(client.cache.summaries().count == 2)
        #expect(await client.sendsRequest() == isInvalidated)
        #expect(await client.sendsRequest("favorites") == isInvalidated)
    }
}
