public import Foundation

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
