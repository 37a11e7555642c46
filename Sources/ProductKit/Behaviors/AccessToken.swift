public import Foundation

/// A token that authorizes requests, with its expiry date and its user.
///
/// Descriptions, mirrors and dumps of a token do not contain its text, so it cannot leak into logs.
public struct AccessToken: Hashable, Sendable {
    /// The secret text that is sent.
    public let rawValue: String
    /// The date on which the token expires; `nil` when that is unknown.
    package let expiry: Date?
    /// The user whom the token belongs to; `nil` in an app with only one user.
    ///
    /// A request that was started for one user is never sent with the token of another.
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
    /// The user, compared byte by byte; `nil` in an app with only one user.
    var owner: Identifier<AccessToken>? { user.map { Identifier($0) } }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// The same text for every token, without its secret.
    public var description: String { "AccessToken(redacted)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why ``TokenBehavior`` has no valid token for a request.
public enum TokenError: LocalizedError, Hashable {
    /// The server rejected the refresh, or another user has signed in. The user must sign in again.
    ///
    /// Throw it from the `refresh` closure if your server refuses a refresh for ever in its own way.
    case sessionEnded
    /// Five refreshes for one user within 30 seconds did not bring a valid token.
    case tooManyRefreshes
    /// The refresh took longer than its deadline.
    ///
    /// If this happens every time, the refresh probably waits for itself: it waits for a request
    /// that it sends from another task through the same ``TokenBehavior``. Send that request with a
    /// client without the behavior.
    case refreshTimedOut

    /// A sentence for the user of the app.
    public var errorDescription: String? {
        switch self {
        case .sessionEnded:
            "Your session has ended. Sign in again."
        case .tooManyRefreshes:
            "Your session could not be renewed: five attempts within 30 seconds have failed. "
                + "Wait a minute, and then sign in again."
        case .refreshTimedOut:
            "Your session could not be renewed in time. Try again."
        }
    }
}

extension TokenError: SessionEndReporting {
    var endsSession: Bool { self == .sessionEnded }
}
