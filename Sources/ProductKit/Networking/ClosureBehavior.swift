#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A behavior made from closures, each of which may be left out.
///
/// ```swift
/// let version = ClosureBehavior(additionalHeaders: { ["X-App-Version": "1.4"] })
/// ```
public struct ClosureBehavior: RequestBehavior {
    private let headers: @Sendable () -> NetworkHeaders
    private let change: @Sendable (inout URLRequest) -> Void
    private let before: @Sendable () -> Void
    private let success: @Sendable (any Sendable) -> Void
    private let failure: @Sendable (any Error) -> Void
    private let around: (@Sendable (URLRequest, NetworkExchange) async throws -> NetworkResponse)?

    /// Creates a behavior from closures.
    ///
    /// - Parameters:
    ///   - additionalHeaders: Fields to add to a request that does not have them yet.
    ///   - modify: Changes a request, after the fields were added.
    ///   - beforeSend: Called once when a send begins.
    ///   - afterSuccess: Called with the value when a send has brought one.
    ///   - afterFailure: Called with the error when a send has failed or was cancelled.
    ///   - intercept: Goes around the exchange, with the request already changed.
    public init(
        additionalHeaders: @escaping @Sendable () -> NetworkHeaders = { [:] },
        modify: @escaping @Sendable (inout URLRequest) -> Void = { _ in },
        beforeSend: @escaping @Sendable () -> Void = {},
        afterSuccess: @escaping @Sendable (any Sendable) -> Void = { _ in },
        afterFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        intercept:
            (@Sendable (URLRequest, NetworkExchange) async throws -> NetworkResponse)? = nil
    ) {
        headers = additionalHeaders
        change = modify
        before = beforeSend
        success = afterSuccess
        failure = afterFailure
        around = intercept
    }

    /// Calls the closure.
    public func beforeSend() { before() }

    /// Calls the closure.
    public func afterSuccess(result: any Sendable) { success(result) }

    /// Calls the closure.
    public func afterFailure(error: any Error) { failure(error) }

    /// Adds the fields, changes the request, and calls the closure or else `next`.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        try request.add(headers())
        change(&request)
        guard let around else { return try await next(request) }
        return try await around(request, next)
    }
}
