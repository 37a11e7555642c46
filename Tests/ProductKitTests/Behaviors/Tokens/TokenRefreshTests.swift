import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenRefreshTests {
    private let store = TokenStore()
    private let server = ActionGate<Void>()
    private let endpoint = ActionGate<Void>()

    // Rule: tokens/one-refresh-for-all (1)
    @Test(arguments: [1, 2, 100])
    func `rejected requests share one refresh and are sent once more`(count: Int) async throws {
        let behavior = store.behavior { old in
            #expect(old == "old")
            try await endpoint.hold()
            return "new"
        }

        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try await behavior.send { request in
                        try await server.hold()
                        return store.response(to: request, accepting: ["new"])
                    }
                }
            }
            await server.waitForCalls(count)
            server.open()
            await endpoint.waitForCalls(1)
            endpoint.open()
            for try await response in group { #expect(response.statusCode == 200) }
        }

        #expect(store.refreshes.count == 1)
        #expect(store.sent.count { $0 == "old" } == count)
        #expect(store.sent.count { $0 == "new" } == count)
    }

    // Rule: tokens/one-refresh-for-all (1)
    @Test func `a request is sent again with its body, and a second 401 is returned`() async throws
    {
        var request = OutgoingRequest("PUT", headers: ["Content-Type": "text/plain"])
        request.body = Data("boots".utf8)

        let response = try await store.behavior { _ in "new" }
            .send(request) { sent in
                #expect(sent.text == "boots")
                return store.response(to: sent)
            }

        #expect(response.statusCode == 401)
        #expect(store.sent == ["old", "new"] && store.refreshes.count == 1)
    }

    // Rule: tokens/one-refresh-for-all (1)
    @Test(arguments: [200, 400, 403, 404, 500])
    func `only a 401 starts a refresh`(statusCode: Int) async throws {
        let sends = await store.behavior(refresh: unexpectedRefresh)
            .sends { _ in NetworkResponse(statusCode: statusCode) }

        #expect(sends == 1)
    }

    // Rule: tokens/newer-token-needs-no-refresh (2)
    @Test func `a request with an older token is sent again without a refresh`() async throws {
        let response = try await store.behavior(refresh: unexpectedRefresh)
            .send { request in
                store.current = "new"
                return store.response(to: request, accepting: ["new"])
            }

        #expect(response.statusCode == 200 && store.sent == ["old", "new"])
    }

    // Rule: tokens/newer-token-needs-no-refresh (2)
    @Test func `a token that is replaced just before the refresh starts is used`() async throws {
        let tokens = Mutex<[AccessToken]>(["old", "old", "new"])
        let behavior = TokenBehavior(
            effects: .stopped,
            token: { tokens.withLock { $0.removeFirst() } },
            refresh: unexpectedRefresh
        )

        _ = try await behavior.send { store.response(to: $0, accepting: ["new"]) }

        #expect(store.sent == ["old", "new"])
    }

    // Rule: tokens/newer-token-needs-no-refresh (2)
    @Test func `a request with an older token does not wait for its refresh`() async throws {
        let executor = SerialTaskExecutor()
        let behavior = store.behavior { _ in
            try await endpoint.hold()
            return "late"
        }
        let waiting = Task { try await behavior.send { .init(to: $0, accepting: ["late"]) } }
        await endpoint.waitForCalls(1)
        let rotated = Task(executorPreference: executor) {
            try await behavior.send { request in
                let response = store.response(to: request, accepting: ["new"])
                try await server.hold()
                return response
            }
        }
        await server.waitForCalls(1)

        store.current = "new"
        server.open()
        await executor.waitUntilIdle()

        #expect(store.sent == ["old", "new"])
        endpoint.open()
        #expect(try await rotated.value.statusCode == 200)
        #expect(try await waiting.value.statusCode == 200)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test(arguments: [0, -1, -86_400])
    func `requests with an expired token wait for one refresh`(seconds: Double) async throws {
        store.current = store.token("old", expiringIn: seconds)
        let behavior = store.behavior { _ in
            try await endpoint.hold()
            return "new"
        }

        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    _ = try await behavior.send { store.response(to: $0, accepting: ["new"]) }
                }
            }
            await endpoint.waitForCalls(1)
            #expect(store.sent.isEmpty)
            endpoint.open()
            try await group.waitForAll()
        }

        #expect(store.refreshes.count == 1 && Set(store.sent) == ["new"])
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test(arguments: [nil, 1, 3_600])
    func `a token that has not expired is sent unchanged`(seconds: Double?) async throws {
        store.current = AccessToken("valid", expiry: seconds.map { store.time.date + $0 })

        let response = try await store.behavior(refresh: unexpectedRefresh)
            .send { NetworkResponse(to: $0, accepting: ["valid"]) }

        #expect(response.statusCode == 200)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test(arguments: [-172_800.0, -1, 0, 59])
    func `a new token that seems to expire at once is sent until the server refuses it`(
        seconds: Double
    ) async throws {
        store.current = store.token("0", expiringIn: -1)
        let behavior = store.behavior { _ in
            store.token("\(store.refreshes.count)", expiringIn: seconds)
        }
        for _ in 0..<100 {
            let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["1"]) }
            #expect(response.statusCode == 200)
            store.time.advance(by: .seconds(1))
        }
        #expect(store.refreshes.count == 1)

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["2"]) }
        #expect(response.statusCode == 200 && store.refreshes.count == 2)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `the date of a new token counts again when the clock has been corrected`()
        async throws
    {
        store.current = store.token("0", expiringIn: -1)
        let lifetimes = [-100.0, 3_600, 3_600]
        let behavior = store.behavior { _ in
            let number = store.refreshes.count
            return store.token("\(number)", expiringIn: lifetimes[number - 1])
        }
        _ = try await behavior.send { NetworkResponse(to: $0, accepting: ["1"]) }
        _ = try await behavior.send { NetworkResponse(to: $0, accepting: ["2"]) }
        store.time.advance(by: .seconds(3_600))

        _ = try await behavior.send { NetworkResponse(to: $0, accepting: ["3"]) }

        #expect(store.refreshes.count == 3)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `two behaviors with one store of tokens refresh once each`() async throws {
        store.current = store.token("0", expiringIn: -1)
        let behaviors = (1...2).map { _ in
            store.behavior { _ in store.token("\(store.refreshes.count)", expiringIn: -100) }
        }

        for index in [0, 1, 0, 1, 0, 1, 0, 1] {
            _ = try await behaviors[index].send { _ in NetworkResponse() }
        }

        #expect(store.refreshes.count == 2)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `another refresh of one of a thousand users leaves the others as they are`()
        async throws
    {
        let behavior = store.behavior { old in
            store.token("\(store.refreshes.count)", expiringIn: 0, user: old.user)
        }
        var issued: [AccessToken?] = []
        for number in 0..<1_000 {
            store.current = store.token("0", expiringIn: -1, user: "\(number)")
            _ = try await behavior.send { _ in NetworkResponse() }
            issued.append(store.current)
        }
        let refusals = Counter()
        for number in [0, 1] {
            store.current = issued[number]
            _ = try await behavior.send { _ in
                NetworkResponse(statusCode: refusals.next() == 1 ? 401 : 200)
            }
        }

        #expect(store.refreshes.count == 1_001)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `the dates of two users do not affect each other`() async throws {
        var tokens = [
            "ann": store.token("ann", expiringIn: -1, user: "ann"),
            "bob": store.token("bob", expiringIn: -1, user: "bob"),
        ]
        let behavior = store.behavior { old in
            // Only the date of Bob's token fits the clock.
            let seconds = old.user == "bob" ? 3_600.0 : 0
            return store.token(old.rawValue, expiringIn: seconds, user: old.user)
        }
        func send(for users: String...) async throws {
            for user in users {
                store.current = tokens[user]
                _ = try await behavior.send { _ in NetworkResponse() }
                tokens[user] = store.current
            }
        }

        try await send(for: "ann", "bob", "ann", "bob", "ann")
        #expect(store.refreshes.count == 2)
        store.time.advance(by: .seconds(3_600))
        try await send(for: "ann")
        #expect(store.refreshes.count == 2)
        try await send(for: "bob")

        #expect(store.refreshes.count == 3)
    }

    @Test func `a request without this token is not sent again`() async throws {
        let behavior = store.behavior(refresh: unexpectedRefresh)
        let own = OutgoingRequest("GET", headers: ["authorization": "Basic own"])

        #expect(await behavior.sends(of: own) { _ in NetworkResponse(statusCode: 401) } == 1)
        store.current = nil
        #expect(await behavior.sends { _ in NetworkResponse(statusCode: 401) } == 1)
    }
}
