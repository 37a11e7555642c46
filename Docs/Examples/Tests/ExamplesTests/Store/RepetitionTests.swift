import EmbeddedStore
import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct RepetitionTests {
    @Test func `a store that fails once is asked again`() async throws {
        let failures = Countdown(1)
        try await withShop(
            intercept: { _, handle in failures.next() ? .problem(503) : await handle() }
        ) { store, shop in
            let boots = try await shop.loader.loadProduct(withID: "walking-boots")

            #expect(boots.id == "walking-boots")
            #expect(store.exchanges.map(\.status) == [503, 200])
        }
    }

    @Test func `a write whose answer is lost is sent again and does no harm`() async throws {
        let failures = Countdown(2)
        try await withShop(
            intercept: { _, handle in
                let response = await handle()
                return failures.next() ? .problem(502) : response
            }
        ) { store, shop in
            let list = try await shop.listManager.createList(named: "Gifts", id: "gifts")

            #expect(list.name == "Gifts")
            #expect(store.lists().filter { $0.name == "Gifts" }.map(\.id) == ["gifts"])
            #expect(store.count(of: "PUT", "/v1/lists/gifts") == 3)
        }
    }

    @Test func `a conditional rename whose answer is lost is no conflict`() async throws {
        let failures = Countdown(1)
        try await withShop(
            intercept: { request, handle in
                let response = await handle()
                return request.method == "PUT" && failures.next() ? .problem(502) : response
            }
        ) { store, shop in
            let read = try await shop.listManager.list(withID: "camping")

            let renamed = try await shop.listManager.rename(
                "camping",
                to: "Mountains",
                ifUnchanged: read
            )

            #expect(renamed.name == "Mountains")
            #expect(store.lists().map(\.name) == ["Wishlist", "Mountains"])
        }
    }

    @Test func `a write that is no PUT arrives under one key however often it is sent`()
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

    @Test func `a store that asks for patience is not asked early`() async throws {
        let times = Recorder<ContinuousClock.Instant>()
        let failures = Countdown(1)
        try await withShop(
            intercept: { _, handle in
                times.record(.now)
                return failures.next()
                    ? .problem(429, headers: ["Retry-After": "1"]) : await handle()
            }
        ) { _, shop in
            _ = try await shop.loader.loadProduct(withID: "walking-boots")

            let (first, second) = (try #require(times.all.first), try #require(times.all.last))
            #expect(first.duration(to: second) >= .seconds(1))
            #expect(first.duration(to: second) < .seconds(20))
        }
    }

    @Test func `an outage is not made worse`() async throws {
        try await withShop(intercept: { _, _ in .problem(503) }) { store, shop in
            await withTaskGroup(of: Void.self) { group in
                for number in 1...1_000 {
                    if number > 40 { await group.next() }
                    group.addTask {
                        _ = try? await shop.loader.loadProduct(withID: "boots-\(number)")
                    }
                }
            }

            #expect(store.exchanges.count >= 1_000)
            #expect(store.exchanges.count <= 1_000 + 500 / 14 + 1)
        }
    }

    @Test func `sixteen equal loads are one request`() async throws {
        try await withShop(
            intercept: { _, handle in
                try? await Task.sleep(for: .milliseconds(300))
                return await handle()
            }
        ) { store, shop in
            let names = try await withThrowingTaskGroup { group in
                for _ in 1...16 {
                    group.addTask { try await shop.loader.loadProduct(withID: "enamel-mug").name }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(names.count == 16)
            #expect(store.count(of: "GET", "/v1/products/enamel-mug") == 1)
        }
    }

    @Test func `a hundred refused tokens are one refresh`() async throws {
        let session = TokenSession()
        try await withEmbeddedStore { store, baseURL in
            store.revokeToken(EmbeddedStore.demoToken)
            let signing = TokenBehavior(
                token: { session.current },
                refresh: { _ in
                    store.acceptToken("fresh-token", of: EmbeddedStore.demoUser)
                    return session.refresh()
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

            #expect(session.refreshes == 1)
            #expect(store.exchanges.count { $0.status == 200 } == 100)
        }
    }
}

/// True so many times, then false.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    func next() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}

/// What a host keeps about its user.
private final class TokenSession: Sendable {
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
