import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Signs every request with a token, and refreshes the token once for everybody when it is refused.
///
/// ```swift
/// let signed = TokenBehavior { await session.token }
/// ```
///
/// The token is asked for anew at every exchange, so a new one counts from the next request on. Put
/// the behavior inside of ``RetryBehavior``.
public final class TokenBehavior: RequestBehavior {
    private let header: String
    private let scheme: String?
    private let token: @Sendable () async throws -> AccessToken?
    private let refresh: (@Sendable (AccessToken) async throws -> AccessToken)?
    private let effects: BehaviorEffects
    private let refreshes = Mutex(TokenRefreshes())
    private let work = SharedWork<AccessToken, AccessToken>(outlivesCallers: true)

    /// The token that the task is refreshing; waiting for it in there would never end.
    @TaskLocal private static var refreshing: AccessToken?

    /// Creates a behavior that signs requests with tokens that somebody else keeps fresh.
    ///
    /// - Parameters:
    ///   - header: The field that carries the token.
    ///   - scheme: The word in front of the token (RFC 9110 §11.4); `nil` for none.
    ///   - token: The token to use now; `nil` sends the request unsigned. What it throws ends the
    ///     send.
    public init(
        header: String = "Authorization",
        scheme: String? = "Bearer",
        token: @escaping @Sendable () async throws -> String?
    ) {
        self.header = header
        self.scheme = scheme
        self.token = { try await token().map { AccessToken($0) } }
        refresh = nil
        effects = BehaviorEffects()
    }

    /// Creates a behavior that also refreshes tokens.
    ///
    /// A token that has expired is refreshed before the request is sent. A request that is answered
    /// with 401 is sent once more with another token: the one that is there by now, or else a
    /// refreshed one. However many requests wait, one refresh is made for all of them, and it goes
    /// on when one of them is cancelled.
    ///
    /// - Parameters:
    ///   - header: The field that carries the token.
    ///   - scheme: The word in front of the token (RFC 9110 §11.4); `nil` for none.
    ///   - effects: Time.
    ///   - token: The token to use now; `nil` sends the request unsigned.
    ///   - refresh: Makes a new token from one that is no longer good, stores it where `token` finds
    ///     it, and returns it, with the same user. What it sends is not signed by this behavior. A
    ///     ``NetworkError`` of status 400 or 401 ends the session: later requests get
    ///     ``TokenError/sessionEnded`` at once, until there is another token. Any other error reaches
    ///     those who wait, and the next request tries again.
    public init(
        header: String = "Authorization",
        scheme: String? = "Bearer",
        effects: BehaviorEffects = BehaviorEffects(),
        token: @escaping @Sendable () async throws -> AccessToken?,
        refresh: @escaping @Sendable (AccessToken) async throws -> AccessToken
    ) {
        self.header = header
        self.scheme = scheme
        self.effects = effects
        self.token = token
        self.refresh = refresh
    }

    /// Signs a request that is not signed yet, and sends it again when its token was refused.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard request.value(forHTTPHeaderField: header) == nil, var token = try await token(),
            token != Self.refreshing
        else { return try await next(request) }
        if needsSuccessor(token) { token = try await successor(of: token) }
        let response = try await next(signed(request, with: token))
        // A stream is read only once.
        guard response.statusCode == 401, refresh != nil, request.httpBodyStream == nil,
            let current = try await self.token(), current.user == token.user
        else { return response }
        let fresh = current == token ? try await successor(of: token) : current
        return try await next(signed(request, with: fresh))
    }

    private func signed(_ request: URLRequest, with token: AccessToken) throws -> URLRequest {
        guard Attempt.current?.signers.admit(token.user, by: self) ?? true else {
            throw TokenError.sessionEnded
        }
        var request = request
        let credentials = [scheme, token.rawValue].compactMap(\.self).joined(separator: " ")
        try request.add([header: credentials])
        return request
    }

    private func needsSuccessor(_ token: AccessToken) -> Bool {
        guard refresh != nil else { return false }
        let hasExpired = token.expiry.map { $0 <= effects.now() } ?? false
        return hasExpired || refreshes.withLock { $0.isRejected(token) }
    }

    /// Waits for the one refresh of a token, and begins it if nobody has.
    ///
    /// - Throws: ``TokenError/sessionEnded`` also when its user has left or another one has come.
    private func successor(of token: AccessToken) async throws -> AccessToken {
        let successor = try await work.value(for: token) { [self] in
            // Signing out, or another refresh, may have come between the refusal and now.
            guard let refresh, let current = try await self.token() else {
                throw TokenError.sessionEnded
            }
            guard current == token else { return current }
            try refreshes.withLock { try $0.begin(for: token, at: effects.elapsed()) }
            do {
                return try await Self.$refreshing.withValue(token) {
                    try await Attempt.$current.withValue(nil) { try await refresh(token) }
                }
            } catch let error as NetworkError where [400, 401].contains(error.statusCode) {
                refreshes.withLock { $0.reject(token) }
                throw TokenError.sessionEnded
            }
        }
        guard successor.user == token.user else { throw TokenError.sessionEnded }
        return successor
    }
}

/// Which refreshes are allowed: the rules, as a value without time or network of its own.
struct TokenRefreshes {
    private var beginnings: [Duration] = []
    private var rejected: AccessToken?

    /// Lets a refresh begin.
    ///
    /// - Parameters:
    ///   - token: The token that is no longer good.
    ///   - time: The time that has elapsed, since whenever.
    /// - Throws: ``TokenError/sessionEnded`` when this token's refresh was rejected before, and
    ///   ``TokenError/tooManyRefreshes`` for the sixth in 30 seconds.
    mutating func begin(for token: AccessToken, at time: Duration) throws {
        guard !isRejected(token) else { throw TokenError.sessionEnded }
        beginnings.removeAll { time - $0 >= .seconds(30) }
        guard beginnings.count < 5 else { throw TokenError.tooManyRefreshes }
        beginnings.append(time)
    }

    /// Whether the server will not refresh this token.
    func isRejected(_ token: AccessToken) -> Bool {
        rejected == token
    }

    /// Remembers that the server will not refresh this token, whoever asks and however often.
    mutating func reject(_ token: AccessToken) {
        rejected = token
    }
}
