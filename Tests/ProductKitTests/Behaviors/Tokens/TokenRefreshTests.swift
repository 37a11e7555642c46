import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenRefreshTests {
    // Rule: tokens/one-refresh-for-all (1)
    @Test(arguments: [1, 2, 100])
    func `rejected requests share one refresh and are sent once more`(count: Int) async throws {
        let current = Mutex<AccessToken>("old")
        let refreshes = Mutex<[AccessToken]>([])
        let sent = Mutex<[String?]>([])
        let (server, endpoint) = (ActionGate<Void>(), ActionGate<Void>())
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { old in
                refreshes.withLock { $0.append(old) }
                try await endpoint.hold()
                current.withLock { $0 = "new" }
                return "new"
            }
        )
        let respond: @Sendable (URLRequest) async throws -> NetworkResponse = { request in
            sent.withLock { $0.append(request.token) }
            try await server.hold()
            return NetworkResponse(to: request, accepting: ["new"])
        }

        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { try await behavior.send(to: respond) }
            }
            await server.waitForCalls(count)
            server.open()
            await endpoint.waitForCalls(1)
            endpoint.open()
            for try await response in group { #expect(response.statusCode == 200) }
        }

        #expect(refreshes.withLock { $0 } == ["old"])
        #expect(sent.withLock { $0.count { $0 == "old" } } == count)
        #expect(sent.withLock { $0.count { $0 == "new" } } == count)
    }

    // Rule: tokens/one-refresh-for-all (1)
    @Test func `a second 401 is returned without another refresh`() async throws {
        let current = Mutex<AccessToken>("old")
        let refreshes = Counter()
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                refreshes.next()
                current.withLock { $0 = "new" }
                return "new"
            }
        )
        let sends = Counter()

        let response = try await behavior.send { _ in
            sends.next()
            return NetworkResponse(statusCode: 401)
        }

        #expect(response.statusCode == 401)
        #expect(sends.count == 2)
        #expect(refreshes.count == 1)
    }

    // Rule: tokens/one-refresh-for-all (1)
    @Test(arguments: [200, 400, 403, 404, 500])
    func `only a 401 starts a refresh`(statusCode: Int) async throws {
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: unexpectedRefresh
        )

        let sends = await behavior.sends { _ in NetworkResponse(statusCode: statusCode) }

        #expect(sends == 1)
    }

    // Rule: tokens/one-refresh-for-all (1)
    @Test func `a request is sent again with its body`() async throws {
        let bodies = Mutex<[Data?]>([])
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { _ in "new" }
        )
        var request = OutgoingRequest("PUT")
        request.body = Data("boots".utf8)
        request.headers["Content-Type"] = "text/plain"
        _ = try await behavior.send(request) { sent in
            bodies.withLock { $0.append(sent.httpBody) }
            return NetworkResponse(statusCode: 401)
        }
        #expect(bodies.withLock { $0 } == [Data("boots".utf8), Data("boots".utf8)])
    }

    // Rule: tokens/newer-token-needs-no-refresh (2)
    @Test func `a request with an older token is sent again without a refresh`() async throws {
        let current = Mutex<AccessToken>("old")
        let sent = Mutex<[String?]>([])
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: unexpectedRefresh
        )

        let response = try await behavior.send { request in
            sent.withLock { $0.append(request.token) }
            current.withLock { $0 = "new" }
            return NetworkResponse(to: request, accepting: ["new"])
        }

        #expect(response.statusCode == 200)
        #expect(sent.withLock { $0 } == ["old", "new"])
    }

    // Rule: tokens/newer-token-needs-no-refresh (2)
    @Test func `a token that is replaced just before the refresh starts is used`() async throws {
        let tokens = Mutex<[AccessToken]>(["old", "old", "new"])
        let sent = Mutex<[String?]>([])
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { tokens.withLock { $0.removeFirst() } },
            refresh: unexpectedRefresh
        )

        _ = try await behavior.send { request in
            sent.withLock { $0.append(request.token) }
            return NetworkResponse(to: request, accepting: ["new"])
        }

        #expect(sent.withLock { $0 } == ["old", "new"])
    }

    // Rule: tokens/newer-token-needs-no-refresh (2)
    @Test func `a request with an older token does not wait for its refresh`() async throws {
        let current = Mutex<AccessToken>("old")
        let sent = Mutex<[String?]>([])
        let executor = SerialTaskExecutor()
        let (server, endpoint) = (ActionGate<Void>(), ActionGate<Void>())
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                try await endpoint.hold()
                return "late"
            }
        )
        let waiting = Task { try await behavior.send { .init(to: $0, accepting: ["late"]) } }
        await endpoint.waitForCalls(1)
        let rotated = Task(executorPreference: executor) {
            try await behavior.send { request in
                sent.withLock { $0.append(request.token) }
                try await server.hold()
                return NetworkResponse(to: request, accepting: ["new"])
            }
        }
        await server.waitForCalls(1)

        current.withLock { $0 = "new" }
        server.open()
        await executor.waitUntilIdle()

        #expect(sent.withLock { $0 } == ["old", "new"])
        endpoint.open()
        #expect(try await rotated.value.statusCode == 200)
        #expect(try await waiting.value.statusCode == 200)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test(arguments: [0, -1, -86_400])
    func `requests with an expired token wait for one refresh`(
        seconds: Double
    ) async throws {
        let time = ManualClock()
        let current = Mutex(AccessToken("old", expiry: time.date + seconds))
        let refreshes = Counter()
        let sent = Mutex<Set<String?>>([])
        let endpoint = ActionGate<Void>()
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                refreshes.next()
                try await endpoint.hold()
                current.withLock { $0 = "new" }
                return "new"
            }
        )
        let respond: @Sendable (URLRequest) -> NetworkResponse = { request in
            sent.withLock { _ = $0.insert(request.token) }
            return NetworkResponse()
        }

        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { _ = try await behavior.send(to: respond) }
            }
            await endpoint.waitForCalls(1)
            #expect(sent.withLock { $0.isEmpty })
            endpoint.open()
            try await group.waitForAll()
        }

        #expect(refreshes.count == 1)
        #expect(sent.withLock { $0 } == ["new"])
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test(arguments: [nil, 1, 3_600])
    func `a token that has not expired is sent unchanged`(seconds: Double?) async throws {
        let time = ManualClock()
        let token = AccessToken("valid", expiry: seconds.map { time.date + $0 })
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { token },
            refresh: unexpectedRefresh
        )

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["valid"]) }

        #expect(response.statusCode == 200)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test(arguments: [-172_800.0, -1, 0, 59])
    func `a new token that seems to expire at once is sent until the server refuses it`(
        seconds: Double
    ) async throws {
        let time = ManualClock()
        let current = Mutex(AccessToken("0", expiry: time.date - 1))
        let refreshes = Counter()
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                let token = AccessToken("\(refreshes.next())", expiry: time.date + seconds)
                current.withLock { $0 = token }
                return token
            }
        )
        for _ in 0..<100 {
            let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["1"]) }
            #expect(response.statusCode == 200)
            time.advance(by: .seconds(1))
        }
        #expect(refreshes.count == 1)

        let response = try await behavior.send { NetworkResponse(to: $0, accepting: ["2"]) }
        #expect(response.statusCode == 200 && refreshes.count == 2)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `the date of a new token counts again when the clock has been corrected`()
        async throws
    {
        let time = ManualClock()
        let current = Mutex(AccessToken("0", expiry: time.date - 1))
        let refreshes = Counter()
        let lifetimes = [-100.0, 3_600, 3_600]
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                let number = refreshes.next()
                let expiry = time.date + lifetimes[number - 1]
                current.withLock { $0 = AccessToken("\(number)", expiry: expiry) }
                return current.withLock { $0 }
            }
        )
        _ = try await behavior.send { NetworkResponse(to: $0, accepting: ["1"]) }
        _ = try await behavior.send { NetworkResponse(to: $0, accepting: ["2"]) }
        time.advance(by: .seconds(3_600))

        _ = try await behavior.send { NetworkResponse(to: $0, accepting: ["3"]) }

        #expect(refreshes.count == 3)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `two behaviors with one store of tokens refresh once each`() async throws {
        let time = ManualClock()
        let current = Mutex(AccessToken("0", expiry: time.date - 1))
        let refreshes = Counter()
        let behaviors = (1...2).map { _ in
            TokenBehavior(
                effects: time.effects(),
                token: { current.withLock { $0 } },
                refresh: { _ in
                    let token = AccessToken("\(refreshes.next())", expiry: time.date - 100)
                    current.withLock { $0 = token }
                    return token
                }
            )
        }

        for index in [0, 1, 0, 1, 0, 1, 0, 1] {
            _ = try await behaviors[index].send { _ in NetworkResponse() }
        }

        #expect(refreshes.count == 2)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `another refresh of one of a thousand users leaves the others as they are`()
        async throws
    {
        let time = ManualClock()
        let user = Mutex(0)
        let refreshes = Counter()
        let issued = Mutex<[Int: AccessToken]>([:])
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: {
                let user = user.withLock(\.self)
                let first = AccessToken("0", expiry: time.date - 1, user: "\(user)")
                return issued.withLock { $0[user] ?? first }
            },
            refresh: { old in
                let token = AccessToken("\(refreshes.next())", expiry: time.date, user: old.user)
                issued.withLock { $0[user.withLock(\.self)] = token }
                return token
            }
        )
        for number in 0..<1_000 {
            user.withLock { $0 = number }
            _ = try await behavior.send { _ in NetworkResponse() }
        }
        let refusals = Counter()
        for number in [0, 1] {
            user.withLock { $0 = number }
            _ = try await behavior.send { _ in
                NetworkResponse(statusCode: refusals.next() == 1 ? 401 : 200)
            }
        }

        #expect(refreshes.count == 1_001)
    }

    // Rule: tokens/expired-token-is-refreshed-first (3)
    @Test func `the dates of two users do not affect each other`() async throws {
        let time = ManualClock()
        let tokens = Mutex(["ann": time.date - 1, "bob": time.date - 1])
        let user = Mutex("ann")
        let refreshes = Counter()
        let token: @Sendable () -> AccessToken? = {
            user.withLock { user in
                AccessToken(user, expiry: tokens.withLock { $0[user] }, user: user)
            }
        }
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: token,
            refresh: { old in
                refreshes.next()
                // Only the date of Bob's token fits the clock.
                let expiry = time.date + (old.user == "bob" ? 3_600 : 0)
                tokens.withLock { $0[old.user ?? ""] = expiry }
                return AccessToken(old.rawValue, expiry: expiry, user: old.user)
            }
        )
        for name in ["ann", "bob", "ann", "bob", "ann"] {
            user.withLock { $0 = name }
            _ = try await behavior.send { _ in NetworkResponse() }
        }
        #expect(refreshes.count == 2)
        time.advance(by: .seconds(3_600))
        _ = try await behavior.send { _ in NetworkResponse() }
        #expect(refreshes.count == 2)
        user.withLock { $0 = "bob" }
        _ = try await behavior.send { _ in NetworkResponse() }

        #expect(refreshes.count == 3)
    }

    @Test func `a request without this token is not sent again`() async throws {
        let unsigned = TokenBehavior(
            effects: ManualClock().effects(),
            token: { nil },
            refresh: unexpectedRefresh
        )
        let signed = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: unexpectedRefresh
        )
        let own = OutgoingRequest("GET", headers: ["authorization": "Basic own"])

        #expect(await unsigned.sends { _ in NetworkResponse(statusCode: 401) } == 1)
        #expect(await signed.sends(of: own) { _ in NetworkResponse(statusCode: 401) } == 1)
    }
}
