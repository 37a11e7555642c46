import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests of users whose login the service keeps valid.
///
/// The server accepts only the token “t2”.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServiceUserLoginTests {
    private let refreshed = Lines()
    private let stored = Lines()

    // Rule: tokens/login-is-replaced (13)
    @Test func `a refresh replaces the login of all services, and is stored`() async throws {
        let user = user { login in SavedLogin(token: "t2", secret: login.secret + "+") }
        let services = [service(user), service(user)]

        for service in services {
            #expect(try await service.loadBoots() == .boots)
        }

        #expect(refreshed.all == ["t1 s"])
        #expect(stored.all == ["t2 s+"])
    }

    // Rule: tokens/login-is-replaced (13)
    @Test func `a further refresh gets the latest login`() async throws {
        let user = user { login in
            SavedLogin(token: login.token == "t1" ? "t1b" : "t2", secret: login.secret + "+")
        }

        await #expect(throws: NetworkError.self) { try await service(user).loadBoots() }
        try await service(user).loadBoots()

        #expect(refreshed.all == ["t1 s", "t1b s+"])
        #expect(stored.all == ["t1b s+", "t2 s++"])
    }

    // Rule: tokens/login-is-replaced (13)
    @Test func `two services share one refresh`() async throws {
        let gate = ActionGate<Void>()
        let user = user { login in
            try await gate.hold()
            return SavedLogin(token: "t2", secret: login.secret + "+")
        }
        // Each service waits for the refresh, because its limit begins.
        let clock = ManualClock()
        let loads = (0..<2).map { _ in
            let service = service(user, effects: clock.effects())
            return Task { try await service.loadBoots() }
        }
        await gate.waitForCalls(1)
        await clock.waitForSleeps(2)
        gate.open()

        for load in loads { #expect(try await load.value == .boots) }
        #expect(refreshed.all == ["t1 s"] && stored.all == ["t2 s+"])
    }

    // Rule: tokens/login-is-replaced (13); tokens/refresh-storm-is-stopped (5)
    @Test func `the refreshes of all services of a user are limited together`() async throws {
        let effects = ManualClock().effects()
        func load(_ user: ServiceUser) async throws {
            try await service(user, effects: effects).loadBoots()
        }
        func newUser() -> ServiceUser {
            self.user { login in SavedLogin(token: login.token + "b", secret: login.secret) }
        }
        let user = newUser()
        for _ in 1...5 { await expectNetworkError(.unauthorized) { try await load(user) } }

        await #expect(throws: TokenError.tooManyRefreshes) { try await load(user) }
        #expect(refreshed.all.count == 5)
        await expectNetworkError(.unauthorized) { try await load(newUser()) }
    }

    // Rule: tokens/login-is-replaced (13); tokens/refresh-storm-is-stopped (5)
    @Test func `a refresh that many services wait for counts once`() async throws {
        let gate = ActionGate<Void>()
        let user = user { login in
            try await gate.hold()
            return SavedLogin(token: login.token == "t1" ? "t1b" : "t2", secret: login.secret)
        }
        let clock = ManualClock()
        let loads = (0..<6).map { _ in
            let service = service(user, effects: clock.effects())
            return Task { try await service.loadBoots() }
        }
        await gate.waitForCalls(1)
        await clock.waitForSleeps(6)
        gate.open()
        for load in loads { _ = await load.result }

        try await service(user, effects: clock.effects()).loadBoots()

        #expect(refreshed.all == ["t1 s", "t1b s"])
    }

    // Rule: tokens/login-is-replaced (13); tokens/rejected-refresh-ends-session (4)
    @Test func `after a rejected refresh no service of the user sends a request`() async throws {
        let user = user { _ in throw TokenError.sessionEnded }
        let requests = Lines()
        for _ in 1...3 {
            await #expect(throws: TokenError.sessionEnded) {
                try await service(user) { requests.add("") }.loadBoots()
            }
        }

        #expect(requests.all.count == 1 && refreshed.all.count == 1)
    }

    // Rule: tokens/login-is-replaced (13); tokens/refresh-has-a-deadline (8)
    @Test(arguments: [nil, Date.distantPast])
    func `a login that arrives after the deadline of the refresh is stored and used`(
        expiry: Date?
    ) async throws {
        let (gate, clock) = (ActionGate<Void>(), ManualClock())
        // The expiry of a new token that has passed is a fault of the device's clock.
        let user = user(expiryOfTokens: expiry) { _ in
            // It ignores the cancellation.
            await Task { try? await gate.hold() }.value
            return SavedLogin(token: "t2", secret: "s+")
        }
        let service = service(user, effects: clock.effects())
        let load = Task { try await service.loadBoots() }
        await gate.waitForCalls(1)
        await clock.waitForSleeps(1)
        #expect(clock.delays == [.seconds(30)])
        clock.advance(by: .seconds(30))
        await #expect(throws: TokenError.refreshTimedOut) { try await load.value }
        gate.open()

        #expect(await eventually { stored.all == ["t2 s+"] })
        let product = try await service.loadBoots()

        #expect(product == .boots)
        #expect(refreshed.all == ["t1 s"] && stored.all == ["t2 s+"])
    }

    // Rule: tokens/login-is-replaced (13)
    @Test func `the login is stored before a request is sent with it`() async throws {
        let user = user { _ in SavedLogin(token: "t2", secret: "s") }
        let storedAtRequest = Lines()
        let service = service(user) { [stored] in storedAtRequest.add("\(stored.all.count)") }

        try await service.loadBoots()

        #expect(storedAtRequest.all == ["0", "1"])
    }

    // Rule: tokens/login-is-replaced (13); tokens/refresh-is-not-signed (6)
    @Test func `a final refusal ends the session, and nothing is stored`() async throws {
        let user = user { _ in throw TokenError.sessionEnded }
        let service = service(user)

        for _ in 0..<2 {
            await #expect(throws: TokenError.sessionEnded) { try await service.loadBoots() }
        }

        #expect(refreshed.all == ["t1 s"] && stored.all.isEmpty)
    }

    // Rule: tokens/login-is-replaced (13); tokens/token-stays-with-its-user (7)
    @Test func `a login of another user ends the session and is not stored`() async throws {
        let user = user(userOfTokens: "bob") { _ in SavedLogin(token: "t2", secret: "s") }

        await #expect(throws: TokenError.sessionEnded) { try await service(user).loadBoots() }

        #expect(stored.all.isEmpty)
    }

    // Rule: tokens/login-is-replaced (13); tokens/account-removes-login (17)
    @Test func `a refresh that ends after the sign-out stores nothing`() async throws {
        let (gate, released) = (ActionGate<Void>(), Counter())
        func signOutDuringRefresh() async {
            let user = user { _ in
                // It ignores the cancellation.
                await Task { try? await gate.hold() }.value
                return SavedLogin(token: "t2", secret: "s") { released.next() }
            }
            let service = service(user)
            let load = Task { try await service.loadBoots() }
            await gate.waitForCalls(1)
            await service.signOut()
            await #expect(throws: CancellationError.self) { try await load.value }
        }

        await signOutDuringRefresh()
        gate.open()

        // When the refresh has ended, nothing has its login any longer.
        #expect(await eventually { released.count == 1 })
        #expect(stored.all.isEmpty)
    }

    // Rule: tokens/login-is-replaced (13)
    @Test func `a service continues when another one signs out during the refresh`()
        async throws
    {
        let gate = ActionGate<Void>()
        let user = user { _ in
            await Task { try? await gate.hold() }.value
            return SavedLogin(token: "t2", secret: "s+")
        }
        let (first, second) = (service(user), service(user))
        let load = Task { try await first.loadBoots() }
        await gate.waitForCalls(1)
        let waiting = Task { try await second.loadBoots() }
        await first.signOut()
        gate.open()

        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(try await waiting.value == .boots)
        #expect(stored.all == ["t2 s+"])
    }

    // Rule: tokens/guest-has-a-token (15)
    @Test(arguments: [nil, "t1", "t2"])
    func `a guest gets a token with the first request, keeps it, and stays a guest`(
        token: String?
    ) async throws {
        let guest = guest(token) { login in SavedLogin(token: "t2", secret: login?.secret ?? "new")
        }
        let services = [service(guest), service(guest)]

        for service in services {
            #expect(try await service.loadBoots() == .boots)
            #expect(service.userID == nil)
        }

        #expect(refreshed.all == (token == "t2" ? [] : [token ?? "none"]))
        #expect(stored.all == (token == "t2" ? [] : [token == nil ? "t2 new" : "t2 s"]))
    }

    // Rule: tokens/guest-has-a-token (15)
    @Test func `a guest whose login the server refuses for good becomes another one`() async throws
    {
        let refusals: [any Error] = [
            TokenError.sessionEnded,
            NetworkError(.json(#"{"error": "invalid_grant"}"#, statusCode: 400)),
            NetworkError(NetworkResponse(statusCode: 401)),
            NetworkError(.unauthorized, response: NetworkResponse()),
        ]
        for refusal in refusals {
            let guest = guest("t1") { login in
                guard login == nil else { throw refusal }
                return SavedLogin(token: "t2", secret: "new")
            }

            #expect(try await service(guest).loadBoots() == .boots)
        }

        #expect(refreshed.all == refusals.flatMap { _ in ["t1", "none"] })
        #expect(stored.all == refusals.map { _ in "t2 new" })
    }

    // Rule: tokens/guest-has-a-token (15)
    @Test func `a guest who cannot be created is created later`() async throws {
        let refuses = Observed(wrappedValue: true)
        let guest = guest(nil) { _ in
            guard !refuses.wrappedValue else { throw TokenError.sessionEnded }
            return SavedLogin(token: "t2", secret: "new")
        }
        let service = service(guest)

        await expectNetworkError(.unexpected) { try await service.loadBoots() }
        refuses.wrappedValue = false

        #expect(try await service.loadBoots() == .boots)
    }

    // Rule: tokens/guest-has-a-token (15)
    @Test func `another error of a guest's refresh creates no guest, and ends no session`()
        async throws
    {
        let fails = Observed(wrappedValue: true)
        let guest = guest("t1") { _ in
            guard !fails.wrappedValue else { throw NetworkError(.unreachable) }
            return SavedLogin(token: "t2", secret: "s+")
        }
        let service = service(guest)

        await expectNetworkError(.unreachable) { try await service.loadBoots() }
        fails.wrappedValue = false
        #expect(try await service.loadBoots() == .boots)

        #expect(Set(refreshed.all) == ["t1"])
        #expect(stored.all == ["t2 s+"])
    }

    // Rule: tokens/guest-has-a-token (15); tokens/token-stays-with-its-user (7)
    @Test func `a guest never sends the token of a user`() async throws {
        let guest = ServiceUser.guest(
            with: SavedLogin(token: "t2", secret: "s"),
            token: { AccessToken($0.token, user: "ann") },
            refresh: { _ in SavedLogin(token: "t2", secret: "s") },
            onChange: { _ in }
        )

        await #expect(throws: TokenError.sessionEnded) { try await service(guest).loadBoots() }
    }

    private func guest(
        _ token: String?,
        refresh: @escaping @Sendable (SavedLogin?) async throws -> SavedLogin
    ) -> ServiceUser {
        .guest(
            with: token.map { SavedLogin(token: $0, secret: "s") },
            token: { AccessToken($0.token) },
            refresh: { [refreshed] login in
                refreshed.add(login?.token ?? "none")
                return try await refresh(login)
            },
            onChange: { [stored] in stored.add("\($0.token) \($0.secret)") }
        )
    }

    /// Creates a user with the token “t1”, which has no expiry and names nobody.
    private func user(
        userOfTokens: String? = nil,
        expiryOfTokens: Date? = nil,
        refresh: @escaping @Sendable (SavedLogin) async throws -> SavedLogin
    ) -> ServiceUser {
        .signedIn(
            "ann",
            with: SavedLogin(token: "t1", secret: "s"),
            token: { login in
                login.token == "t1"
                    ? AccessToken("t1")
                    : AccessToken(login.token, expiry: expiryOfTokens, user: userOfTokens)
            },
            refresh: { [refreshed] login in
                refreshed.add("\(login.token) \(login.secret)")
                return try await refresh(login)
            },
            onChange: { [stored] in stored.add("\($0.token) \($0.secret)") }
        )
    }

    private func service(
        _ user: ServiceUser,
        effects: SystemEffects = ManualClock().effects(),
        onRequest: @escaping @Sendable () -> Void = {}
    ) -> ProductService {
        let networking: any Networking = .closure { request in
            onRequest()
            return request.token == "t2"
                ? try .boots(to: request) : NetworkResponse(statusCode: 401)
        }
        return ProductBackend(baseURL: .api, networking: networking, effects: effects)
            .service(of: user)
    }
}

/// What the server returns to a sign-in.
private final class SavedLogin: Sendable {
    let token: String
    let secret: String
    private let onDiscard: @Sendable () -> Void

    init(token: String, secret: String, onDiscard: @escaping @Sendable () -> Void = {}) {
        (self.token, self.secret, self.onDiscard) = (token, secret, onDiscard)
    }

    deinit { onDiscard() }
}
