import Foundation
import ProductKit
import Testing

/// Loading products through a `CachingBehavior`, for each fetch policy.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductLoaderCachingTests {
    private let server = CachedClient(related: OpenAPIContract.relatedURLs(baseURL: .api))
    @Observed private var respond: CachedClient.Server = { try .boots(to: $0) }

    private var loader: ProductLoader { ProductLoader(client: client) }

    // Rule: cache/policy-reaches-every-behavior (59); cache/fetched-has-source (61)
    @Test(
        arguments: [
            (.standard, .cache, 0), (.cacheFirst, .cache, 0), (.cacheOnly, .cache, 0),
            (.networkFirst, .revalidated, 1), (.revalidate, .revalidated, 1),
            (.reload, .network, 1),
        ] as [(FetchPolicy, FetchSource.Code, Int)]
    )
    func `the policy decides whether a cached product is used`(
        policy: FetchPolicy,
        source: FetchSource.Code,
        sends: Int
    ) async throws {
        _ = try await loader.loadProduct(withID: "walking-boots")

        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: policy)

        #expect(fetched.source.code == source && fetched.value == .boots)
        #expect(fetched.source.isFromServer == (sends == 1))
        #expect(server.requests.count == 1 + sends)
    }

    // Rule: cache/fetched-has-source (61)
    @Test func `loading a cached product again revalidates it with a conditional request`()
        async throws
    {
        for _ in 0..<2 { #expect(try await loader.loadProduct(withID: "walking-boots") == .boots) }

        let conditions = server.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") }
        #expect(conditions == [nil, "\"1\""])
    }

    // Rule: cache/stale-if-error-is-marked (35)
    @Test func `offline, a stale product is served with the date of its last validation`()
        async throws
    {
        let start = server.clock.date
        _ = try await loader.loadProduct(withID: "walking-boots")
        respond = unreachable
        server.clock.advance(by: .seconds(3_600))

        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .networkFirst)

        #expect(fetched.source == .staleIfError(asOf: start, failure: Offline()))
        #expect((fetched.source.failure as? NetworkError)?.code == .unreachable)
        await expectNetworkError(.unreachable) {
            try await loader.loadProduct(withID: "walking-boots")
        }
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `a cached “not found” is never used, but requested again`() async throws {
        respond = { _ in .notFound(headers: ["Cache-Control": "max-age=600"]) }
        for policy in [FetchPolicy.revalidate, .cacheFirst] {
            await #expect(throws: ProductError.notFound("walking-boots")) {
                _ = try await loader.fetchProduct(withID: "walking-boots", policy: policy)
            }
        }
        #expect(server.requests.count == 2)
        await expectNetworkError(.notCached) {
            try await loader.fetchProduct(withID: "walking-boots", policy: .cacheOnly)
        }
        #expect(server.requests.count == 2)

        respond = { try .boots(to: $0) }
        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .cacheFirst)
        #expect(fetched.value == .boots && fetched.source.isFromServer)
    }

    // Rule: cache/stored-not-found-is-revalidated (65); errors/not-found-needs-an-api (7)
    @Test func `a cached web page instead of “not found” is never used either`() async throws {
        respond = { _ in
            var page = NetworkResponse.webPage(statusCode: 404)
            page.headers["Cache-Control"] = "max-age=600"
            return page
        }
        await expectNetworkError(.unexpected) {
            try await loader.loadProduct(withID: "walking-boots")
        }

        respond = { try .boots(to: $0) }
        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .cacheFirst)

        #expect(fetched.value == .boots && fetched.source.isFromServer)
    }

    // Rule: cache/immutable-skips-reload (24); cache/stored-not-found-is-revalidated (65)
    @Test func `a “not found” response with immutable is loaded again`() async throws {
        respond = { _ in .notFound(headers: ["Cache-Control": "max-age=600, immutable"]) }

        for _ in 0..<2 {
            await #expect(throws: ProductError.notFound("walking-boots")) {
                _ = try await loader.loadProduct(withID: "walking-boots")
            }
        }

        #expect(server.requests.count == 2)
    }

    // Rule: cache/incomplete-response-is-not-stored (9); security/failure-replaces-nothing (22)
    @Test func `a response that cannot be decoded is not served again`() async throws {
        respond = { request in
            var response = try NetworkResponse.boots(to: request)
            response.body = Data("{".utf8)
            return response
        }
        await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(withID: "walking-boots")
        }
        respond = { try .boots(to: $0) }

        let fetched = try await loader.fetchProduct(withID: "walking-boots")

        #expect(fetched.value == .boots && server.requests.count == 2)
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `a response that cannot be decoded is removed from each of two caches`()
        async throws
    {
        let caches = [ResponseCache(), ResponseCache()]
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json("{}", headers: ["Cache-Control": "max-age=60"]) },
            behaviors: caches.map { CachingBehavior(cache: $0, partition: { "anna" }) }
        )
        _ = try await client.send(NetworkRequest<NetworkResponse>.get("products"))
        #expect(caches.map { $0.summaries().count } == [1, 1])

        await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<[Int]>.get("products").fetching(.reload))
        }

        #expect(caches.map { $0.summaries().count } == [0, 0])
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `a stored response that was validated and cannot be decoded is removed`()
        async throws
    {
        let cache = ResponseCache()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                var response = NetworkResponse.json("{}", headers: ["ETag": "1"])
                if request.value(forHTTPHeaderField: "If-None-Match") != nil {
                    response.statusCode = 304
                }
                return response
            },
            behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        )
        _ = try await client.send(NetworkRequest<NetworkResponse>.get("products"))
        #expect(cache.summaries().count == 1)

        await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<[Int]>.get("products").fetching(.revalidate))
        }

        #expect(cache.summaries().isEmpty)
    }

    // Rule: reads/failed-read-leaves-others (6)
    @Test func `a response that cannot be decoded does not remove one that has replaced it`()
        async throws
    {
        respond = { _ in .text("{}", headers: ["Cache-Control": "max-age=60"]) }
        let client = client
        let request = NetworkRequest<NetworkResponse>.get("products", "walking-boots")
        let loader = ProductLoader(load: { _ in
            let first = try await client.send(request)
            // Another task has loaded the product meanwhile.
            respond = { try .boots(to: $0) }
            server.clock.advance(by: .seconds(1))
            _ = try await Task.detached { try await client.send(request.fetching(.reload)) }.value
            return try first.json()
        })
        await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "walking-boots")
        }

        let stored = try await client.send(request.fetching(.cacheOnly))

        #expect(try stored.json(Product.self) == .boots && server.requests.count == 2)
    }

    // Rule: cache/304-updates-fields (30)
    @Test func `a product stays readable after a 304 with the media type of a web page`()
        async throws
    {
        _ = try await loader.fetchProduct(withID: "walking-boots")
        respond = { _ in
            NetworkResponse(
                statusCode: 304,
                headers: ["Content-Type": "text/html; charset=UTF-8", "Content-Length": "0"]
            )
        }

        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .revalidate)
        #expect(fetched.value == .boots && fetched.source.code == .revalidated)
        respond = unreachable
        #expect(try await loader.fetchProduct(withID: "walking-boots").value == .boots)
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `a stored web page is replaced when it cannot be decoded`() async throws {
        respond = { _ in
            .text(
                "<html>",
                headers: ["Content-Type": "text/html", "Cache-Control": "max-age=60"]
            )
        }
        let path = NetworkRequest<NetworkResponse>.get("products", "walking-boots")
        #expect(try await client.send(path).text == "<html>")
        respond = { try .boots(to: $0) }

        let fetched = try await loader.fetchProduct(withID: "walking-boots")

        #expect(fetched.value == .boots && server.requests.count == 2)
    }

    // Rule: cache/edit-response-is-not-stored (66)
    @Test func `the response to a write is not stored, and the next load sends a request`()
        async throws
    {
        _ = try await loader.fetchProduct(withID: "walking-boots")
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "walking-boots")

        _ = try await loader.fetchProduct(withID: "walking-boots")

        #expect(server.requests.map(\.httpMethod) == ["GET", "PUT", "GET"])
    }

    private var client: NetworkClient {
        server.network { request in
            var response = try await respond(request)
            response.url = request.url
            return response
        }
    }
}

extension NetworkResponse {
    fileprivate static func notFound(headers: NetworkHeaders) -> NetworkResponse {
        NetworkResponse(statusCode: 404, headers: headers)
    }
}
