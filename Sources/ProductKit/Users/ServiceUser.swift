/// The user of a ``ProductService``: a guest, or a user who has signed in.
///
/// ```swift
/// let anna = ServiceUser.signedIn("anna") { token }
/// let service = ProductService(baseURL: api, localUser: euros, user: anna)
/// ```
///
/// The user of a service never changes. Stored responses, requests in flight and saved edits are those of
/// this user. When another user signs in, create another service.
///
/// The identifier alone decides that: a stored response is found without a token. So a server verifies the
/// user before it creates the service.
public struct ServiceUser: Sendable {
    /// The identifier; `nil` for a guest.
    let id: String?
    /// Returns the current token; `nil` if the service signs no requests.
    let token: (@Sendable () async throws -> AccessToken?)?
    /// Exchanges a rejected or expired token for a new one; `nil` if no token is refreshed.
    let refresh: (@Sendable (AccessToken) async throws -> AccessToken)?

    private init(
        id: String?,
        token: (@Sendable () async throws -> AccessToken?)? = nil,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil
    ) {
        precondition(
            id?.isEmpty != true,
            "The identifier of a signed-in user is empty. Pass the one that your server gives to the "
                + "user, or use .guest."
        )
        (self.id, self.token, self.refresh) = (id, token, refresh)
    }

    /// A user who has not signed in, so that the service signs no requests.
    ///
    /// All guests share their stored responses, their requests in flight and their saved edits. If a behavior or
    /// the transport signs the requests for a user, pass ``signedIn(_:)``: a ``TokenBehavior`` that has a token for
    /// a guest throws ``TokenError/sessionEnded``. If the server also requires a key of the app, pass it
    /// to the `headers` of the client.
    public static let guest = ServiceUser(id: nil)

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
    ///   - id: An identifier of the user, which is not empty and which no other user has. Use the same one
    ///     the next time: stored responses and saved edits are found by it.
    ///   - token: Returns the token that signs a request, called for each attempt. It must be a token of this
    ///     user: if the app has one current token, return an ``AccessToken`` with its user instead. With
    ///     `nil`, the request throws ``TokenError/sessionEnded`` and is not sent. Any error that it throws
    ///     ends the request.
    /// - Returns: The user.
    public static func signedIn(
        _ id: String,
        token: @escaping @Sendable () async throws -> String?
    ) -> ServiceUser {
        ServiceUser(id: id, token: { try await token().map { AccessToken($0) } })
    }

    /// A user who has signed in, and whose tokens are refreshed or name their user.
    ///
    /// - Parameters:
    ///   - id: An identifier of the user, which is not empty and which no other user has. Use the same one
    ///     the next time: stored responses and saved edits are found by it.
    ///   - token: Returns the token that signs a request, called for each attempt. With `nil`, and with a
    ///     token whose ``AccessToken/user`` is not `id`, the request throws ``TokenError/sessionEnded`` and
    ///     is not sent. Any error that it throws ends the request.
    ///   - refresh: Exchanges a rejected or expired token for a new one of the same user; see
    ///     ``TokenBehavior``. Each service refreshes its own tokens. With `nil`, the default, no token is
    ///     refreshed.
    /// - Returns: The user.
    public static func signedIn(
        _ id: String,
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil
    ) -> ServiceUser {
        ServiceUser(id: id, token: token, refresh: refresh)
    }
}

extension ServiceUser {
    /// The name of the partition of the cache and of the outbox; no two users have the same.
    var name: String { id.map { "user \($0.distinctBytes)" } ?? "guests" }

    /// Creates the behavior that signs the requests of a service; `nil` if it signs none.
    func tokenBehavior(
        header: String,
        scheme: String?,
        effects: SystemEffects
    ) -> TokenBehavior? {
        token.map { token in
            TokenBehavior(
                header: header,
                scheme: scheme,
                effects: effects,
                token: token,
                refresh: refresh
            )
        }
    }
}
