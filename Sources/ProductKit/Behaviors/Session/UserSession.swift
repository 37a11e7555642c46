import Foundation
import Synchronization

/// The session of a `ProductService`, which lasts until its user signs out.
///
/// It decides the identity of each request when the request starts, signs its attempts for that
/// identity only, and ends all requests when the user signs out.
final class UserSession: Sendable {
    private struct State {
        var signOuts = 0
        /// The names of the users of tokens that do not name their user, by the text of the token.
        var names: [String: String] = [:]
        /// The partitions of the requests so far.
        var partitions: Set<String> = []
        /// The tokens that are being refreshed.
        var refreshing: Set<AccessToken> = []
    }

    /// The maximum number of names and of partitions, so that they cannot fill the memory.
    private static let limit = 1_000

    private let localName: String?
    private let tokens: TokenSource?
    private let state: Mutex<State>
    private let tokenReads = SingleFlight<Never, AccessToken?>(
        cancelsWhenAbandoned: true,
        leavesWhenCancelled: false
    )
    private let refreshes = SingleFlight<Never, AccessToken>(
        cancelsWhenAbandoned: true,
        leavesWhenCancelled: false
    )
    private let exchanges = SingleFlight<Never, NetworkResponse>(
        cancelsWhenAbandoned: true,
        leavesWhenCancelled: false
    )

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - user: The user of the service.
    ///   - tokens: Returns and refreshes the tokens of the user; `nil` if the service signs no
    ///     requests.
    init(for user: LocalUser, tokens: TokenSource?) {
        localName = user.id.map { Self.name(ofUser: $0.rawValue) }
        self.tokens = tokens
        let partition = localName ?? (tokens == nil ? Self.guests : nil)
        state = Mutex(State(partitions: partition.map { [$0] } ?? []))
    }

    /// The name of the user, if it is the same in the next run of the program; otherwise `nil`.
    var persistentName: String? { localName ?? (tokens == nil ? Self.guests : nil) }

    /// How often users have signed out.
    var signOuts: Int {
        @inline(never) get { state.withLock(\.signOuts) }
    }

    /// Ends all requests: they throw `CancellationError` immediately and send nothing more.
    ///
    /// If the service signs requests, later ones throw ``TokenError/sessionEnded``.
    func signOut() {
        state.withLock { state in
            state = State(signOuts: state.signOuts + 1)
        }
        tokenReads.cancelAll()
        refreshes.cancelAll()
        exchanges.cancelAll()
    }

    /// Runs a closure as if it belonged to a request of each user whose requests were sent so far.
    func forEachUser(_ body: () -> Void) {
        let (signOuts, partitions) = state.withLock { ($0.signOuts, $0.partitions) }
        for name in partitions {
            let identity = RequestIdentity(name, signOuts: signOuts, session: self)
            RequestIdentity.$current.withValue(identity, operation: body)
        }
    }
}

// MARK: - Behaviors

extension UserSession {
    /// Decides the identity of a request, for all behaviors inside of this one.
    ///
    /// - Throws: ``TokenError/sessionEnded`` if an earlier request of its operation was of another
    ///   user.
    func identify(_ request: OutgoingRequest, next: NetworkExchange) async throws -> NetworkResponse
    {
        let identity = try await makeIdentity()
        guard OperationUsers.accept(identity.name, of: self) else { throw TokenError.sessionEnded }
        var request = request
        // A cache of the client itself has a partition of its own.
        if signOuts > 0 { request.headers.addCacheControl("no-store") }
        do {
            var response = try await RequestIdentity.$current.withValue(identity) {
                try await next(request)
            }
            try identity.checkCurrent()
            response.context.owner = ResponseOwner(
                name: identity.name,
                backend: ObjectIdentifier(self)
            )
            return response
        } catch {
            try identity.checkCurrent()
            throw error
        }
    }

    /// Sends a request until it ends or the user signs out.
    ///
    /// The request may have joined one of another service of the same user. If that service signs
    /// out, the request is sent again.
    func send(_ request: OutgoingRequest, next: NetworkExchange) async throws -> NetworkResponse {
        try await exchanges.value(for: nil) {
            while true {
                try RequestIdentity.current?.checkCurrent()
                do { return try await next(request) } catch is SessionEnded {}
            }
        }
    }

    /// The behavior that signs each attempt; `nil` if the service signs no requests.
    func tokenBehavior(
        header: String,
        scheme: String?,
        effects: SystemEffects
    ) -> TokenBehavior? {
        guard let tokens else { return nil }
        var refreshing: (@Sendable (AccessToken) async throws -> AccessToken)?
        if let refresh = tokens.refresh {
            refreshing = { old in try await self.refresh(old, with: refresh) }
        }
        return TokenBehavior(
            header: header,
            scheme: scheme,
            effects: effects,
            token: { try await self.token(from: tokens) },
            refresh: refreshing
        )
    }
}

