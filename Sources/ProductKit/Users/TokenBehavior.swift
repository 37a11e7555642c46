import Foundation

/// A behavior that adds a token to each request, and refreshes the token when the server rejects it.
///
/// ```swift
/// let signed = TokenBehavior { await session.token }
/// ```
///
/// The `token` closure is called for every request, so a new token is used from the next request
/// on. A request that already has the header field is sent unchanged.
///
/// Place the behavior inside of ``RetryBehavior``, so that each attempt gets a current token.
public final class TokenBehavior: RequestBehavior {
    private let header: String
    private let scheme: String?
    private let source: TokenSource
    private let refreshDeadline: Duration
    private let effects: SystemEffects
    private let history: SharedRefreshHistory
    private let refreshes = SingleFlight<AccessToken, AccessToken>(cancelsWhenAbandoned: false)

    /// A refresh, until its closure has returned before its deadline.
    private final class Refresh: Sendable {
        let token: AccessToken
        let hasEnded = Locked(false)

        init(_ token: AccessToken) {
            self.token = token
        }
    }

    /// The refresh in whose task the current task was created.
    @TaskLocal private static var refresh: Refresh?

    /// The token that the current task is refreshing.
    ///
    /// Requests of the refresh itself are sent unsigned: waiting for the refresh would be a deadlock.
    private static var refreshing: AccessToken? {
        refresh.flatMap { $0.hasEnded.withLock(\.self) ? nil : $0.token }
    }

    /// Returns the partition of a service's reads; `nil` if nothing is shared or stored, as for those of a refresh.
    static func partition(of session: UserSession?) -> String? {
        refreshing == nil ? session?.partition : nil
    }

    /// Creates a behavior without refresh, for an app that keeps its token valid by itself.
    ///
    /// The parameters are those of ``init(header:scheme:refreshDeadline:effects:token:refresh:)``.
    public convenience init(
        header: String = "Authorization",
        scheme: String? = "Bearer",
        token: @escaping @Sendable () async throws -> String?
    ) {
        self.init(
            header: header,
            scheme: scheme,
            token: { try await token().map { AccessToken($0) } },
            refresh: nil
        )
    }

