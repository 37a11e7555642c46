public import Foundation

/// Why a token could not be had.
public enum TokenError: LocalizedError, Hashable {
    /// The server will not refresh the token: the user must sign in again.
    case sessionEnded
    /// Token after token was refused; the requests, or the clocks, are at odds with the server.
    case tooManyRefreshes

    /// One sentence for a person.
    public var errorDescription: String? {
        switch self {
        case .sessionEnded:
            "The session has ended; sign in again."
        case .tooManyRefreshes:
            "The server refused five new tokens within 30 seconds; wait a while and sign in again."
        }
    }
}
