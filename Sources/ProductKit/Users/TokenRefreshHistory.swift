import Foundation

/// The history of the refreshes of one behavior, or of all services that share a login.
final class SharedRefreshHistory: Sendable {
    /// The history of all behaviors that refresh no token.
    static let unused = SharedRefreshHistory()

    let state = Locked(TokenRefreshHistory())
}

/// The recent refreshes and the rejected tokens, which decide whether a refresh may start.
///
/// Its size is limited: refreshes are removed after 30 seconds, and at most 1,000 rejected tokens
/// and the users of 1,000 tokens with a wrong date are stored.
struct TokenRefreshHistory {
    private var refreshes: [Refresh] = []
    /// The tokens of the refreshes that run now.
    private var running: Set<AccessToken> = []
    private var rejected: [Identifier<UserSession>?: AccessToken] = [:]
    /// The users whose latest token has an expiry date that does not fit the clock of the device.
    private var withWrongExpiry: Set<Identifier<UserSession>?> = []

    private struct Refresh {
        let user: Identifier<UserSession>?
        let startTime: Duration
        var failure: (any Error)?
    }

    /// Adds a refresh that is about to start, at a time on a monotonic clock.
    ///
    /// - Returns: Whether it counts; `false` if another service refreshes this token: both get one new token.
    /// - Throws: ``TokenError/sessionEnded`` if the server has rejected the refresh of this token
    ///   before. For the sixth refresh of its user within 30 seconds, it throws the error of the fifth one, or
    ///   ``TokenError/tooManyRefreshes`` if that has succeeded or was cancelled.
    mutating func addRefresh(of token: AccessToken, at time: Duration) throws -> Bool {
        guard !isRejected(token) else { throw TokenError.sessionEnded }
        guard !running.contains(token) else { return false }
        refreshes.removeAll { time - $0.startTime >= .seconds(30) }
        let recent = refreshes.filter { $0.user == token.owner }
        guard recent.count < 5 else { throw recent.last?.failure ?? TokenError.tooManyRefreshes }
        refreshes.append(Refresh(user: token.owner, startTime: time))
        running.insert(token)
        return true
    }

    mutating func endRefresh(of token: AccessToken) {
        running.remove(token)
    }

    /// Notices that a refresh that counts has failed, and removes it if it did not reach the server.
    mutating func failRefresh(of token: AccessToken, with error: any Error, isSent: Bool) {
        guard let index = refreshes.lastIndex(where: { $0.user == token.owner }) else { return }
        if isSent { refreshes[index].failure = error } else { refreshes.remove(at: index) }
    }

    /// Returns whether a token has expired; `false` if its date does not fit the device's clock.
    func hasExpired(_ token: AccessToken, at now: Date) -> Bool {
        token.expiry.map { $0 <= now } ?? false && !withWrongExpiry.contains(token.owner)
    }

    /// Notices whether a token that the server has just issued expires within a minute by the clock of the device.
    ///
    /// Then only the server decides when the tokens of the user have expired, also those of another behavior.
    mutating func addIssued(_ token: AccessToken, at now: Date) {
        if let expiry = token.expiry, expiry.timeIntervalSince(now) < 60 {
            if withWrongExpiry.count >= 1_000, !withWrongExpiry.contains(token.owner) {
                withWrongExpiry = []
            }
            withWrongExpiry.insert(token.owner)
        } else {
            withWrongExpiry.remove(token.owner)
        }
    }

    /// Returns whether the server has rejected the refresh of this token.
    func isRejected(_ token: AccessToken) -> Bool {
        rejected[token.owner] == token
    }

    /// Stores a token whose refresh the server has rejected, instead of the user's previous one.
    ///
    /// If the limit is exceeded, all others are removed: each of them is then refreshed once more.
    mutating func addRejection(of token: AccessToken) {
        if rejected[token.owner] == nil, rejected.count >= 1_000 { rejected = [:] }
        rejected[token.owner] = token
    }
}
