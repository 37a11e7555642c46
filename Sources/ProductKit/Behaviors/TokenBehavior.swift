#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Signs every request with a token.
///
/// ```swift
/// let signed = TokenBehavior { await session.token }
/// ```
///
/// The token is asked for anew at every exchange, so a new one counts from the next request on.
public struct TokenBehavior: RequestBehavior {
    private let header: String
    private let scheme: String?
    private let token: @Sendable () async throws -> String?

    /// Creates a behaviour that signs requests.
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
        self.token = token
    }

    /// Adds the token to a request that is not signed yet.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        guard let token = try await token() else { return try await next(request) }
        var request = request
        try request.add([header: [scheme, token].compactMap(\.self).joined(separator: " ")])
        return try await next(request)
    }
}
