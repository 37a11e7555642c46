#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends a request and brings back what the server answered: the seam below everything else.
///
/// Any HTTP client becomes one in a few lines, and a test needs none at all:
///
/// ```swift
/// let networking: any Networking = .closure { request in
///     NetworkResponse(statusCode: 204)
/// }
/// ```
public protocol Networking: Sendable {
    /// Sends a request.
    ///
    /// Every answer is returned, whatever its status; only the lack of one is thrown.
    ///
    /// - Parameter request: What to send. It is sent once.
    /// - Returns: The whole answer.
    /// - Throws: `CancellationError` when the calling task was cancelled, ``NetworkError`` when no
    ///   answer came. A conformance of yours may throw what it likes; that reaches the caller
    ///   unchanged.
    @concurrent func response(for request: URLRequest) async throws -> NetworkResponse
}

/// Networking made from a closure: a test's answer, or another HTTP client.
public struct ClosureNetworking: Networking {
    private let respond: @Sendable (URLRequest) async throws -> NetworkResponse

    fileprivate init(_ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse) {
        self.respond = respond
    }

    /// Asks the closure.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try await respond(request)
    }
}

extension Networking where Self == ClosureNetworking {
    /// Networking that answers with a closure.
    public static func closure(
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ClosureNetworking {
        ClosureNetworking(respond)
    }
}
