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
/// the behaviour inside of ``RetryBehavior``.
public final class TokenBehavior: RequestBehavior {
    private let header: String
    private let scheme: String?
    private let token: @Sendable () async throws -> AccessToken?
    private let refresh: (@Sendable (AccessToken) async throws -> AccessToken)?
    private let effects: BehaviorEffects
    private let refreshes = Mutex(TokenRefreshes())
    private let work = SharedWork<AccessToken, AccessToken>(outlivesCallers: true)

    /// Creates a behaviour that signs requests with tokens that somebody else keeps fresh.
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

    /// Creates a behaviour that also refreshes tokens.
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
    ///     it, and returns it. It must not send through this behaviour. A ``NetworkError`` of status
    ///     400 or 401 ends the session: later requests get ``TokenError/sessionEnded`` at once, until
    ///     there is another token. Any other error reaches those who wait, and the next request
    ///     tries again.
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
        guard request.value(forHTTPHeaderField: header) == nil, var token = try await token() else {
            return try await next(request)
        }
        if refresh != nil, let expiry = token.expiry, expiry <= effects.now() {
            token = try await successor(of: token)
        }
        let response = try await next(signed(request, with: token))
        guard response.statusCode == 401, refresh != nil,
            let current = try await self.token(), current.user == token.user
        else { return response }
        let fresh = current == token ? try await successor(of: token) : current
        guard fresh.user == token.user else { return response }
        return try await next(signed(request, with: fresh))
    }

    private func signed(_ request: URLRequest, with token: AccessToken) throws -> URLRequest {
        var request = request
        let credentials = [scheme, token.rawValue].compactMap(\.self).joined(separator: " ")
        try request.add([header: credentials])
        return request
    }

    /// Waits for the one refresh of a token, and begins it if nobody has.
    private func successor(of token: AccessToken) async throws -> AccessToken {
        try await work.value(for: token) { [self] in
            guard let refresh else { return token }
            // Another refresh may have ended between the refusal and now.
            if let current = try await self.token(), current != token { return current }
            try refreshes.withLock { try $0.begin(for: token, at: effects.elapsed()) }
            do {
                return try await refresh(token)
            } catch let error as NetworkError where [400, 401].contains(error.statusCode) {
                refreshes.withLock { $0.reject(token) }
                throw TokenError.sessionEnded
            }
        }
    }
}
