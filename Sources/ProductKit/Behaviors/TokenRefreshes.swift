/// Which refreshes are allowed: the rules, as a value without time or network of its own.
struct TokenRefreshes {
    private var beginnings: [Duration] = []
    private var rejected: AccessToken?

    /// Lets a refresh begin.
    ///
    /// - Parameters:
    ///   - token: The token that is no longer good.
    ///   - time: The time that has elapsed, since whenever.
    /// - Throws: ``TokenError/sessionEnded`` when this token's refresh was rejected before, and
    ///   ``TokenError/tooManyRefreshes`` for the sixth in 30 seconds.
    mutating func begin(for token: AccessToken, at time: Duration) throws {
        guard !isRejected(token) else { throw TokenError.sessionEnded }
        beginnings.removeAll { time - $0 >= .seconds(30) }
        guard beginnings.count < 5 else { throw TokenError.tooManyRefreshes }
        beginnings.append(time)
    }

    /// Whether the server will not refresh this token.
    func isRejected(_ token: AccessToken) -> Bool {
        rejected == token
    }

    /// Remembers that the server will not refresh this token, whoever asks and however often.
    mutating func reject(_ token: AccessToken) {
        rejected = token
    }
}
