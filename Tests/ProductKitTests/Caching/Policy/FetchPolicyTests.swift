import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FetchPolicyTests {
    private let client = CachedClient()

    // Rule: cache/six-policies (58); reads/declared-read-is-like-get (1)
    // The status codes with nothing stored, with a fresh response, and with a stale one.
    @Test(
        arguments: [
            (FetchPolicy.standard, [599, 200, 599]), (.cacheFirst, [599, 200, 200]),
            (.cacheOnly, [nil, 200, 200]), (.networkFirst, [599, 599, 599]),
            (.revalidate, [599, 599, 599]), (.reload, [599, 599, 599]),
        ] as [(FetchPolicy, [Int?])],
        [OutgoingRequest("GET"), try .query("boots")]
    )
    func `a policy determines whether the cache or the server responds`(
        policy: (FetchPolicy, statusCodes: [Int?]),
        request: OutgoingRequest
    ) async throws {
        func statusCode() async -> Int? {
            let response = try? await client.send(request, policy: policy.0) { _ in
                NetworkResponse(statusCode: 599)
            }
            if response?.statusCode == 200 { #expect(response?.source.code == .cache) }
            return response?.statusCode
        }
        let missing = await statusCode()
        try await client.send(request) { _ in .fresh() }
        let fresh = await statusCode()
        client.clock.advance(by: .seconds(1_000_000))

        #expect(await [missing, fresh, statusCode()] == policy.statusCodes)
    }

    // Rule: cache/six-policies (58)
    @Test func `cacheFirst does not serve a response that is older than a max-age`() async throws {
        try await client.store()
        client.clock.advance(by: .seconds(101))

        let headers = ["Cache-Control": "max-age=100"]
        #expect(await client.sendsRequest(headers: headers, policy: .cacheFirst))
    }

    // Rule: cache/six-policies (58)
    @Test(
        arguments: [
            FetchPolicyTests.plain, FetchPolicyTests.plain.header("Cache-Control", "no-store"),
            FetchPolicyTests.plain.header("If-None-Match", "*"),
            NetworkRequest(method: "HEAD", segments: ["a"]) { $0.text },
            NetworkRequest(method: "PUT", segments: ["a"]) { $0.text },
        ],
        [true, false]
    )
    func `cacheOnly throws notCached and sends no request, also without a cache`(
        request: NetworkRequest<String>,
        hasCache: Bool
    ) async throws {
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                Issue.record("A request was sent.")
                return NetworkResponse()
            },
            behaviors: hasCache ? [client.behavior] : []
        )

        let error = await #expect(throws: NetworkError.self) {
            try await network.send(request.fetching(.cacheOnly))
        }

        #expect(error?.code == .notCached && error?.method == request.parts.method)
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test(
        arguments: [
            (FetchPolicy.standard, URLRequest.CachePolicy.useProtocolCachePolicy, nil),
            (.cacheFirst, .reloadIgnoringLocalCacheData, nil),
            (.revalidate, .reloadRevalidatingCacheData, "max-age=0"),
            (.reload, .reloadIgnoringLocalCacheData, "no-cache"),
            (.networkFirst, .reloadIgnoringLocalCacheData, "max-age=0"),
        ] as [(FetchPolicy, URLRequest.CachePolicy, String?)]
    )
    func `without a cache, a policy loads from the network`(
        policy: FetchPolicy,
        cachePolicy: URLRequest.CachePolicy,
        control: String?
    ) throws {
        let outgoing = try Self.plain.fetching(policy).map { response, _ in response }
            .parts.outgoing(relativeTo: .api)
        let sent = try outgoing.urlRequest()

        #expect(outgoing.policy == policy && outgoing.headers["Cache-Control"] == nil)
        #expect(sent.cachePolicy == cachePolicy)
        #expect(sent.value(forHTTPHeaderField: "Cache-Control") == control)
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test(arguments: ["HEAD", "PUT", "POST"], [FetchPolicy.networkFirst, .revalidate, .reload])
    func `only reads are sent with the directive of their policy`(
        method: String,
        policy: FetchPolicy
    ) throws {
        var request = OutgoingRequest(method)
        request.policy = policy
        #expect(try request.urlRequest().value(forHTTPHeaderField: "Cache-Control") == nil)
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test(arguments: [FetchPolicy.standard, .cacheFirst])
    func `a cache below another one does not respond in place of the server`(
        policy: FetchPolicy
    ) async throws {
        let sent = Counter()
        let network = client.network(CachedClient().behavior) { _ in .fresh("\(sent.next())") }
        _ = try await network.send(Self.plain)
        client.cache.invalidate(.shop("a"), partition: "")

        #expect(try await network.send(Self.plain.fetching(policy)) == "2")
        #expect(try await network.send(Self.plain.fetching(.cacheOnly)) == "2")
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test func `a cache without a partition leaves cacheOnly to the cache below it`() async throws {
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .fresh("1") },
            behaviors: [nil, ""].map { name in CachingBehavior(partition: { name }) }
        )
        _ = try await network.send(Self.plain)

        #expect(try await network.send(Self.plain.fetching(.cacheOnly)) == "1")
    }

    // Rule: cache/policy-reaches-every-behavior (59); cache/six-policies (58)
    @Test(arguments: ["no-transform", "max-age=7", "max-stale", "min-fresh=5", "a=\"b, c\""])
    func `networkFirst contacts the server whatever Cache-Control the request has`(
        control: String
    ) async throws {
        try await client.store("old")

        let response = try await client.send(
            headers: ["Cache-Control": control],
            policy: .networkFirst,
            server: unreachable
        )

        #expect(response.text == "old" && response.source.code == .staleIfError)
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test func `the default policy is standard, which changes nothing in the URL request`() throws {
        let sent = try Self.plain.urlRequest(relativeTo: .api)

        #expect(Self.plain.parts.policy == .standard)
        #expect(sent == URLRequest(url: .api.appending(path: "a")))
        #expect(try Self.plain.fetching(.standard).urlRequest(relativeTo: .api) == sent)
    }

    // Rule: cache/fetched-has-source (61)
    @Test func `a fetched value has the source and date of its response`() {
        let date = Date(timeIntervalSince1970: 7)
        let sources: [(FetchSource, Bool, Date?)] = [
            (.network, true, nil), (.revalidated, true, nil), (.cache(asOf: date), false, date),
            (.staleIfError(asOf: date, failure: Offline()), false, date),
        ]
        for (source, isFromServer, asOf) in sources {
            let fetched = Fetched("boots", source: source)
            #expect(fetched.value == "boots" && fetched.source == source)
            #expect(source.isFromServer == isFromServer && source.asOf == asOf)
        }
        #expect(Fetched(1, source: .network) != Fetched(1, source: .revalidated))
    }

    private static let plain = NetworkRequest(method: "GET", segments: ["a"]) { $0.text }
}
