import Foundation

/// The user of a ``ProductService``: a guest, or a user who has signed in.
///
/// ```swift
/// let anna = ServiceUser.signedIn("anna") { token }
/// let service = ProductService(baseURL: api, localUser: euros, user: anna)
/// ```
///
/// The identifier alone decides whose stored responses, requests in flight and saved edits a service uses: a
/// stored response is found without a token. So a server verifies the user before it creates the service.
public struct ServiceUser: Sendable {
    /// The identifier; `nil` for a guest.
    let id: String?
    /// The tokens that sign the requests; `nil` if the service signs none.
    let tokens: TokenSource?

    private init(id: String?, tokens: TokenSource? = nil) {
        precondition(
            id?.isEmpty != true,
            "The identifier of a signed-in user is empty. Pass the one that your server gives to the "
                + "user, or use .guest."
        )
        (self.id, self.tokens) = (id, tokens)
    }

    /// A user who has not signed in, so that the service signs no requests.
    ///
    /// All guests share their stored responses, their requests in flight and their saved edits. If a behavior or
    /// the transport signs the requests for a user, pass ``signedIn(_:)``: a ``TokenBehavior`` that has a token for
    /// a guest throws ``TokenError/sessionEnded``. If the server also requires a key of the app, pass it to the
    /// `headers` of the client. If it requires a token of each guest, pass ``guest(with:token:refresh:onChange:)``.
    public static let guest = ServiceUser(id: nil)

    /// A user who has not signed in, on a server that requires a token of guests as well; see <doc:SigningIn>.
    ///
    /// In all other respects, the user is like `.guest`. If responses depend on the guest, such as a cart, and several
    /// guests share a backend, as in a server, pass ``signedIn(_:with:token:refresh:onChange:)`` an identifier of the
    /// guest.
    ///
    /// Without a login, the first request creates one with `refresh`. The login is kept valid, as that of a user who
    /// has signed in. If the server refuses to refresh it, with a 4xx other than 408, 421, 425 and 429, `refresh`
    /// creates another one.
    ///
    /// - Parameters:
    ///   - login: The login that was stored; `nil` if there is none.
    ///   - token: Returns the token of a login, called once for each. It names no user.
    ///   - refresh: Exchanges a login, whose token is rejected or has expired, for a new one; see
    ///     ``TokenBehavior``. With `nil`, it creates the login of another guest.
    ///   - onChange: Receives each new login, to store it for the next start; see
    ///     ``signedIn(_:with:token:refresh:onChange:)``. Return quickly, and do not wait for the main actor.
    /// - Returns: The user.
    public static func guest<Login: Sendable>(
        with login: Login?,
        token: @escaping @Sendable (Login) -> AccessToken,
        refresh: @escaping @Sendable (Login?) async throws -> Login,
        onChange: @escaping @Sendable (Login) -> Void
    ) -> ServiceUser {
        keepingLogin(
            login,
            of: nil,
            // The first request refreshes a token that has expired.
            token: { $0.map(token) ?? AccessToken("none", expiry: .distantPast) },
            refresh: { login in
                if let login {
                    do { return try await refresh(login) } catch  where error.isRefusal {}
                }
                do { return try await refresh(nil) } catch  where error.isFinalRefusal {
                    // A guest cannot sign in again, so the next request tries again.
                    throw NetworkError(
                        .unexpected,
                        underlying: error,
                        details: "The shop has refused the guest. Correct the underlying error."
                    )
                }
            },
            onChange: { $0.map(onChange) }
        )
    }

    /// A user who has signed in, and whose requests another behavior or the transport signs.
    ///
    /// If that behavior is a ``TokenBehavior`` and has no token, the request throws ``TokenError/sessionEnded`` and
    /// is not sent.
    ///
    /// - Parameter id: An identifier of the user, which is not empty and which no other user has. Use the
    ///   same one the next time: stored responses and saved edits are found by it.
    /// - Returns: The user.
    public static func signedIn(_ id: String) -> ServiceUser {
        ServiceUser(id: id)
    }

    /// A user who has signed in, and whose token the app keeps valid by itself.
    ///
    /// - Parameters:
    ///   - id: An identifier of the user; see ``signedIn(_:)``.
    ///   - token: Returns the token that signs a request; see ``signedIn(_:token:refresh:)``. It must be a token
    ///     of this user: if the app has one current token, return an ``AccessToken`` with its user instead.
    /// - Returns: The user.
    public static func signedIn(
        _ id: String,
        token: @escaping @Sendable () async throws -> String?
    ) -> ServiceUser {
        signedIn(id, token: { try await token().map { AccessToken($0) } }, refresh: nil)
    }

