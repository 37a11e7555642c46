import Foundation
import ProductKit
import Synchronization
import Testing

/// Loading products through a `CachingBehavior`, for each fetch policy.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductLoaderCachingTests {
    // Rule: cache/policy-reaches-every-behavior (59); cache/fetched-has-source (61)
    @Test(
        arguments: [
            (.standard, "cache", 0), (.cacheFirst, "cache", 0), (.cacheOnly, "cache", 0),
            (.networkFirst, "revalidated", 1), (.revalidate, "revalidated", 1),
            (.reload, "network", 1),
        ] as [(FetchPolicy, String, Int)]
    )
    func `the policy decides whether a cached product is used`(
        policy: FetchPolicy,
        source: String,
        sends: Int
    ) async throws {
        let requests = Counter()
        let loader = loader { request in
            requests.next()
            return try .boots(to: request)
        }
        _ = try await loader.loadProduct(withID: "walking-boots")

        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: policy)

        #expect(fetched.source.code.rawValue == source && fetched.value == .boots)
        #expect(fetched.source.isFromServer == (sends == 1))
        #expect(requests.count == 1 + sends)
    }

    // Rule: cache/fetched-has-source (61)
    @Test func `loading a cached product again revalidates it with a conditional request`()
        async throws
    {
        let conditions = Mutex<[String?]>([])
        let loader = loader { request in
            conditions.withLock {
                $0.append(request.value(forHTTPHeaderField: "If-None-Match"))
            }
            return try .boots(to: request)
        }

        for _ in 0..<2 { #expect(try await loader.loadProduct(withID: "walking-boots") == .boots) }

        #expect(conditions.withLock { $0 } == [nil, "\"1\""])
    }

    // Rule: cache/stale-if-error-is-marked (35)
    @Test func `offline, a stale product is served with the date of its last validation`()
        async throws
    {
        let isDown = Mutex(false)
        let clock = Mutex(Date(timeIntervalSince1970: 1_000))
        let loader = loader(now: { clock.withLock { $0 } }) { request in
            guard !isDown.withLock(\.self) else { throw NetworkError(.unreachable) }
            return try .boots(to: request)
        }
        _ = try await loader.loadProduct(withID: "walking-boots")
        isDown.withLock { $0 = true }
        clock.withLock { $0 += 3_600 }

        let fetched = try await loader.fetchProduct(
            withID: "walking-boots",
            policy: .networkFirst
        )

        #expect(
            fetched.source
                == .staleIfError(asOf: Date(timeIntervalSince1970: 1_000), failure: Offline())
        )
        #expect((fetched.source.failure as? NetworkError)?.code == .unreachable)
        await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "walking-boots")
        }
    }

    @Test func `cacheOnly throws notCached without a request`() async throws {
        let loader = loader { _ in
            Issue.record("A request was sent.")
            return NetworkResponse()
        }

        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(withID: "walking-boots", policy: .cacheOnly)
        }
        #expect(error?.code == .notCached)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `a cached “not found” is never used, the server is requests again`() async throws {
        let isThere = Mutex(false)
        let requests = Counter()
        let loader = loader { request in
            requests.next()
            guard isThere.withLock(\.self) else {
                return NetworkResponse(
                    statusCode: 404,
                    headers: ["Cache-Control": "max-age=600"],
                    url: request.url
                )
            }
            return try .boots(to: request)
        }
        for policy in [FetchPolicy.revalidate, .cacheFirst] {
            await #expect(throws: ProductError.notFound("walking-boots")) {
                _ = try await loader.fetchProduct(withID: "walking-boots", policy: policy)
            }
        }
        #expect(requests.count == 2)
        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(withID: "walking-boots", policy: .cacheOnly)
        }
        #expect(error?.code == .notCached && requests.count == 2)

        isThere.withLock { $0 = true }
        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .cacheFirst)
        #expect(fetched.value == .boots && fetched.source.isFromServer)
    }

    // Rule: cache/stored-not-found-is-revalidated (65); errors/not-found-needs-an-api (7)
    @Test func `a cached web page instead of “not found” is never used either`() async throws {
        let isThere = Mutex(false)
        let loader = loader { request in
            guard isThere.withLock(\.self) else {
                var page = NetworkResponse.webPage(statusCode: 404)
                page.headers["Cache-Control"] = "max-age=600"
                page.url = request.url
                return page
            }
            return try .boots(to: request)
        }
        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.loadProduct(withID: "walking-boots")
        }
        #expect(error?.code == .unexpected)

        isThere.withLock { $0 = true }
        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .cacheFirst)

        #expect(fetched.value == .boots && fetched.source.isFromServer)
    }

    // Rule: cache/immutable-skips-reload (24); cache/stored-not-found-is-revalidated (65)
    @Test func `a “not found” response with immutable is loaded again`() async throws {
        let requests = Counter()
        let loader = loader { request in
            requests.next()
            return NetworkResponse(
                statusCode: 404,
                headers: ["Cache-Control": "max-age=600, immutable"],
                url: request.url
            )
        }

        for _ in 0..<2 {
            await #expect(throws: ProductError.notFound("walking-boots")) {
                _ = try await loader.loadProduct(withID: "walking-boots")
            }
        }

        #expect(requests.count == 2)
    }

    // Rule: cache/stored-not-found-is-revalidated (65)
    @Test func `a stale “not found” is not served, the network error is thrown`() async throws {
        let isDown = Mutex(false)
        let loader = loader { request in
            guard !isDown.withLock(\.self) else { throw NetworkError(.unreachable) }
            return NetworkResponse(
                statusCode: 404,
                headers: ["Cache-Control": "max-age=600"],
                url: request.url
            )
        }
        _ = try? await loader.loadProduct(withID: "walking-boots")
        isDown.withLock { $0 = true }

        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(
                withID: "walking-boots",
                policy: .networkFirst
            )
        }
        #expect(error?.code == .unreachable)
    }

    // Rule: cache/incomplete-response-is-not-stored (9); security/failure-replaces-nothing (22)
    @Test func `a response that cannot be decoded is not served again`() async throws {
        let isBroken = Mutex(true)
        let requests = Counter()
        let loader = loader { request in
            requests.next()
            var response = try NetworkResponse.boots(to: request)
            if isBroken.withLock(\.self) { response.body = Data("{".utf8) }
            return response
        }
        await #expect(throws: NetworkError.self) {
            _ = try await loader.fetchProduct(withID: "walking-boots")
        }
        isBroken.withLock { $0 = false }

        let fetched = try await loader.fetchProduct(withID: "walking-boots")

        #expect(fetched.value == .boots && requests.count == 2)
    }

    // Rule: reads/failed-read-leaves-others (6)
    @Test func `a response that cannot be decoded does not remove one that has replaced it`()
        async throws
    {
        let requests = Counter()
        let client = client(now: { Date(timeIntervalSince1970: Double(requests.count)) }) {
            request in
            requests.next() == 1
                ? .text("{}", headers: ["Cache-Control": "max-age=60"]) : try .boots(to: request)
        }
        let request = NetworkRequest<NetworkResponse>.get("products", "walking-boots")
        let loader = ProductLoader(load: { _ in
            let first = try await client.send(request)
            // Another task has loaded the product meanwhile.
            _ = try await Task.detached { try await client.send(request.fetching(.reload)) }.value
            return try first.json()
        })
        await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "walking-boots")
        }

        let stored = try await client.send(request.fetching(.cacheOnly))

        #expect(try stored.json(Product.self) == .boots && requests.count == 2)
    }

    // Rule: cache/304-updates-fields (30)
    @Test func `a product stays readable after a 304 with the media type of a web page`()
        async throws
    {
        let isUnreachable = Mutex(false)
        let loader = loader { request in
            if isUnreachable.withLock(\.self) { throw NetworkError(.unreachable) }
            guard request.value(forHTTPHeaderField: "If-None-Match") != nil else {
                return try .boots(to: request)
            }
            return NetworkResponse(
                statusCode: 304,
                headers: ["Content-Type": "text/html; charset=UTF-8", "Content-Length": "0"]
            )
        }
        _ = try await loader.fetchProduct(withID: "walking-boots")

        let fetched = try await loader.fetchProduct(withID: "walking-boots", policy: .revalidate)
        #expect(fetched.value == .boots && fetched.source.code == .revalidated)
        isUnreachable.withLock { $0 = true }
        #expect(try await loader.fetchProduct(withID: "walking-boots").value == .boots)
    }

    // Rule: cache/incomplete-response-is-not-stored (9)
    @Test func `a stored web page is replaced when it cannot be decoded`() async throws {
        let requests = Counter()
        let client = client { request in
            guard requests.next() > 1 else {
                return .text(
                    "<html>",
                    headers: ["Content-Type": "text/html", "Cache-Control": "max-age=60"]
                )
            }
            return try .boots(to: request)
        }
        let path = NetworkRequest<NetworkResponse>.get("products", "walking-boots")
        #expect(try await client.send(path).text == "<html>")
        let loader = ProductLoader(client: client)

        let fetched = try await loader.fetchProduct(withID: "walking-boots")

        #expect(fetched.value == .boots && requests.count == 2)
    }

    // Rule: cache/edit-response-is-not-stored (66)
    @Test func `the response to a write is not stored, and the next load sends a request`()
        async throws
    {
        let lines = Mutex<[String]>([])
        let loader = loader { request in
            lines.withLock { $0.append(request.httpMethod ?? "") }
            return try .boots(to: request)
        }
        _ = try await loader.fetchProduct(withID: "walking-boots")
        _ = try await loader.setFavoriteStatus(true, forProductWithID: "walking-boots")

        _ = try await loader.fetchProduct(withID: "walking-boots")

        #expect(lines.withLock { $0 } == ["GET", "PUT", "GET"])
    }

    private func loader(
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_000) },
        server: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> ProductLoader {
        ProductLoader(client: client(now: now, server: server))
    }

    private func client(
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_000) },
        server: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> NetworkClient {
        let caching = CachingBehavior(
            partition: { "" },
            related: OpenAPIContract.relatedURLs(baseURL: .api),
            effects: SystemEffects(now: now)
        )
        return NetworkClient(
            baseURL: .api,
            networking: .closure { request in try server(request) },
            behaviors: [caching]
        )
    }
}
