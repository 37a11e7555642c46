import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResponseCacheTests {
    // Caching rule 50
    @Test func `the least recently used leaves first`() async throws {
        let shop = CachedShop(cache: ResponseCache(entryLimit: 3))
        for path in ["a", "b", "c"] { try await shop.store(path, path) }
        #expect(await !shop.asks("a"))

        try await shop.store("d", "d")

        #expect(shop.cache.entries().map { $0.url.suffix(1) } == ["d", "a", "c"])
        #expect(await shop.asks("b"))
        #expect(await !shop.asks("c"))
        try await shop.store("e", "e")
        #expect(shop.cache.entries().map { $0.url.suffix(1) } == ["e", "c", "d"])
    }

    // Caching rule 50
    @Test func `by itself it knows two thousand addresses`() async throws {
        let shop = CachedShop()
        for number in 0...2_000 { try await shop.store("", "products/\(number)") }

        #expect(shop.cache.statistics.entryCount == 2_000)
        #expect(await shop.asks("products/0"))
        #expect(await !shop.asks("products/1"))
    }

    // Caching rule 50
    @Test func `it never holds more bytes than it may, after any store`() async throws {
        let shop = CachedShop(cache: ResponseCache(byteLimit: 10_000))
        var generator = SeededGenerator(seed: 5)
        for number in 0..<500 {
            let size = Int.random(in: 0...3_000, using: &generator)
            let path = "products/\(Int.random(in: 0..<20, using: &generator))"
            try await shop.send("GET", path, policy: .reload) { _ in
                .text(
                    String(repeating: "x", count: size),
                    headers: ["Cache-Control": "max-age=60"]
                )
            }
            let statistics = shop.cache.statistics
            #expect(statistics.byteCount <= 10_000, "after \(number)")
            let bodies = shop.cache.entries().reduce(0) { $0 + $1.byteCount }
            #expect(bodies <= statistics.byteCount)
            #expect(statistics.entryCount == shop.cache.entries().count)
        }
        #expect(shop.cache.statistics.entryCount > 3)
        shop.cache.removeAll()
        #expect(shop.cache.statistics.byteCount == 0)
    }

    // Caching rule 50
    @Test func `what takes more than a quarter is not kept, nor is what it replaces`() async throws
    {
        let shop = CachedShop(cache: ResponseCache(byteLimit: 8_000))
        try await shop.store("other", "other")
        try await shop.store("old", "big")

        try await shop.send("GET", "big", policy: .revalidate) { _ in
            .text(String(repeating: "x", count: 2_000), headers: ["Cache-Control": "max-age=60"])
        }

        #expect(shop.cache.entries().map(\.byteCount) == [5])
        #expect(await !shop.asks("other"))
    }

    // Caching rules 20 and 50
    @Test func `of many variants, those are kept that fit into a quarter`() async throws {
        let shop = CachedShop(cache: ResponseCache(byteLimit: 8_000))
        for mode in 1...4 {
            try await shop.store(
                String(repeating: "\(mode)", count: 400),
                headers: ["X-Mode": "\(mode)"],
                answer: ["Cache-Control": "max-age=60", "Vary": "X-Mode"]
            )
        }

        #expect((1...3).contains(shop.cache.entries().count))
        #expect(await !shop.asks(headers: ["X-Mode": "4"]))
        #expect(await shop.asks(headers: ["X-Mode": "1"]))
    }

    // Caching rule 50
    @Test func `a cache of no size keeps nothing and harms nobody`() async throws {
        for cache in [ResponseCache(byteLimit: 0), ResponseCache(entryLimit: 0)] {
            let shop = CachedShop(cache: cache)
            try await shop.store()
            try await shop.store()

            #expect(shop.cache.entries().isEmpty && shop.asks == 2)
        }
    }

    // Caching rule 50
    @Test func `it tells what it holds and of what use it was`() async throws {
        let shop = CachedShop()
        try await shop.store("boots", headers: ["Accept": "a"])
        try await shop.store("hat", "hat", answer: ["Cache-Control": "no-cache"])
        shop.timeline.move(by: .seconds(1))
        _ = try await shop.send()

        let entries = shop.cache.entries()
        let statistics = shop.cache.statistics

        #expect(
            entries.map(\.url) == ["products/boots", "hat"].map { URL.shop($0).absoluteString }
        )
        #expect(entries.map(\.byteCount) == [5, 3] && entries.map(\.statusCode) == [200, 200])
        #expect(entries.map(\.asOf) == [shop.timeline.now - 1, shop.timeline.now - 1])
        #expect(entries.map(\.freshUntil) == [shop.timeline.now + 59, nil])
        #expect(entries.map { $0.isFresh(at: shop.timeline.now + 58) } == [true, false])
        #expect(!entries[0].isFresh(at: shop.timeline.now + 59))
        #expect(!entries[0].isFresh(at: shop.timeline.now - 2))
        #expect(statistics.hits == 1 && statistics.misses == 2 && statistics.entryCount == 2)
    }

    // Caching rules 42, 44, 46 and 50
    @Test func `many who read, write and forget at once leave it whole`() async throws {
        let cache = ResponseCache(byteLimit: 40_000, entryLimit: 20)
        let shop = CachedShop(cache: cache)
        await withTaskGroup { group in
            for worker in 0..<64 {
                group.addTask {
                    for turn in 0..<50 {
                        let path = "products/\((worker * 7 + turn) % 30)"
                        switch (worker + turn) % 16 {
                        case 0: cache.remove(.shop(path))
                        case 1: cache.invalidate(.shop(path))
                        case 2 where turn % 25 == 0: cache.removeAll()
                        case 3: _ = try? await shop.send("PUT", path) { _ in NetworkResponse() }
                        case 4: _ = cache.entries()
                        default:
                            let answer = try? await shop.send("GET", path) { _ in
                                .text(path, headers: ["Cache-Control": "max-age=60"])
                            }
                            #expect(answer?.text == path)
                        }
                        #expect(cache.statistics.entryCount <= 20)
                        #expect(cache.statistics.byteCount <= 40_000)
                    }
                }
            }
        }
        cache.removeAll()
        #expect(cache.statistics.byteCount == 0 && cache.entries().isEmpty)
    }
}
