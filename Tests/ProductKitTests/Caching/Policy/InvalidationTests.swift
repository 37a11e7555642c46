import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InvalidationTests {
    private let shop = CachedShop(related: { url in
        url == .shop("products/boots") ? [.shop("favorites"), .shop("products?q=a")] : []
    })

    // Caching rule 44
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "M-SEARCH", "FOO"])
    func `a mutation that succeeded removes what is stored for its address`(
        method: String
    ) async throws {
        for status in [200, 204, 302] {
            let shop = CachedShop()
            try await shop.store()
            try await shop.store(headers: ["Authorization": "Bearer a"])
            try await shop.store("hat", "products/hat")

            try await shop.send(method) { _ in NetworkResponse(statusCode: status) }

            #expect(shop.cache.entries().map(\.url) == [URL.shop("products/hat").absoluteString])
            #expect(shop.asked.last?.cachePolicy == .reloadIgnoringLocalCacheData)
        }
    }

    // Caching rule 44, S23
    @Test(arguments: ["Location", "Content-Location"])
    func `a mutation removes the addresses of its origin that the answer names, too`(
        name: String
    ) async throws {
        for (location, isRemoved) in [
            ("https://api.example.com/v1/lists/1", true), ("/v1/lists/1", true), ("1", false),
            ("HTTPS://API.example.com:443/v1/lists/1#a", true), ("lists/1", true),
            ("../v1/./lists/1", true), ("//api.example.com/v1/lists/1", true),
            ("https://www.example.com/v1/lists/1", false), ("lists/1?a=b", false),
            ("http://api.example.com/v1/lists/1", false), (":", false), ("", false),
            ("https://api.example.com:8443/v1/lists/1", false),
        ] {
            let shop = CachedShop()
            try await shop.store("list", "lists/1")

            try await shop.send("POST", "lists") { _ in
                NetworkResponse(statusCode: 201, headers: [name: location])
            }

            #expect(shop.cache.entries().isEmpty == isRemoved, "\(location)")
        }
    }

    // Caching rules 44 and 46
    @Test func `what it made old is asked for, and saves the body`() async throws {
        try await shop.store("old", "favorites")
        try await shop.store("other", "favorites?page=2")
        try await shop.store("boots", "products")
        try await shop.store("boots", "products?q=boots")
        try await shop.store("hat", "products/hat")

        try await shop.send("PUT") { _ in NetworkResponse(statusCode: 204) }

        for path in ["favorites", "favorites?page=2", "products", "products?q=boots"] {
            #expect(await shop.asks(path), "\(path)")
            #expect(shop.asked.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        }
        #expect(await !shop.asks("products/hat"))
    }

    // Caching rule 46
    @Test(arguments: [FetchPolicy.standard, .cacheFirst, .cacheOnly])
    func `what is old by a mutation is used by no policy without asking`(
        policy: FetchPolicy
    ) async throws {
        try await shop.store(
            "old",
            answer: ["Cache-Control": "max-age=60, stale-while-revalidate=60"]
        )
        shop.cache.invalidate(.shop("products/boots?any=query"))

        let answer = try? await shop.send(
            headers: ["Cache-Control": "max-stale"],
            policy: policy
        ) { _ in .text("new", headers: ["Cache-Control": "max-age=60"]) }

        #expect(answer?.text == (policy == .cacheOnly ? nil : "new"))
        #expect(await shop.asks(policy: .cacheOnly) == false)
    }

    // Caching rule 46
    @Test func `what is old by a mutation stands in, and a confirmation makes it new`() async throws
    {
        try await shop.store("old")
        shop.cache.invalidate(.shop("products/boots"))

        let offline = try await shop.send(answer: noConnection)
        let confirmed = try await shop.send { _ in NetworkResponse(statusCode: 304) }

        #expect(offline.source.code == .staleIfError && offline.text == "old")
        #expect(confirmed.source == .revalidated)
        #expect(await !shop.asks())
    }

    // Caching rule 46
    @Test func `making old what is old already, or somebody else's, changes nothing`() async throws
    {
        try await shop.store()

        shop.cache.invalidate(.shop("products/boots"), partition: "anna")
        shop.cache.invalidate(.shop("products/boot"))
        shop.cache.invalidate(.shop("products/boots/more"))
        #expect(await !shop.asks())
        shop.cache.invalidate(.shop("products/boots"))
        shop.cache.invalidate(.shop("products/boots"))

        #expect(shop.cache.entries().count == 1)
        #expect(shop.cache.entries().allSatisfy { !$0.isFresh(at: shop.timeline.now) })
    }

    // Caching rule 45
    @Test(arguments: [400, 401, 403, 404, 409, 412, 429, 499])
    func `a mutation that was rejected changes nothing`(status: Int) async throws {
        try await shop.store()
        try await shop.store("old", "favorites")

        try await shop.send("PUT") { _ in
            NetworkResponse(statusCode: status, headers: ["Location": "favorites"])
        }

        #expect(await !shop.asks())
        #expect(await !shop.asks("favorites"))
    }

    // Caching rule 45
    @Test(arguments: [500, 503, 599])
    func `a mutation that failed makes old what it may have touched`(status: Int) async throws {
        try await shop.store()
        try await shop.store("old", "favorites")

        try await shop.send("PUT") { _ in NetworkResponse(statusCode: status) }

        #expect(shop.cache.entries().count == 2)
        #expect(await !shop.asks())
        #expect(await shop.asks("favorites"))
    }

    // Caching rule 45
    @Test(arguments: [
        (NetworkError.Code.timedOut, true), (.connectionLost, true), (.incomplete, true),
        (.tooLarge, true), (.unreadable, true), (.redirect, true), (.unreachable, false),
        (.invalidRequest, false), (.insecure, false), (.untrusted, false),
    ])
    func `a mutation without an answer makes old what it may have touched`(
        code: NetworkError.Code,
        mayHaveArrived: Bool
    ) async throws {
        try await shop.store()
        try await shop.store("old", "favorites")

        let error = await #expect(throws: NetworkError.self) {
            try await shop.send("PUT") { _ in throw NetworkError(code) }
        }

        #expect(error?.code == code && shop.cache.entries().count == 2)
        #expect(await shop.asks() == mayHaveArrived)
        #expect(await shop.asks("favorites") == mayHaveArrived)
    }

    // Caching rule 45
    @Test func `a mutation that was cancelled or lost by the system may have arrived`() async throws
    {
        for (error, mayHaveArrived) in [
            (CancellationError(), true), (URLError(.networkConnectionLost), true),
            (URLError(.cancelled), true), (Offline(), true), (URLError(.cannotFindHost), false),
        ] as [(any Error, Bool)] {
            let shop = CachedShop()
            try await shop.store()
            _ = try? await shop.send("PUT") { _ in throw error }
            #expect(await shop.asks() == mayHaveArrived, "\(error)")
        }
    }
}
