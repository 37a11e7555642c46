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
    private let store = TokenStore(Self.ann)

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test(arguments: [nil, bob])
    func `a rejected request is not sent again after its user has left`(
        next: AccessToken?
    ) async throws {
        let response = try await store.behavior(refresh: unexpectedRefresh)
            .send { request in
                store.current = next
                return store.response(to: request)
            }

        #expect(response.statusCode == 401 && store.sent == ["ann"])
    }

    // Rule: security/signed-request-stays-signed (34)
    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test(arguments: [nil, bob])
    func `a retry is not sent unsigned or for another user after its user has left`(
        next: AccessToken?
    ) async throws {
        let stack = ClosureBehavior.stack([
            RetryBehavior(effects: .skippingDelays), store.behavior(refresh: unexpectedRefresh),
        ])

        await #expect(throws: TokenError.sessionEnded) {
            try await stack.send { request in
                _ = store.response(to: request)
                store.current = next
                return NetworkResponse(statusCode: 503)
            }
        }

        #expect(store.sent == ["ann"])
        _ = try await stack.send { store.response(to: $0, accepting: ["bob"]) }
        #expect(store.sent == ["ann", next?.rawValue])
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test(arguments: [nil, bob])
    func `a token is not refreshed after its user has left`(next: AccessToken?) async throws {
        let behavior = reading(Self.ann, Self.ann, next)

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { store.response(to: $0) }
        }

        #expect(store.sent == ["ann"])
    }

    // Rule: tokens/expired-token-is-refreshed-first (3); tokens/token-stays-with-its-user (7)
    // Rule: security/token-stays-with-its-user (31)
    @Test(arguments: [nil, bob])
    func `a request with an expired token is not sent for another user`(
        next: AccessToken?
    ) async throws {
        let behavior = reading(AccessToken("ann", expiry: .distantPast, user: "ann"), next)

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { store.response(to: $0) }
        }

        #expect(store.sent.isEmpty)
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test(arguments: [bob, AccessToken("without user")], [nil, Date.distantPast])
    func `a refresh that returns another user's token ends the session`(
        newToken: AccessToken,
        expiry: Date?
    ) async throws {
        store.current = AccessToken("ann", expiry: expiry, user: "ann")

        await #expect(throws: TokenError.sessionEnded) {
            try await store.behavior { _ in newToken }.send { store.response(to: $0) }
        }

        #expect(store.sent == (expiry == nil ? ["ann"] : []))
    }

    // Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
    @Test func `tokens of two users are refreshed separately`() async throws {
        let refreshed = Mutex<[AccessToken]>([])
        let endpoint = ActionGate<Void>()
        let behavior = TokenBehavior(
            effects: .stopped,
            token: { store.current },
            refresh: { old in
                refreshed.withLock { $0.append(old) }
                try await endpoint.hold()
                let newToken = AccessToken("\(old.rawValue) new", user: old.user)
                if store.current == old { store.current = newToken }
                return newToken
            }
        )
        let server: @Sendable (URLRequest) -> NetworkResponse = { request in
            store.response(to: request, accepting: ["ann new", "bob new"])
        }
        let anns = Task { try await behavior.send { server($0) } }
        await endpoint.waitForCalls(1)
        store.current = Self.bob
        let bobs = Task { try await behavior.send { server($0) } }
        await endpoint.waitForCalls(1)

        endpoint.open()

        #expect(try await anns.value.statusCode == 200)
        #expect(try await bobs.value.statusCode == 200)
        #expect(refreshed.withLock { $0 } == [Self.ann, Self.bob])
        #expect(Set(store.sent) == ["ann", "bob", "ann new", "bob new"])
    }

    // Rule: tokens/refresh-storm-is-stopped (5)
    @Test func `the number of refreshes is limited for each user`() async throws {
        let behavior = store.behavior { old in old }

        for number in 1...8 {
            store.current = AccessToken("old", user: "\(number)")
            for _ in 1...5 {
                let response = try await behavior.send { store.response(to: $0) }
                #expect(response.statusCode == 401)
            }
            await #expect(throws: TokenError.tooManyRefreshes) {
                try await behavior.send { store.response(to: $0) }
            }
        }
    }

    // Rule: tokens/rejected-refresh-ends-session (4)
    @Test func `the ended session of one user stays ended when that of another ends`() async {
        let behavior = store.behavior { _ in throw NetworkError.invalidGrant() }

        for token in [Self.ann, Self.bob, Self.ann, Self.bob] {
            store.current = token
            await #expect(throws: TokenError.sessionEnded) {
                try await behavior.send { store.response(to: $0) }
            }
        }

        #expect(store.refreshes.count == 2)
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a retried request is signed with the new token of the same user`() async throws {
        let key = TokenBehavior(header: "X-Api-Key", scheme: nil) { "key" }
        let stack = ClosureBehavior.stack([
            RetryBehavior(effects: .skippingDelays), store.behavior(refresh: unexpectedRefresh),
            key,
        ])

        _ = try await stack.send { request in
            _ = store.response(to: request)
            store.current = AccessToken("ann 2", user: "ann")
            return NetworkResponse(statusCode: 503)
        }

        #expect(store.sent == ["ann", "ann 2", "ann 2"])
    }

    /// A behavior that reads these tokens one after another, and refreshes none.
    private func reading(_ tokens: AccessToken?...) -> TokenBehavior {
        let tokens = Mutex(tokens)
        return TokenBehavior(
            effects: .stopped,
            token: { tokens.withLock { $0.removeFirst() } },
            refresh: unexpectedRefresh
        )
    }
}
