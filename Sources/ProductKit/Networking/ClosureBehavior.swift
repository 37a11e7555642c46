/// A behavior made from closures, all of which are optional.
///
/// ```swift
/// let version = ClosureBehavior(additionalHeaders: { ["X-App-Version": "1.4"] })
/// ```
public struct ClosureBehavior: RequestBehavior {
    private let headers: @Sendable () -> NetworkHeaders
    private let change: @Sendable (inout OutgoingRequest) -> Void
    private let before: @Sendable () -> Void
    private let success: @Sendable (any Sendable) -> Void
    private let failure: @Sendable (any Error) -> Void
    private let around:
        (@Sendable (OutgoingRequest, NetworkExchange) async throws -> NetworkResponse)?

    /// Creates a behavior from closures for the requirements of ``RequestBehavior``.
    ///
    /// The header fields are added before `modify` is called, and `intercept` receives the modified request.
    public init(
        additionalHeaders: @escaping @Sendable () -> NetworkHeaders = { [:] },
        modify: @escaping @Sendable (inout OutgoingRequest) -> Void = { _ in },
        beforeSend: @escaping @Sendable () -> Void = {},
        afterSuccess: @escaping @Sendable (any Sendable) -> Void = { _ in },
        afterFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        intercept:
            (@Sendable (OutgoingRequest, NetworkExchange) async throws -> NetworkResponse)? = nil
    ) {
        headers = additionalHeaders
        change = modify
        before = beforeSend
        success = afterSuccess
        failure = afterFailure
        around = intercept
    }

    /// The header fields that the closure returns.
    public var additionalHeaders: NetworkHeaders { headers() }

    /// Calls the closure.
    public func modify(_ request: inout OutgoingRequest) { change(&request) }

    /// Calls the closure.
    public func beforeSend() { before() }

    /// Calls the closure.
    public func afterSuccess(result: any Sendable) { success(result) }

    /// Calls the closure.
    public func afterFailure(error: any Error) { failure(error) }

    /// Adds the header fields, modifies the request, and calls the closure or `next`.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        request.add(headers())
        change(&request)
        guard let around else { return try await next(request) }
        return try await around(request, next)
    }
}
