public import Foundation

/// A token that authorizes requests, with its expiry date and its user.
///
/// Descriptions, mirrors and dumps of a token do not contain its text, so it cannot leak into logs.
public struct AccessToken: Hashable, Sendable {
    /// The secret text that is sent.
    public let rawValue: String
    /// The date on which the token expires; `nil` when that is unknown.
    package let expiry: Date?
    /// The user whom the token belongs to; `nil` if the token does not name one.
    ///
    /// A request of one user is never sent with the token of another, so set it if another user can sign in while
    /// the app runs. For a ``ProductService``, it is the identifier of the ``ServiceUser``.
    public let user: String?
    /// Further header fields that are sent with the token, such as a second token of the user.
    ///
    /// Like the token, they are part of no log and no error. A response that repeats them loses them, so that no
    /// cache stores them.
    public var headers: NetworkHeaders = [:]

    /// Creates a token, with the date on which it expires and an identifier of its user, if they are known.
    public init(_ rawValue: String, expiry: Date? = nil, user: String? = nil) {
        self.rawValue = rawValue
        self.expiry = expiry
        self.user = user
    }

    /// Creates a token from a JSON Web Token (RFC 7519), which contains its expiry date.
    ///
    /// The token is not verified: that is up to the server. The claim `exp` (RFC 7519 §4.1.4) may have a
    /// fraction. A text without it, such as one that is not a JSON Web Token, has no known expiry date.
    ///
    /// - Parameters:
    ///   - jwt: The text that is sent.
    ///   - margin: How long before its expiry date the token is replaced, for a server that refreshes only
    ///     tokens that are still valid; zero by default. The lifetime of a token must be longer by at least a
    ///     minute: otherwise the clock of the device seems to be wrong, and only a 401 starts a refresh.
    ///   - user: An identifier of the user; see ``user``.
    public init(jwt: String, expiringEarlierBy margin: Duration = .zero, user: String? = nil) {
        let expiry = Self.expirySeconds(ofJWT: jwt).map { seconds in
            Date(timeIntervalSince1970: seconds - margin / .seconds(1))
        }
        self.init(jwt, expiry: expiry, user: user)
    }

    /// Returns the claim `exp`, in seconds since 1970; `nil` if there is none.
    private static func expirySeconds(ofJWT text: String) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        // Base64url without padding (RFC 7515 §2).
        var claims = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        claims += String(repeating: "=", count: (4 - claims.utf8.count % 4) % 4)
        guard let json = Data(base64Encoded: claims) else { return nil }
        return try? NetworkResponse(body: json).json(Double.self, at: "exp")
    }

    /// The user, compared byte by byte; `nil` if the token does not name one.
    var owner: Identifier<UserSession>? { user.map { Identifier($0) } }
}

extension AccessToken: CustomStringConvertible, RedactedInDumps {
    /// The same text for every token, without its secret.
    public var description: String { "AccessToken(redacted)" }
}
