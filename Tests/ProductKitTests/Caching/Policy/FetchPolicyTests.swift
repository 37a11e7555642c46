import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct FetchPolicyTests {
    private let client = CachedClient()

    // Rule: cache/six-policies (58)
    @Test(arguments: [
        (FetchPolicy.standard, true, false, true, true), (.cacheFirst, true, true, true, true),
        (.cacheOnly, false, true, true, true), (.networkFirst, true, false, true, true),
        (.revalidate, true, false, false, true), (.reload, true, false, false, false),
    ])
    func `a policy defines what the cache and the network may be used for`(
        policy: FetchPolicy,
        allowsNetwork: Bool,
        acceptsAnyAge: Bool,
        allowsStaleIfError: Bool,
        isConditional: Bool
    ) {
        #expect(policy.allowsNetwork == allowsNetwork)
        #expect(policy.acceptsAnyAge == acceptsAnyAge)
        #expect(policy.allowsStaleIfError == allowsStaleIfError)
        #expect(policy.isConditional == isConditional)
    }

    // Rule: cache/six-policies (58)
    // With nothing stored, with a fresh response, and with a stale one.
    @Test(arguments: [
        (FetchPolicy.standard, [true, false, true]), (.cacheFirst, [true, false, false]),
        (.cacheOnly, [false, false, false]), (.networkFirst, [true, true, true]),
        (.revalidate, [true, true, true]), (.reload, [true, true, true]),
    ])
    func `a policy determines whether a request is sent`(
        policy: FetchPolicy,
        isSent: [Bool]
    ) async throws {
        #expect(await client.sendsRequest(policy: policy) == isSent[0])
        try await client.store()
        #expect(await client.sendsRequest(policy: policy) == isSent[1])
        client.clock.advance(by: .seconds(1_000_000))
        #expect(await client.sendsRequest(policy: policy) == isSent[2])
    }

    // Rule: cache/six-policies (58)
    @Test func `cacheFirst and cacheOnly serve a stored response of any age`() async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(1_000_000))

        for policy in [FetchPolicy.cacheFirst, .cacheOnly] {
            let response = try await client.send(policy: policy)
            #expect(response.text == "old" && response.source.code == .cache)
        }
        #expect(
            await client.sendsRequest(
                headers: ["Cache-Control": "max-age=100"],
                policy: .cacheFirst
            )
        )
    }

    // Rule: cache/six-policies (58)
    @Test func `cacheOnly throws notCached for a miss and sends no request`() async throws {
        for headers in [[:], ["Cache-Control": "no-store"], ["If-None-Match": "\"1\""]] {
            let error = await #expect(throws: NetworkError.self) {
                try await network(client.behavior).send(
                    request(.cacheOnly).header("X-Mode", "a").with(headers)
                )
            }
            #expect(error?.code == .notCached && error?.method == "GET")
        }
        #expect(sends.count == 0)
    }

    // Rule: cache/six-policies (58)
    @Test(arguments: ["GET", "HEAD", "PUT"])
    func `cacheOnly without a cache throws notCached and sends no request`(
        method: String
    ) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await network().send(request(.cacheOnly, method))
        }
        let other = await #expect(throws: NetworkError.self) {
            try await network(client.behavior).send(request(.cacheOnly, method))
        }

        #expect(error?.code == .notCached && other?.code == .notCached && sends.count == 0)
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
        let outgoing = try request(policy).map { response, _ in response }
            .parts.outgoing(relativeTo: .api)
        let sent = try outgoing.urlRequest()

        #expect(outgoing.policy == policy && outgoing.headers["Cache-Control"] == nil)
        #expect(sent.cachePolicy == cachePolicy)
        #expect(sent.value(forHTTPHeaderField: "Cache-Control") == control)
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test(arguments: ["HEAD", "PUT", "POST"])
    func `only reads are sent with the directive of their policy`(method: String) throws {
        for policy in [FetchPolicy.networkFirst, .revalidate, .reload] {
            var request = OutgoingRequest(method)
            request.policy = policy
            let sent = try request.urlRequest()
            #expect(sent.value(forHTTPHeaderField: "Cache-Control") == nil)
        }
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test(arguments: [FetchPolicy.standard, .cacheFirst])
    func `a cache below another one does not respond in place of the server`(
        policy: FetchPolicy
    ) async throws {
        let (outer, inner) = (ResponseCache(), ResponseCache())
        let sent = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                .text("\(sent.next())", headers: ["Cache-Control": "max-age=60"])
            },
            behaviors: [outer, inner].map { CachingBehavior(cache: $0, partition: { "" }) }
        )
        let request = NetworkRequest(method: "GET", segments: ["a"]) { $0.text }
        _ = try await client.send(request)
        outer.invalidate(.api.appending(path: "a"), partition: "")

        #expect(try await client.send(request.fetching(policy)) == "2")
        #expect(try await client.send(request.fetching(.cacheOnly)) == "2")
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test func `a cache without a partition leaves cacheOnly to the cache below it`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .text("1", headers: ["Cache-Control": "max-age=60"]) },
            behaviors: [nil, ""].map { name in CachingBehavior(partition: { name }) }
        )
        let request = NetworkRequest(method: "GET", segments: ["a"]) { $0.text }
        _ = try await client.send(request)

        #expect(try await client.send(request.fetching(.cacheOnly)) == "1")
    }

    // Rule: cache/policy-reaches-every-behavior (59); cache/six-policies (58)
    @Test(arguments: ["no-transform", "max-age=7", "max-stale", "min-fresh=5", "a=\"b, c\""])
    func `networkFirst contacts the server whatever Cache-Control the request has`(
        control: String
    ) async throws {
        try await client.store("old")
        let headers = ["Cache-Control": control]

        #expect(await client.sendsRequest(headers: headers, policy: .networkFirst))
        let response = try await client.send(
            headers: headers,
            policy: .networkFirst,
            server: unreachable
        )

        #expect(response.text == "old" && response.source.code == .staleIfError)
    }

    // Rule: cache/policy-reaches-every-behavior (59)
    @Test func `the default policy is standard, which changes nothing in the URL request`() throws {
        let plain = NetworkRequest<Void>(method: "GET", segments: ["a"]) { _ in }
        let sent = try plain.urlRequest(relativeTo: .api)

        #expect(plain.parts.policy == .standard)
        #expect(sent == URLRequest(url: .api.appending(path: "a")))
        #expect(try plain.fetching(.standard).urlRequest(relativeTo: .api) == sent)
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

    private let sends = Counter()

    private func network(_ behaviors: any RequestBehavior...) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { [sends] _ in
                sends.next()
                return NetworkResponse()
            },
            behaviors: behaviors
        )
    }

    private func request(
        _ policy: FetchPolicy,
        _ method: String = "GET"
    ) -> NetworkRequest<NetworkResponse> {
        NetworkRequest(method: method, segments: ["a"]) { $0 }.fetching(policy)
    }
}

extension NetworkRequest {
    fileprivate func with(_ headers: [String: String]) -> NetworkRequest {
        headers.reduce(self) { $0.header($1.key, $1.value) }
    }
}
