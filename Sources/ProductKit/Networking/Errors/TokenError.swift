public import Foundation

/// The reason why there is no valid token for a request.
public enum TokenError: LocalizedError, Hashable, CustomDebugStringConvertible {
    /// The server rejected the refresh, there is no token, or it is that of another user; the user of the
    /// ``ProductService`` has signed out, also a guest; or a guest has a token. The user must sign in again.
    ///
    /// Throw it from the `refresh` closure if your server refuses a refresh for ever in its own way.
    case sessionEnded
    /// Five refreshes for one user, which reached a server within 30 seconds, did not bring a valid token.
    case tooManyRefreshes
    /// The refresh took longer than its deadline.
    ///
    /// If this happens every time, the refresh probably waits for a request that it sends from another task through the
    /// same ``TokenBehavior``, which waits for the refresh. Send that request with a client without the behavior.
    case refreshTimedOut

    /// A sentence for the user of the app.
    public var errorDescription: String? {
        switch self {
        case .sessionEnded:
            "Your session has ended. Sign in again."
        case .tooManyRefreshes:
            "Your session could not be renewed. Wait a minute, and try again."
        case .refreshTimedOut:
            "Your session could not be renewed in time. Try again."
        }
    }

    /// The case and its cause, for developers.
    public var debugDescription: String {
        switch self {
        case .sessionEnded:
            "TokenError.sessionEnded: the user has signed out or has no valid token, or a token belongs to "
                + "another user or to a guest. Show the sign-in, and create a service for the user who signs in."
        case .tooManyRefreshes:
            "TokenError.tooManyRefreshes: five refreshes within 30 seconds brought no valid token. Check that "
                + "the server accepts the tokens that refresh returns, and that token returns the newest one."
        case .refreshTimedOut:
            "TokenError.refreshTimedOut: the refresh took longer than its deadline. If this happens every "
                + "time, it may wait for itself: send its requests with a client that adds no token."
        }
    }
}

extension Error {
    /// Whether no request can be sent for the user, such as after signing out.
    var endsSession: Bool { self as? TokenError == .sessionEnded }
}
