/// The remaining behaviors and the network, from the view of one behavior.
///
/// It is not a closure, because a closure parameter has another type in modules with other concurrency settings. The
/// `intercept` of a conforming type would not match the requirement, and the default be called without any error.
public struct NetworkExchange: Sendable {
    private let behaviors: [any RequestBehavior]
    /// The number of behaviors that have received the request.
    private let position: Int
    private let end: @Sendable (OutgoingRequest) async throws -> NetworkResponse

    /// Creates an exchange from a closure.
    public init(_ respond: @escaping @Sendable (OutgoingRequest) async throws -> NetworkResponse) {
        self.init([], end: respond)
    }

    /// Creates an exchange through behaviors, the outermost first.
    package init(
        _ behaviors: [any RequestBehavior],
        position: Int = 0,
        end: @escaping @Sendable (OutgoingRequest) async throws -> NetworkResponse
    ) {
        (self.behaviors, self.position, self.end) = (behaviors, position, end)
    }

    /// Sends a request through the remaining behaviors.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, whatever its status code.
    /// - Throws: An error if there is no response.
    public func callAsFunction(_ request: OutgoingRequest) async throws -> NetworkResponse {
        guard position < behaviors.count else { return try await end(request) }
        let next = NetworkExchange(behaviors, position: position + 1, end: end)
        var response = try await behaviors[position].intercept(request, next: next)
        // A behavior may return another response than the one of the network, such as a stored one.
        response.makeDecoder = request.makeDecoder ?? response.makeDecoder
        return response
    }
}
