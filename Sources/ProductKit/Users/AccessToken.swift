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
    /// A request of one user is never sent with the token of another. For a ``ProductService``, it is the
    /// identifier of the ``ServiceUser``.
    public let user: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - rawValue: The text that is sent.
    ///   - expiry: The date on which the token expires.
    ///   - user: An identifier of the user. Set it if another user can sign in while the app runs.
    public init(_ rawValue: String, expiry: Date? = nil, user: String? = nil) {
        self.rawValue = rawValue
        self.expiry = expiry
        self.user = user
    }
}

extension AccessToken {
    /// The user, compared byte by byte; `nil` if the token does not name one.
    var owner: Identifier<UserSession>? { user.map { Identifier($0) } }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// The same text for every token, without its secret.
    public var description: String { "AccessToken(redacted)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