    /// Creates a behavior that also refreshes tokens, as <doc:RequestBehaviors#Token-refresh> describes.
    ///
    /// If several users share the behavior, such as in a server, set the ``AccessToken/user`` of each token: the
    /// number of refreshes is limited for each user.
    ///
    /// - Parameters:
    ///   - header: The header field that carries the token.
    ///   - scheme: The authentication scheme in front of the token (RFC 9110 §11.4), or `nil` to send the token alone.
    ///   - refreshDeadline: The maximum time of a refresh, 30 seconds by default. Then `refresh` is cancelled,
    ///     all requests that wait for it throw ``TokenError/refreshTimedOut``, and the next request tries again.
    ///   - effects: The current date, which expiry dates are compared with, and the clock for the
    ///     number of refreshes. A ``ManualClock`` also measures the deadline.
    ///   - token: Returns the current token. With `nil` the request is sent unsigned, but a request of
    ///     a service whose user has signed in throws ``TokenError/sessionEnded``. An error that it
    ///     throws ends the attempt. Only one of the connection, such as a `URLError`, can be retried.
    ///   - refresh: Exchanges a rejected or expired token for a new one of the same user, stores it where `token` reads
    ///     it, and returns it. With `nil`, no token is refreshed. Requests that it sends are not signed by this behavior,
    ///     except for those of another task; see ``TokenError/refreshTimedOut``. Throw ``TokenError/sessionEnded`` if a
    ///     refusal is final. Any other error is thrown to the requests that wait, and the next request tries again.
    public convenience init(
        header: String = "Authorization",
        scheme: String? = "Bearer",
        refreshDeadline: Duration = .seconds(30),
        effects: SystemEffects = SystemEffects(),
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)?
    ) {
        self.init(
            header: header,
            scheme: scheme,
            refreshDeadline: refreshDeadline,
            effects: effects,
            source: TokenSource(token: token, refresh: refresh)
        )
    }

    /// Creates a behavior for the tokens of a ``ServiceUser``.
    init(
        header: String,
        scheme: String?,
        refreshDeadline: Duration,
        effects: SystemEffects,
        source: TokenSource
    ) {
        self.header = header
        self.scheme = scheme
        self.refreshDeadline = refreshDeadline
        self.effects = effects
        self.source = source
        history = source.history ?? (source.refresh == nil ? .unused : SharedRefreshHistory())
    }

    /// Cancels all refreshes; requests that wait for one throw `CancellationError`.
    func cancelRefreshes() { refreshes.cancelAll() }

    /// Adds the token to a request, and sends the request once more if the token is rejected.
    ///
    /// - Throws: ``TokenError`` if no valid token of the request's user is available; errors of the
    ///   `token` and `refresh` closures; otherwise the errors of `next`.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.headers[header] == nil, request.policy.allowsNetwork else {
            return try await next(request)
        }
        guard var token = try await currentToken(for: request), token != Self.refreshing else {
            // If the user has signed out between two attempts, the request is not sent unsigned.
            guard request.signers?.allowsUnsigned(for: self) ?? true else {
                throw TokenError.sessionEnded
            }
            var response = try await next(request)
            response.isSigned = false
            return response
        }
        if needsRefresh(token) { token = try await replacement(of: token, for: request) }
        let response = try await response(to: request, with: token, next: next)
        guard response.statusCode == 401, source.refresh != nil,
            let current = try await currentToken(for: request),
            owner(of: current, request) == owner(of: token, request)
        else { return response }
        let newToken = current == token ? try await replacement(of: token, for: request) : current
        return try await self.response(to: request, with: newToken, next: next)
    }

    /// Sends a request with a token; throws for a 401 of another server, to which it was redirected without the token.
    private func response(
        to request: OutgoingRequest,
        with token: AccessToken,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var response = try await next(signed(request, with: token))
        response.isSigned = true
        for (name, _) in token.headers { response.headers[name] = nil }
        if response.statusCode == 401, response.isOfOtherOrigin(than: request.url) {
            response.headers["Location"] = response.url?.absoluteString
            throw NetworkError(
                .redirect,
                request: request,
                response: response,
                details:
                    "The server redirected the request to another server, which did not receive "
                    + "the token. Use the base URL that the server redirects to."
            )
        }
        return response
    }

    /// Returns the token to sign a request with; `nil` if the request is sent unsigned.
    ///
    /// A request of a service is signed only with a token of its user.
    ///
    /// - Throws: ``TokenError/sessionEnded`` if it is that of another user, if the user has none, or if a guest
    ///   has one by mistake; the error of the closure.
    private func currentToken(for request: OutgoingRequest) async throws -> AccessToken? {
        let current: AccessToken?
        do { current = try await source.token() } catch { throw error.ofOtherRequest }
        guard let session = request.session else { return current }
        guard session.isOpen else { throw ServiceSignedOut() }
        // Requests of a refresh are sent unsigned, also those that it sends as a guest.
        if let refreshing = Self.refreshing, current == nil || current == refreshing { return nil }
        guard let user = session.user else {
            guard current == nil || source.signsGuests && current?.owner == nil else {
                throw TokenError.sessionEnded
            }
            return current
        }
        guard let current, owner(of: current, request) == user else {
            throw TokenError.sessionEnded
        }
        return current
    }

    /// The user whom a token names, or else the user of the service.
    private func owner(
        of token: AccessToken,
        _ request: OutgoingRequest
    ) -> Identifier<UserSession>? {
        token.owner ?? request.session?.user
    }

    private func signed(
        _ request: OutgoingRequest,
        with token: AccessToken
    ) throws -> OutgoingRequest {
        // If another user has signed in between two attempts, the request is not sent for that user.
        guard request.signers?.claim(owner(of: token, request), for: self) ?? true else {
            throw TokenError.sessionEnded
        }
        var request = request
        let credentials = [scheme, token.rawValue].compactMap(\.self).joined(separator: " ")
        request.headers[header] = credentials
        for (name, value) in token.headers { request.headers[name] = value }
        if !credentials.isFieldValue || !token.headers.allSatisfy(\.value.isFieldValue) {
            try request.checkTokenFields()
        }
        return request
    }

    /// Whether a token must be replaced before it is sent, also one whose refresh was rejected: its replacement throws.
    private func needsRefresh(_ token: AccessToken) -> Bool {
        guard source.refresh != nil else { return false }
        let now = effects.now()
        return history.state.withLock { $0.hasExpired(token, at: now) || $0.isRejected(token) }
    }

    /// Returns the token that replaces another one of the same user, and starts its refresh unless it is running.
    private func replacement(
        of token: AccessToken,
        for request: OutgoingRequest
    ) async throws -> AccessToken {
        let replacement: AccessToken
        do {
            replacement = try await refreshed(token, for: request)
        } catch is ServiceSignedOut where request.session?.isOpen != false {
            // Another service of the user has started the refresh, and has signed out.
            return try await self.replacement(of: token, for: request)
        }
        guard owner(of: replacement, request) == owner(of: token, request) else {
            throw TokenError.sessionEnded
        }
        return replacement
    }

    /// Returns the new token from a refresh, which all requests with the same old token share.
    private func refreshed(
        _ token: AccessToken,
        for request: OutgoingRequest
    ) async throws -> AccessToken {
        try await refreshes.value(for: token) { [self] in
            // The user may have signed out, or the token may have been replaced, in the meantime.
            guard let refresh = source.refresh,
                let current = try await currentToken(for: request)
            else { throw TokenError.sessionEnded }
            guard current == token else { return current }
            // Another service may refresh this token already.
            let isCounted = try history.state.withLock {
                try $0.addRefresh(of: token, at: effects.elapsed())
            }
            defer { if isCounted { history.state.withLock { $0.endRefresh(of: token) } } }
            // Passes a new token on, unless the user has signed out, and returns whether it did.
            let adopt: @Sendable (AccessToken) -> Bool = { [source, history, effects] newToken in
                history.state.withLock { $0.addIssued(newToken, at: effects.now()) }
                return request.session?.ifOpen {
                    Self.$refresh.withValue(nil) { source.onRefresh(newToken) }
                } ?? true
            }
            do {
                let running = Refresh(token)
                let newToken = try await Self.$refresh.withValue(running) {
                    try await effects.wait(
                        atMost: refreshDeadline,
                        orThrow: TokenError.refreshTimedOut
                    ) {
                        // After the deadline, the closure may still send requests.
                        defer { if !Task.isCancelled { running.hasEnded.withLock { $0 = true } } }
                        return try await refresh(token) { _ = adopt($0) }
                    }
                }
                guard adopt(newToken) else { throw ServiceSignedOut() }
                return newToken
            } catch  where error.isFinalRefusal {
                history.state.withLock { $0.addRejection(of: token) }
                // Another process may have replaced the token, which makes the server refuse this refresh.
                if let current = try await currentToken(for: request), current != token {
                    return current
                }
                throw TokenError.sessionEnded
            } catch {
                // A refresh that reached no server does not count: the limit protects the server.
                let isSent = !error.reachedNoServer
                let error = error.ofOtherRequest
                if isCounted, !error.isCancellation, !(error is ServiceSignedOut) {
                    history.state.withLock {
                        $0.failRefresh(of: token, with: error, isSent: isSent)
                    }
                }
                throw error
            }
        }
    }
}

