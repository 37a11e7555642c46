import EmbeddedStore
import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct RepetitionTests {
    @Test func `a request that fails once is retried`() async throws {
        let failures = Countdown(1)
        try await EmbeddedStore.withService(
            intercept: { _, handle in failures.next() ? .problem(503) : await handle() }
        ) { store, service in
            let boots = try await service.loader.loadProduct(withID: "walking-boots")

            #expect(boots.id == "walking-boots")
            #expect(store.exchanges.map(\.status) == [503, 200])
        }
    }

    @Test func `an idempotent write is retried when its response is lost`() async throws {
        let failures = Countdown(2)
        try await EmbeddedStore.withService(
            intercept: { _, handle in
                let response = await handle()
                return failures.next() ? .problem(502) : response
            }
        ) { store, service in
            let list = try await service.listManager.createList(named: "Gifts", id: "gifts")

            #expect(list.name == "Gifts")
            #expect(store.lists().filter { $0.name == "Gifts" }.map(\.id) == ["gifts"])
            #expect(store.count(of: "PUT", "/v1/lists/gifts") == 3)
        }
    }

    @Test func `a conditional rename whose response is lost succeeds on retry`() async throws {
        let failures = Countdown(1)
        try await EmbeddedStore.withService(
            intercept: { request, handle in
                let response = await handle()
                return request.method == "PUT" && failures.next() ? .problem(502) : response
            }
        ) { store, service in
            let list = try await service.listManager.list(withID: "camping")

            let renamed = try await service.listManager.renameList(
                withID: "camping",
                to: "Mountains",
                ifUnchanged: list
            )

            #expect(renamed.name == "Mountains")
            #expect(store.lists().map(\.name) == ["Wishlist", "Mountains"])
        }
    }

    @Test func `all attempts of a POST have the same idempotency key`()
        async throws
    {
        let keys = Recorder<String?>()
        let failures = Countdown(2)
        try await withEmbeddedStore(
            intercept: { request, _ in
                keys.record(request.header("Idempotency-Key"))
                return failures.next() ? .problem(503) : StoreResponse(status: 204)
            }
        ) { _, baseURL in
            let client = NetworkClient(
                baseURL: baseURL,
                behaviors: [IdempotencyKeyBehavior(), RetryBehavior()]
            )

            try await client.send(.post("orders"))

            #expect(keys.all.count == 3)
            #expect(Set(keys.all).count == 1)
            #expect(keys.all.first??.count == 36)
        }
    }

    @Test func `a retry waits for the time in Retry-After`() async throws {
        let delays = Recorder<Duration>()
        let failures = Countdown(1)
        try await withEmbeddedStore(
            intercept: { _, handle in
                failures.next() ? .problem(429, headers: ["Retry-After": "1"]) : await handle()
            }
        ) { store, baseURL in
            let retry = RetryBehavior(effects: SystemEffects(sleep: { delays.record($0) }))
            let signing = TokenBehavior { EmbeddedStore.demoToken }
            let client = NetworkClient(baseURL: baseURL, behaviors: [retry, signing])

            _ = try await ProductLoader(client: client).loadProduct(withID: "walking-boots")

            #expect(delays.all == [.seconds(1)])
            #expect(store.exchanges.map(\.status) == [429, 200])
        }
    }

    @Test(.tags(.timing), .timed)
    func `a retry is sent soon after the time in Retry-After`() async throws {
        let times = Recorder<ContinuousClock.Instant>()
        let failures = Countdown(1)
        try await EmbeddedStore.withService(
            intercept: { _, handle in
                times.record(.now)
                return failures.next()
                    ? .problem(429, headers: ["Retry-After": "1"]) : await handle()
            }
        ) { _, service in
            _ = try await service.loader.loadProduct(withID: "walking-boots")

            let (first, second) = (try #require(times.all.first), try #require(times.all.last))
            #expect(first.duration(to: second) >= .seconds(1))
            #expect(first.duration(to: second) < .seconds(20))
        }
    }

    @Test func `the number of retries is limited during an outage`() async throws {
        try await EmbeddedStore.withService(intercept: { _, _ in .problem(503) }) {
            store,
            service in
            await withTaskGroup(of: Void.self) { group in
                for number in 1...1_000 {
                    if number > 40 { await group.next() }
                    group.addTask {
                        _ = try? await service.loader.loadProduct(withID: "boots-\(number)")
                    }
                }
            }

            #expect(store.exchanges.count >= 1_000)
            #expect(store.exchanges.count <= 1_000 + 500 / 14 + 1)
        }
    }

    @Test func `sixteen equal concurrent loads share one request`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        try await EmbeddedStore.withService(
            intercept: { _, handle in
                arrival.yield()
                for await _ in held {}
                return await handle()
            }
        ) { _, service in
            async let names = withThrowingTaskGroup { group in
                for _ in 1...16 {
                    group.addTask {
                        try await service.loader.loadProduct(withID: "enamel-mug").name
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            var requests = arrivals.makeAsyncIterator()
            _ = await requests.next()
            // Time for a second request, which must not arrive before the first response is sent.
            try await Task.sleep(for: .milliseconds(300))
            arrival.finish()
            release.finish()

            #expect(try await names.count == 16)
            let second: Void? = await requests.next()
            #expect(second == nil)
        }
    }

    @Test func `a hundred concurrent 401 responses cause one token refresh`() async throws {
        let tokens = TokenStore()
        try await withEmbeddedStore { store, baseURL in
            store.revokeToken(EmbeddedStore.demoToken)
            let signing = TokenBehavior(
                token: { tokens.current },
                refresh: { _ in
                    store.acceptToken("fresh-token", of: EmbeddedStore.demoUser)
                    return tokens.refresh()
                }
            )
            let loader = ProductLoader(
                client: NetworkClient(baseURL: baseURL, behaviors: [signing])
            )

            try await withThrowingTaskGroup { group in
                for _ in 1...100 {
                    group.addTask { _ = try await loader.loadProduct(withID: "walking-boots") }
                }
                try await group.waitForAll()
            }

            #expect(tokens.refreshes == 1)
            #expect(store.exchanges.count { $0.status == 200 } == 100)
        }
    }
}

/// A counter whose `next()` returns true a given number of times, and then false.
private final class Countdown: Sendable {
    private let remaining: Mutex<Int>

    init(_ count: Int) {
        remaining = Mutex(count)
    }

    func next() -> Bool {
        remaining.withLock { remaining in
            remaining -= 1
            return remaining >= 0
        }
    }
}

/// The access token of an app's user.
private final class TokenStore: Sendable {
    private let state = Mutex((token: AccessToken(EmbeddedStore.demoToken), refreshes: 0))

    var current: AccessToken { state.withLock(\.token) }
    var refreshes: Int { state.withLock(\.refreshes) }

    func refresh() -> AccessToken {
        state.withLock { state in
            state = (AccessToken("fresh-token"), state.refreshes + 1)
            return state.token
        }
    }
}
