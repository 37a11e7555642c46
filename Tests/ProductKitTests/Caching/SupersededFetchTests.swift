import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SupersededFetchTests {
    private let client = CachedClient(related: { _ in [.shop("favorites")] })
    private let gate = ActionGate<Void>()

    /// What happens while a request is in flight.
    enum Event: CaseIterable {
        case removed, allRemoved, invalidated, put, relatedPut, lostPut
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/earlier-response-is-not-stored (48)
    @Test(arguments: Event.allCases, [200, 304, nil])
    func `a response in flight during an invalidation is returned but not stored`(
        event: Event,
        status: Int?
    ) async throws {
        let path = event == .relatedPut ? "favorites?page=2" : "products/boots"
        try await client.storeStale("old", path)
        let response = await held(path, status)

        switch event {
        case .removed: client.cache.make(.removed)
        case .allRemoved: client.cache.make(.allRemoved)
        case .invalidated: client.cache.make(.invalidated)
        case .put, .relatedPut: try await client.send("PUT") { _ in NetworkResponse() }
        case .lostPut: _ = try? await client.send("PUT") { _ in throw NetworkError(.timedOut) }
        }
        gate.open()

        // After a failure, what is still stored is served.
        let isRemoved = [.removed, .allRemoved, .put].contains(event)
        let expected: String? = status == 200 ? "new" : status == nil && isRemoved ? nil : "old"
        #expect((try? await response.value)?.text == expected)
        let next = try? await client.send("GET", path, policy: .cacheFirst, server: unreachable)
        #expect(next?.source.code != .cache && next?.text != "new")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `an invalidation of another URL or partition does not affect a fetch`() async throws
    {
        let response = await held("products/hat", 200)

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }
        client.cache.invalidate(.shop("products/hat"), partition: "anna")
        gate.open()

        _ = try await response.value
        #expect(await !client.sendsRequest("products/hat"))
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test(arguments: [200, 404, nil], [true, false])
    func `the response of an earlier fetch neither replaces nor removes that of a later one`(
        status: Int?,
        isInvalidated: Bool
    ) async throws {
        if isInvalidated { try await client.storeStale() }
        let response = await held("products/boots", status)

        if isInvalidated { client.cache.make(.invalidated) }
        try await client.store("later")
        gate.open()

        #expect(try await response.value.text == (status == nil ? "later" : "new"))
        #expect(try await client.send().text == "later")
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test(arguments: [200, 304, nil], [nil, "gone"])
    func `the response of an earlier fetch does not restore what a later 404 removed or replaced`(
        status: Int?,
        stored: String?
    ) async throws {
        try await client.storeStale()
        let response = await held("products/boots", status)

        let control = stored == nil ? "no-store" : "max-age=60"
        try await client.send { _ in
            .text("gone", statusCode: 404, headers: ["Cache-Control": control])
        }
        gate.open()

        let expected = [200: "new", 304: "old"][status ?? 0] ?? stored
        #expect((try? await response.value)?.text == expected)
        #expect((try? await client.send(policy: .cacheOnly))?.text == stored)
    }

    // Rule: cache/earlier-response-is-not-stored (48); cache/eight-variants (20)
    @Test(arguments: ["X-Mode", "X-Old"])
    func `of two variants that are fetched at once both are stored, unless the later Vary differs`(
        earlierVary: String
    ) async throws {
        let slow = Task {
            try await client.send(headers: ["X-Mode": "a"]) { _ in
                try await gate.hold()
                return .text("a", headers: ["Cache-Control": "max-age=60", "Vary": earlierVary])
            }
        }
        await gate.waitForCalls(1)

        try await client.storeVariant("b")
        gate.open()
        _ = try await slow.value

        #expect(try await client.send(headers: ["X-Mode": "b"]).text == "b")
        let isStored = await !client.sendsRequest(headers: ["X-Mode": "a"])
        #expect(isStored == (earlierVary == "X-Mode"))
    }

    // Rule: cache/stale-if-error-causes (33); cache/memory-is-limited (50)
    @Test func `a fetch that fails serves a response that memory had no room for meanwhile`()
        async throws
    {
        let client = CachedClient(cache: ResponseCache(entryLimit: 1))
        try await client.storeStale()

        let response = try await client.send { _ in
            try await client.store("hat", "products/hat")
            throw NetworkError(.unreachable)
        }

        #expect(response.text == "old" && response.source.code == .staleIfError)
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [200, 404])
    func `a fetch that fails serves what an earlier one that has ended meanwhile has left`(
        status: Int
    ) async throws {
        try await client.storeStale("old")
        let earlier = await held("products/boots", status)

        let response = Task {
            try await client.send { _ in
                gate.open()
                _ = try await earlier.value
                throw NetworkError(.unreachable)
            }
        }

        guard status == 200 else {
            await expectNetworkError(.unreachable) { try await response.value }
            return
        }
        #expect(try await response.value.text == "new")
        #expect(try await response.value.source.code == .staleIfError)
    }

    // Rule: cache/removal-before-request-counts (49)
    @Test(
        arguments: [(CacheChange.allRemoved, "a"), (.removed, "a"), (.invalidated, "b")],
        [200, 304]
    )
    func `a response is not stored when its URL was removed between lookup and fetch`(
        change: (CacheChange, of: String),
        status: Int
    ) async throws {
        let cache = ResponseCache()
        let readings = Counter()
        // The behavior reads the clock after the lookup, and twice for each fetch.
        let behavior = CachingBehavior(
            cache: cache,
            partition: { "" },
            effects: SystemEffects(now: {
                let reading = readings.next()
                if reading == 4 { cache.make(change.0, of: change.of) }
                return Date(timeIntervalSince1970: reading < 4 ? 0 : 100)
            })
        )
        let request = OutgoingRequest("GET", .shop("a"))
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        _ = try await behavior.send(request) { _ in .text("old", headers: headers) }

        let response = try await behavior.send(request) { _ in
            .text("new", statusCode: status, headers: headers)
        }

        #expect(response.text == (status == 200 ? "new" : "old"))
        // What was stored stays, unless it was removed.
        let kept = change.of == "b" ? [Date(timeIntervalSince1970: 0)] : []
        #expect(cache.summaries().map(\.asOf) == kept)
    }

    /// Starts a request whose response, or failure without a status code, waits at the gate.
    private func held(_ path: String, _ status: Int?) async -> Task<NetworkResponse, any Error> {
        let response = Task {
            try await client.send("GET", path) { _ in
                try await gate.hold()
                guard let status else { throw NetworkError(.unreachable) }
                return .text("new", statusCode: status, headers: status == 404 ? [:] : .fresh)
            }
        }
        await gate.waitForCalls(1)
        return response
    }
}
