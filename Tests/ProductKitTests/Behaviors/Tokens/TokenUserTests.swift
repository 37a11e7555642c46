import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: security/token-stays-with-its-user (31)
/// Tests that a request of one user is never sent with the token of another.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenUserTests {
    private static let ann = AccessToken("ann", user: "ann")
    private static let bob = AccessToken("bob", user: "bob")

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test func `a rejected request is not sent again for another user`() async throws {
        let current = Mutex<AccessToken?>(Self.ann)
        let sent = Mutex<[String?]>([])
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: unexpectedRefresh
        )

        let response = try await behavior.send { request in
            sent.withLock { $0.append(request.token) }
            current.withLock { $0 = Self.bob }
            return NetworkResponse(statusCode: 401)
        }

        #expect(response.statusCode == 401)
        #expect(sent.withLock { $0 } == ["ann"])
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test func `a rejected request is not sent again after signing out`() async throws {
        let current = Mutex<AccessToken?>(Self.ann)
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: unexpectedRefresh
        )

        let sends = await behavior.sends { _ in
            current.withLock { $0 = nil }
            return NetworkResponse(statusCode: 401)
        }

        #expect(sends == 1)
    }

    // Rule: security/signed-request-stays-signed (34)
    @Test func `a retry is not sent unsigned after its user has left`() async throws {
        let current = Mutex<AccessToken?>(Self.ann)
        let sent = Mutex<[String?]>([])
        let stack = CombinedBehavior([
            RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
            TokenBehavior(
                effects: ManualClock().effects(),
                token: { current.withLock { $0 } },
                refresh: unexpectedRefresh
            ),
        ])

        await #expect(throws: TokenError.sessionEnded) {
            try await stack.send { request in
                sent.withLock { $0.append(request.token) }
                current.withLock { $0 = nil }
                return NetworkResponse(statusCode: 503)
            }
        }

        #expect(sent.withLock { $0 } == ["ann"])
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test(arguments: [nil, bob])
    func `a token is not refreshed after its user has left`(next: AccessToken?) async throws {
        let tokens = Mutex([Self.ann, Self.ann, next])
        let sent = Mutex<[String?]>([])
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { tokens.withLock { $0.removeFirst() } },
            refresh: unexpectedRefresh
        )

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { request in
                sent.withLock { $0.append(request.token) }
                return NetworkResponse(statusCode: 401)
            }
        }

        #expect(sent.withLock { $0 } == ["ann"])
    }

    // Rule: tokens/expired-token-is-refreshed-first (3); tokens/token-stays-with-its-user (7)
    // Rule: security/token-stays-with-its-user (31)
    @Test(arguments: [nil, bob])
    func `a request with an expired token is not sent for another user`(
        next: AccessToken?
    ) async throws {
        let time = ManualClock()
        let tokens = Mutex([AccessToken("ann", expiry: time.date, user: "ann"), next])
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { tokens.withLock { $0.removeFirst() } },
            refresh: unexpectedRefresh
        )

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { _ in
                Issue.record("A request was sent.")
                return NetworkResponse()
            }
        }
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test(arguments: [bob, AccessToken("without user")], [nil, Date.distantPast])
    func `a refresh that returns another user's token ends the session`(
        newToken: AccessToken,
        expiry: Date?
    ) async throws {
        let sent = Mutex<Set<String?>>([])
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { AccessToken("ann", expiry: expiry, user: "ann") },
            refresh: { _ in newToken }
        )

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { request in
                sent.withLock { _ = $0.insert(request.token) }
                return NetworkResponse(statusCode: 401)
            }
        }

        #expect(sent.withLock { $0 }.isSubset(of: ["ann"]))
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test func `tokens of two users are refreshed separately`() async throws {
        let current = Mutex(Self.ann)
        let refreshed = Mutex<[AccessToken]>([])
        let sent = Mutex<[String?]>([])
        let endpoint = ActionGate<Void>()
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { old in
                refreshed.withLock { $0.append(old) }
                try await endpoint.hold()
                let newToken = AccessToken("\(old.rawValue) new", user: old.user)
                current.withLock { if $0 == old { $0 = newToken } }
                return newToken
            }
        )
        let server: @Sendable (URLRequest) -> NetworkResponse = { request in
            sent.withLock { $0.append(request.token) }
            return NetworkResponse(to: request, accepting: ["ann new", "bob new"])
        }
        let anns = Task { try await behavior.send { server($0) } }
        await endpoint.waitForCalls(1)
        current.withLock { $0 = Self.bob }
        let bobs = Task { try await behavior.send { server($0) } }
        await endpoint.waitForCalls(1)

        endpoint.open()

        #expect(try await anns.value.statusCode == 200)
        #expect(try await bobs.value.statusCode == 200)
        #expect(refreshed.withLock { $0 } == [Self.ann, Self.bob])
        #expect(sent.withLock { Set($0) } == ["ann", "bob", "ann new", "bob new"])
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `the number of refreshes is limited for each user`() async throws {
        let current = Mutex(Self.ann)
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { old in old }
        )

        for number in 1...8 {
            current.withLock { $0 = AccessToken("old", user: "\(number)") }
            for _ in 1...5 {
                let response = try await behavior.send { _ in NetworkResponse(statusCode: 401) }
                #expect(response.statusCode == 401)
            }
            await #expect(throws: TokenError.tooManyRefreshes) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        }
    }

    // Rule: tokens/rejected-refresh-ends-session (4)
    @Test func `the ended session of one user stays ended when that of another ends`() async {
        let current = Mutex(Self.ann)
        let refreshes = Counter()
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                refreshes.next()
                throw NetworkError.invalidGrant()
            }
        )

        for token in [Self.ann, Self.bob, Self.ann, Self.bob] {
            current.withLock { $0 = token }
            await #expect(throws: TokenError.sessionEnded) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        }

        #expect(refreshes.count == 2)
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test func `a retried request is not sent for another user`() async throws {
        let current = Mutex<AccessToken?>(Self.ann)
        let sent = Mutex<[String?]>([])
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { _ in current.withLock { $0 = Self.bob } }
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                sent.withLock { $0.append(request.token) }
                return NetworkResponse(statusCode: 503)
            },
            behaviors: [
                RetryBehavior(effects: effects),
                TokenBehavior(
                    effects: ManualClock().effects(),
                    token: { current.withLock { $0 } },
                    refresh: unexpectedRefresh
                ),
            ]
        )

        await #expect(throws: TokenError.sessionEnded) { try await client.send(.boots) }

        #expect(sent.withLock { $0 } == ["ann"])
        await #expect(throws: NetworkError.self) { try await client.send(.boots) }
        #expect(sent.withLock { $0 } == ["ann", "bob", "bob", "bob"])
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a retried request is signed with the new token of the same user`() async throws {
        let current = Mutex(Self.ann)
        let sent = Mutex<[String?]>([])
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { _ in current.withLock { $0 = AccessToken("ann 2", user: "ann") } }
        let token = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: unexpectedRefresh
        )
        let key = TokenBehavior(header: "X-Api-Key", scheme: nil) { "key" }

        _ = try await CombinedBehavior([RetryBehavior(effects: effects), token, key])
            .send { request in
                sent.withLock { $0.append(request.token) }
                return NetworkResponse(statusCode: 503)
            }

        #expect(sent.withLock { $0 } == ["ann", "ann 2", "ann 2"])
    }
}