/// The tokens of a user: where they come from, and how they are refreshed.
struct TokenSource: Sendable {
    /// Returns the current token; `nil` if there is none.
    let token: @Sendable () async throws -> AccessToken?
    /// Exchanges a rejected or expired token for a new one; `nil` if no token is refreshed.
    ///
    /// Its second argument calls `onRefresh`, for a token that may arrive after all callers have left.
    var refresh:
        (
            @Sendable (AccessToken, _ adopt: @escaping @Sendable (AccessToken) -> Void) async throws
                -> AccessToken
        )?
    /// Called with each new token, unless the service has signed out.
    var onRefresh: @Sendable (AccessToken) -> Void = { _ in }
    /// Whether a service of a guest signs its requests.
    var signsGuests = false
    /// The history of the refreshes, if all services share a login; `nil` if each has a history of its own.
    var history: SharedRefreshHistory?
}

extension TokenSource {
    /// Creates a source whose tokens are refreshed without anything else, such as a login.
    init(
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: (@Sendable (AccessToken) async throws -> AccessToken)?
    ) {
        self.init(
            token: token,
            refresh: refresh.map { refresh in { @Sendable old, _ in try await refresh(old) } }
        )
    }
}

extension Error {
    /// Whether no server received the refresh that has failed with this error.
    fileprivate var reachedNoServer: Bool {
        if let error = urlError { return error.networkCode == .unreachable }
        guard let error = self as? NetworkError else { return false }
        return error.code == .unreachable
            && error.attempts.allSatisfy { $0.failure == .unreachable }
    }

    /// Whether the refresh that has failed with this error ends the session: the app has decided so, or
    /// the server with `invalid_grant` (RFC 6749 §5.2).
    ///
    /// A 400 or 401 alone may be the page of a firewall, or an error of a moment.
    var isFinalRefusal: Bool {
        if let error = self as? TokenError { return error == .sessionEnded }
        guard let error = self as? NetworkError, let statusCode = error.statusCode,
            (400..<500).contains(statusCode)
        else { return false }
        return NetworkResponse(body: error.body).text(at: "error") == "invalid_grant"
    }
}
