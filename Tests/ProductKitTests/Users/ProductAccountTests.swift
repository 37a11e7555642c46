import Foundation
import Observation
import ProductKit
import Synchronization
import Testing

/// Signing in and out with an account, whose login is the token of a user.
///
/// The server rejects the token “expired”, and writes never reach it. A refresh waits for the gate, and returns
/// “renewed”.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
final class ProductAccountTests {
    private let stored = Mutex<String?>(nil)
    private let log = Lines()
    private let refresh = ActionGate<Void>()
    private let outbox = Outbox(effects: .stopped)

    // Rule: tokens/account-replaces-service (16)
    @Test(arguments: [nil, "anna"])
    func `an account begins with the stored login`(login: String?) {
        let account = account(login: login)

        #expect(account.service.userID == login.map { _ in "anna" })
        #expect(log.all == ["service \(login ?? "none")"])
    }

    // Rule: tokens/account-replaces-service (16)
    @Test func `a sign-in stores the login, and replaces the service of a guest`() async throws {
        let account = account()
        let guest = account.service
        let changes = Counter()
        withObservationTracking {
            _ = account.service
        } onChange: {
            changes.next()
        }

        await account.signIn(with: "anna")

        #expect(account.service.userID == "anna" && changes.count == 1)
        #expect(log.all == ["service none", "store anna", "service anna"])
        #expect(try await account.service.loadBoots() == .boots)
        #expect(try await guest.loadBoots() == .boots)
    }

    // Rule: tokens/account-replaces-service (16)
    @Test func `a sign-in ends the service of the earlier user, and keeps its edits`() async throws
    {
        let account = account(login: "anna")
        let first = account.service
        try await first.outbox?.save(.setFavorite("boots", to: true))

        await account.signIn(with: "ben")
        await #expect(throws: TokenError.sessionEnded) { try await first.loadBoots() }
        try await account.service.outbox?.open()
        #expect(account.service.outbox?.changes.isEmpty == true)

        await account.signIn(with: "anna")
        try await account.service.outbox?.open()
        #expect(account.service.outbox?.changes.count == 1)
    }

    // Rule: tokens/account-replaces-service (16)
    @Test func `the same user signs in again`() async throws {
        let account = account(login: "anna")
        let first = account.service
        try await first.outbox?.save(.setFavorite("boots", to: true))

        await account.signIn(with: "anna")

        await #expect(throws: TokenError.sessionEnded) { try await first.loadBoots() }
        try await account.service.outbox?.open()
        #expect(account.service.outbox?.changes.count == 1)
        #expect(try await account.service.loadBoots() == .boots)
    }

    // Rule: tokens/account-removes-login (17)
    @Test(arguments: [true, false])
    func `a sign-out removes the login and the edits`(keepsUnsentChanges: Bool) async throws {
        let account = account(login: "anna")
        let first = account.service
        try await first.outbox?.save(.setFavorite("boots", to: true))

        let login = await account.signOut(keepsUnsentChanges: keepsUnsentChanges)

        #expect(login == "anna" && account.service.userID == nil)
        #expect(log.all == ["service anna", "store none", "service none"])
        await #expect(throws: TokenError.sessionEnded) { try await first.loadBoots() }
        await account.signIn(with: "anna")
        try await account.service.outbox?.open()
        #expect(account.service.outbox?.changes.isEmpty == !keepsUnsentChanges)
    }

    // Rule: tokens/account-removes-login (17); tokens/account-replaces-service (16)
    @Test func `the login and the service change before a call suspends`() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let account = account(login: "anna")

        let signOut = Task.immediate { _ = await account.signOut() }
        #expect(account.service.userID == nil && stored.withLock(\.self) == nil)
        let signIn = Task.immediate { await account.signIn(with: "anna") }
        #expect(account.service.userID == "anna" && stored.withLock(\.self) == "anna")
        let change = Task.immediate { await account.signIn(with: "ben") }
        #expect(account.service.userID == "ben" && stored.withLock(\.self) == "ben")

        for task in [signOut, signIn, change] { await task.value }
        #expect(account.service.userID == "ben" && stored.withLock(\.self) == "ben")
        #expect(try await account.service.loadBoots() == .boots)
    }

    // Rule: tokens/account-removes-login (17)
    @Test func `a sign-out of a guest does nothing`() async throws {
        let account = account()
        let guest = account.service

        #expect(await account.signOut() == nil)

        #expect(log.all == ["service none"])
        #expect(try await guest.loadBoots() == .boots)
    }

    // Rule: tokens/account-removes-login (17)
    @Test func `a sign-out returns the login of the last refresh`() async throws {
        let account = account(login: "expired")
        refresh.open()
        try await account.service.loadBoots()

        #expect(await account.signOut() == "renewed")
    }

    // Rule: tokens/account-removes-login (17)
    @Test func `a task that is cancelled signs out nevertheless`() async throws {
        let account = account(login: "anna")
        try await account.service.loadBoots()

        let task = Task { await account.signOut() }
        task.cancel()

        #expect(await task.value == "anna")
        #expect(account.service.userID == nil && stored.withLock(\.self) == nil)
    }

    private func account(login: String? = nil) -> ProductAccount<String> {
        stored.withLock { $0 = login }
        let store: @Sendable (String?) -> Void = { [self] login in
            stored.withLock { $0 = login }
            log.add("store \(login ?? "none")")
        }
        let networking: any Networking = .closure { request in
            guard request.httpMethod == "GET" else { throw NetworkError(.unreachable) }
            return request.token == "expired"
                ? NetworkResponse(statusCode: 401) : try .boots(to: request)
        }
        let backend = ProductBackend(baseURL: .api, networking: networking, effects: .stopped)
        return ProductAccount {
            self.stored.withLock(\.self)
        } store: {
            store($0)
        } makeService: { login in
            self.log.add("service \(login ?? "none")")
            return ProductService(
                backend: backend,
                localUser: .shopper,
                user: login.map { self.user(of: $0, onChange: store) } ?? .guest,
                outbox: login == nil ? nil : self.outbox
            )
        }
    }

    private func user(
        of login: String,
        onChange: @escaping @Sendable (String) -> Void
    ) -> ServiceUser {
        .signedIn(
            login == "ben" ? "ben" : "anna",
            with: login,
            token: { AccessToken($0) },
            refresh: { [refresh] _ in
                try await refresh.hold()
                return "renewed"
            },
            onChange: onChange
        )
    }
}
