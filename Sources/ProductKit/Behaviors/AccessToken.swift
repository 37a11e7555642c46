public import Foundation

/// A token that signs requests, and what is known about it.
///
/// Nothing that prints it shows its text.
public struct AccessToken: Hashable, Sendable {
    /// The text that is sent, to be kept secret.
    public let rawValue: String
    /// When it stops being valid; `nil` when nobody knows.
    public let expiry: Date?
    /// Whose it is, `nil` for the only user.
    ///
    /// A request of one user is never signed with the token of another.
    public let user: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - rawValue: The text that is sent.
    ///   - expiry: When it stops being valid.
    ///   - user: Whose it is, where several users may follow one another.
    public init(_ rawValue: String, expiry: Date? = nil, user: String? = nil) {
        self.rawValue = rawValue
        self.expiry = expiry
        self.user = user
    }
}

extension AccessToken: ExpressibleByStringLiteral {
    /// Creates a token from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// Tells that it is a token, and not which.
    public var description: String { "AccessToken(redacted)" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a token could not be had.
public enum TokenError: LocalizedError, Hashable {
    /// The server will not refresh the token: the user must sign in again.
    case sessionEnded
    /// Refresh after refresh has not helped: new tokens were refused, or none could be fetched.
    case tooManyRefreshes

    /// One sentence for a person.
    public var errorDescription: String? {
        switch self {
        case .sessionEnded:
            "The session has ended; sign in again."
        case .tooManyRefreshes:
            "Refreshing the session five times within 30 seconds has not helped; wait a while and "
                + "sign in again."
        }
    }
}
