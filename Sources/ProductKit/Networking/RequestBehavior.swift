/// A behavior that is applied to requests, such as adding a token, logging or retrying.
///
/// Pass behaviors to a ``NetworkClient`` for all of its requests, or to `send` for one request. Implement only the
/// requirements that you need: the defaults change nothing. ``ClosureBehavior`` makes a behavior from closures.
///
/// A method whose signature is nearly that of a requirement is never called. Declare the
/// conformance in an extension: there, the compiler warns about a name with other types.
///
/// Requests pass through behaviors in the order of their list, and responses in reverse. See <doc:RequestBehaviors>.
public protocol RequestBehavior: Sendable {
    /// The header fields to add to a request that does not have them yet.
    var additionalHeaders: NetworkHeaders { get }

    /// Modifies a request before it is sent, after ``additionalHeaders`` were added.
    func modify(_ request: inout OutgoingRequest)

    /// Called once when a `send` begins.
    func beforeSend()

    /// Called once when a `send` succeeds.
    ///
    /// - Parameter result: The output that the caller of `send` gets.
    func afterSuccess(result: any Sendable)

    /// Called once when a `send` fails or is cancelled.
    ///
    /// - Parameter error: The error that the caller of `send` gets; `CancellationError` if it was cancelled.
    func afterFailure(error: any Error)

    /// Processes one exchange.
    ///
    /// The outermost behavior sees one for each `send`. Every other one sees one each time that the behavior outside
    /// of it calls `next`, such as ``RetryBehavior`` for each attempt.
    ///
    /// It may modify the request, call `next` any number of times, and modify the response. It changes
    /// copies of both: a new response has lost its source, its attempts and its place in a cache.
    ///
    /// Only the default adds ``additionalHeaders`` and calls ``modify(_:)``, before it calls `next`.
    ///
    /// - Parameters:
    ///   - request: The request, and what belongs to it.
    ///   - next: The behaviors inside of this one and finally the network. It returns a response
    ///     with any status code. It throws if there is no response or the task is cancelled.
    /// - Returns: The response for the behavior outside of this one.
    /// - Throws: The error of `next`, or an error of the behavior itself.
    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse
}

extension RequestBehavior {
    /// No header fields.
    public var additionalHeaders: NetworkHeaders { [:] }

    /// Does nothing.
    public func modify(_ request: inout OutgoingRequest) {}

    /// Does nothing.
    public func beforeSend() {}

    /// Does nothing.
    public func afterSuccess(result: any Sendable) {}

    /// Does nothing.
    public func afterFailure(error: any Error) {}

    /// Adds ``additionalHeaders``, calls ``modify(_:)`` and returns the response of `next`.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        request.add(additionalHeaders)
        modify(&request)
        return try await next(request)
    }
}
