/// One of several times that a request was sent, and how it ended.
public struct NetworkAttempt: Hashable, Sendable {
    /// The status of the answer; `nil` when none came.
    public let statusCode: Int?
    /// Why no answer came; `nil` when one did.
    public let failure: NetworkError.Code?
    /// How long was waited before the next attempt; `nil` for the last one.
    public let delay: Duration?

    /// Creates a report of an attempt.
    ///
    /// - Parameters:
    ///   - statusCode: The status of the answer.
    ///   - failure: Why no answer came.
    ///   - delay: How long was waited before the next attempt.
    public init(
        statusCode: Int? = nil,
        failure: NetworkError.Code? = nil,
        delay: Duration? = nil
    ) {
        self.statusCode = statusCode
        self.failure = failure
        self.delay = delay
    }
}
