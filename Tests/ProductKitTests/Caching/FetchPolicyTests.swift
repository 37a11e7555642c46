import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct FetchPolicyTests {
    private let shop = CachedShop()

    // Caching rule 58
    @Test(arguments: [
        (FetchPolicy.standard, FetchPolicy.Cache.before, FetchPolicy.Network.onMiss, false, true),
        (.storedFirst, .before, .onMiss, true, true), (.storedOnly, .before, .never, true, true),
        (.confirmedOrStored, .onFailure, .always, false, true),
        (.confirmed, .never, .always, false, true), (.anew, .never, .always, false, false),
    ])
    func `a policy is what the cache and the network may do`(
        policy: FetchPolicy,
        cache: FetchPolicy.Cache,
        network: FetchPolicy.Network,
        acceptsAnyAge: Bool,
        isConditional: Bool
    ) {
        #expect(policy.cache == cache && policy.network == network)
        #expect(policy.acceptsAnyAge == acceptsAnyAge && policy.isConditional == isConditional)
    }

    // Caching rule 58: nothing, something fresh, something stale
    @Test(arguments: [
        (FetchPolicy.standard, [true, false, true]), (.storedFirst, [true, false, false]),
        (.storedOnly, [false, false, false]), (.confirmedOrStored, [true, true, true]),
        (.confirmed, [true, true, true]), (.anew, [true, true, true]),
    ])
    func `a policy says when the network is asked`(
        policy: FetchPolicy,
        asks: [Bool]
    ) async throws {
        #expect(await shop.asks(policy: policy) == asks[0])
        try await shop.store()
        #expect(await shop.asks(policy: policy) == asks[1])
        shop.timeline.move(by: .seconds(1_000_000))
        #expect(await shop.asks(policy: policy) == asks[2])
    }

    // Caching rule 58
    @Test func `at any age means past any limit`() async throws {
        try await shop.store("old")
        shop.timeline.move(by: .seconds(1_000_000))

        for policy in [FetchPolicy.storedFirst, .storedOnly] {
            let answer = try await shop.send(policy: policy)
            #expect(answer.text == "old" && answer.source.code == .stored)
        }
        #expect(await shop.asks(headers: ["Cache-Control": "max-age=100"], policy: .storedFirst))
    }

    // Caching rule 58
    @Test func `a question for what is not stored is an error, and never goes out`() async throws {
        for headers in [[:], ["Cache-Control": "no-store"], ["If-None-Match": "\"1\""]] {
            let error = await #expect(throws: NetworkError.self) {
                try await client(shop.behavior).send(
                    request(.storedOnly).header("X-Mode", "a").with(headers)
                )
            }
            #expect(error?.code == .notStored && error?.method == "GET")
        }
        #expect(sends.count == 0)
    }

    // Caching rule 58
    @Test(arguments: ["GET", "HEAD", "PUT"])
    func `without a cache, what only a cache may answer never goes out`(method: String) async throws
    {
        let error = await #expect(throws: NetworkError.self) {
            try await client().send(request(.storedOnly, method))
        }
        let other = await #expect(throws: NetworkError.self) {
            try await client(shop.behavior).send(request(.storedOnly, method))
        }

        #expect(error?.code == .notStored && other?.code == .notStored && sends.count == 0)
    }

    // Caching rule 59
    @Test(
        arguments: [
            (FetchPolicy.standard, URLRequest.CachePolicy.useProtocolCachePolicy, nil),
            (.storedFirst, .returnCacheDataElseLoad, nil),
            (.storedOnly, .returnCacheDataDontLoad, nil),
            (.confirmed, .reloadRevalidatingCacheData, nil),
            (.anew, .reloadIgnoringLocalCacheData, nil),
            (.confirmedOrStored, .useProtocolCachePolicy, "max-age=0"),
        ] as [(FetchPolicy, URLRequest.CachePolicy, String?)]
    )
    func `a policy travels with the request`(
        policy: FetchPolicy,
        cachePolicy: URLRequest.CachePolicy,
        control: String?
    ) throws {
        let sent = try request(policy).map { answer, _ in answer }.urlRequest(relativeTo: .api)

        #expect(sent.cachePolicy == cachePolicy)
        #expect(sent.value(forHTTPHeaderField: "Cache-Control") == control)
        #expect(FetchPolicy(sent) == (policy == .confirmedOrStored ? .standard : policy))
    }

    // Caching rule 59
    @Test func `a request has the standard policy, which changes nothing`() throws {
        let plain = NetworkRequest<Void>(method: "GET", segments: ["a"]) { _ in }
        let sent = try plain.urlRequest(relativeTo: .api)

        #expect(plain.fetchPolicy == .standard)
        #expect(sent == URLRequest(url: .api.appending(path: "a")))
        #expect(try plain.fetching(.standard).urlRequest(relativeTo: .api) == sent)
    }

    // Caching rule 61
    @Test func `a value knows who gave it`() {
        let date = Date(timeIntervalSince1970: 7)
        let sources: [(FetchSource, Bool, Date?)] = [
            (.network, true, nil), (.validated, true, nil), (.stored(asOf: date), false, date),
            (.standIn(asOf: date, failure: Offline()), false, date),
        ]
        for (source, isConfirmed, asOf) in sources {
            let fetched = Fetched("boots", source: source)
            #expect(fetched.value == "boots" && fetched.source == source)
            #expect(fetched.isConfirmed == isConfirmed && fetched.asOf == asOf)
            #expect(fetched.map(\.count) == Fetched(5, source: source))
        }
        #expect(Fetched(1, source: .network) != Fetched(1, source: .validated))
    }

    private let sends = Counter()

    private func client(_ behaviors: any RequestBehavior...) -> NetworkClient {
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