    /// A user who has signed in, and whose tokens are refreshed or name their user.
    ///
    /// - Parameters:
    ///   - id: An identifier of the user; see ``signedIn(_:)``.
    ///   - token: Returns the token that signs a request, called for each attempt. With `nil`, and with a token whose
    ///     ``AccessToken/user`` is not `id`, the request throws ``TokenError/sessionEnded`` and is not sent. An error
    ///     that it throws ends the attempt. Only one of the connection, such as a `URLError`, can be retried.
    ///   - refresh: Exchanges a rejected or expired token for a new one of the same user; see ``TokenBehavior``.
    ///     Each service refreshes its own tokens. With `nil`, the default, no token is refreshed.
    /// - Returns: The user.
    public static func signedIn(
        _ id: String,
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil
    ) -> ServiceUser {
        ServiceUser(id: id, tokens: TokenSource(token: token, refresh: refresh))
    }

    /// A user who has signed in, and whose login is kept valid: its tokens, and what a refresh needs.
    ///
    /// <doc:SigningIn> explains how to write the closures.
    ///
    /// The user has the current login in memory. A refresh replaces it. All services that are created with this
    /// value, and with copies of it, share the login: one of them refreshes it, and the others use the new one.
    /// They have at most five refreshes within 30 seconds together. If a refresh ends after the sign-out of all of
    /// them, its login is neither used nor passed to `onChange`, unless you create another service with this value.
    ///
    /// The login belongs to one process; see <doc:SigningIn#A-login-in-another-place>. When the session has ended,
    /// requests throw ``TokenError/sessionEnded``, and the user must sign in again.
    ///
    /// - Parameters:
    ///   - id: An identifier of the user; see ``signedIn(_:)``.
    ///   - login: The login, from the response to the sign-in or from the keychain.
    ///   - token: Returns the token of a login, called once for each. It need not name the user.
    ///   - refresh: Exchanges a login, whose token is rejected or has expired, for a new one of the same user;
    ///     see ``TokenBehavior``.
    ///   - onChange: Receives each new login, to store it for the next start. It is called before a request is
    ///     sent with the login, and not after a sign-out has returned. A sign-out waits for it: return quickly,
    ///     and do not wait for the main actor.
    /// - Returns: The user.
    public static func signedIn<Login: Sendable>(
        _ id: String,
        with login: Login,
        token: @escaping @Sendable (Login) -> AccessToken,
        refresh: @escaping @Sendable (Login) async throws -> Login,
        onChange: @escaping @Sendable (Login) -> Void
    ) -> ServiceUser {
        keepingLogin(login, of: id, token: token, refresh: refresh, onChange: onChange)
    }

    private static func keepingLogin<Login: Sendable>(
        _ login: Login,
        of id: String?,
        token: @escaping @Sendable (Login) -> AccessToken,
        refresh: @escaping @Sendable (Login) async throws -> Login,
        onChange: @escaping @Sendable (Login) -> Void
    ) -> ServiceUser {
        let owner = id.map { Identifier<UserSession>($0) }
        let state = Locked(LoginState(current: (login, token(login))))
        // A refresh runs to its end, because the server may have replaced the login already.
        let refreshes = SingleFlight<AccessToken, AccessToken>(cancelsWhenAbandoned: false)
        let tokens = TokenSource(
            token: { state.withLock(\.current.token) },
            refresh: { old, adopt in
                try await refreshes.value(for: old) {
                    let (current, next) = state.withLock { ($0.current, $0.next) }
                    // An earlier refresh may have ended after its request.
                    if let next { return next.token }
                    guard current.token == old else { return current.token }
                    let login = try await refresh(current.login)
                    let token = token(login)
                    guard token.owner ?? owner == owner else { throw TokenError.sessionEnded }
                    state.withLock { $0.next = (login, token) }
                    // Without a caller, the login would be stored with the next request only.
                    adopt(token)
                    return token
                }
            },
            onRefresh: { token in
                state.withLock { state in
                    guard let next = state.next, next.token == token else { return }
                    onChange(next.login)
                    state = LoginState(current: next)
                }
            },
            signsGuests: id == nil,
            history: SharedRefreshHistory()
        )
        return ServiceUser(id: id, tokens: tokens)
    }

    /// The name of the partition of the cache and of the outbox; no two users have the same.
    var name: String { id.map { "user \($0.distinctBytes)" } ?? "guests" }
}

/// The login of a user, with its token.
private struct LoginState<Login: Sendable> {
    /// The login whose token signs the requests.
    let current: (login: Login, token: AccessToken)
    /// The login that replaces it as soon as a service that has not signed out needs it.
    var next: (login: Login, token: AccessToken)?
}

extension Error {
    /// Whether the server has refused the refresh that failed with this error.
    fileprivate var isRefusal: Bool {
        guard let error = self as? NetworkError, let statusCode = error.statusCode else {
            return isFinalRefusal
        }
        // A failure that `failing(…)` has found.
        if (200..<300).contains(statusCode) {
            return [.unauthorized, .forbidden, .rejected].contains(error.code)
        }
        return (400..<500).contains(statusCode) && ![408, 421, 425, 429].contains(statusCode)
    }
}