// MARK: - Identities

extension UserSession {
    private static let guests = "guests"

    private static func name(ofUser id: String) -> String { "user \(id.distinctBytes)" }

    private func makeIdentity() async throws -> RequestIdentity {
        let signOuts = signOuts
        guard let tokens else { return identity(localName ?? Self.guests, signOuts: signOuts) }
        guard signOuts == 0 else { throw TokenError.sessionEnded }
        if let localName, !tokens.nameUsers { return identity(localName, signOuts: signOuts) }
        let token = try await tokenReads.value(for: nil) { try await tokens.token() }
        return identity(name(of: token), token: token, signOuts: signOuts)
    }

    private func identity(
        _ name: String,
        token: AccessToken?? = nil,
        signOuts: Int
    ) -> RequestIdentity {
        state.withLock { state in
            if state.partitions.count >= Self.limit {
                state.partitions = localName.map { [$0] } ?? []
            }
            state.partitions.insert(name)
        }
        return RequestIdentity(name, token: token, signOuts: signOuts, session: self)
    }

    /// Returns the name of a token's user: that of the token, that of the service, or a random one
    /// that only this session knows.
    private func name(of token: AccessToken?) -> String {
        if let user = token?.user { return Self.name(ofUser: user) }
        if let localName { return localName }
        guard let token else { return Self.guests }
        return state.withLock { state in
            if let name = state.names[token.rawValue] { return name }
            if state.names.count >= Self.limit { state.names = [:] }
            let name = "session \(UUID().uuidString)"
            state.names[token.rawValue] = name
            return name
        }
    }
}

// MARK: - Tokens

extension UserSession {
    /// Returns the token for an attempt of the current request.
    ///
    /// ``TokenBehavior`` decides whether the attempt may be sent without one.
    ///
    /// - Throws: ``TokenError/sessionEnded`` if it belongs to another user than the request;
    ///   `SessionEnded` if the user has signed out.
    private func token(from tokens: TokenSource) async throws -> AccessToken? {
        guard let identity = RequestIdentity.current else { throw TokenError.sessionEnded }
        let token =
            if let unused = identity.takeUnusedToken() { unused } else {
                try await tokens.token()
            }
        guard identity.isCurrent else { throw SessionEnded() }
        let latest = identity.latestToken
        if token == latest || name(of: token) == identity.name {
            identity.latestToken = token
            return token
        }
        // The app has stored the refreshed token, but its refresh has not returned it yet. The
        // caller waits for the refresh of the latest one.
        guard let latest, state.withLock({ $0.refreshing.contains(latest) }) else {
            throw TokenError.sessionEnded
        }
        return latest
    }

    /// Refreshes a token, and gives the new one the same name if it does not name its user.
    ///
    /// - Throws: `SessionEnded` immediately when the user signs out, which cancels the refresh;
    ///   otherwise the error of the refresh.
    private func refresh(
        _ old: AccessToken,
        with refresh: @escaping @Sendable (AccessToken) async throws -> AccessToken
    ) async throws -> AccessToken {
        beginRefresh(of: old)
        defer { endRefresh(of: old) }
        let signOuts = signOuts
        do {
            let new = try await refreshes.value(for: nil) { try await refresh(old) }
            guard signOuts == self.signOuts else { throw SessionEnded() }
            rename(old, to: new)
            return new
        } catch {
            guard signOuts == self.signOuts else { throw SessionEnded() }
            throw error
        }
    }

    // The next methods are not inlined: see `OperationUsers`.

    @inline(never) private func beginRefresh(of token: AccessToken) {
        state.withLock { _ = $0.refreshing.insert(token) }
    }

    @inline(never) private func endRefresh(of token: AccessToken) {
        state.withLock { _ = $0.refreshing.remove(token) }
    }

    @inline(never) private func rename(_ old: AccessToken, to new: AccessToken) {
        state.withLock { state in
            let name = state.names[old.rawValue]
            if state.names.count >= Self.limit { state.names = [:] }
            // Requests in flight may still use the old token.
            state.names[old.rawValue] = name
            state.names[new.rawValue] = name
        }
    }
}

/// The error of an attempt whose service has signed out.
private struct SessionEnded: Error {}

/// Where a service gets the tokens of its requests.
struct TokenSource: Sendable {
    /// Returns the current token, or `nil` to send a request unsigned.
    let token: @Sendable () async throws -> AccessToken?
    /// Whether tokens may contain their user.
    let nameUsers: Bool
    /// Exchanges a rejected or expired token for a new one of the same user.
    let refresh: (@Sendable (AccessToken) async throws -> AccessToken)?
}
