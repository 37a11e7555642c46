#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// The rest of the way to the server and back, as a behaviour sees it.
///
/// It is a type and not a bare closure because a closure in a protocol's requirement means another
/// type in modules with other concurrency settings; there a hook would silently never be called.
public struct NetworkExchange: Sendable {
    private let respond: @Sendable (URLRequest) async throws -> NetworkResponse

    /// Creates an exchange from a closure.
    public init(_ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse) {
        self.respond = respond
    }

    /// Sends the request the rest of the way.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, whatever its status.
    /// - Throws: What stood in the way of an answer.
    public func callAsFunction(_ request: URLRequest) async throws -> NetworkResponse {
        try await respond(request)
    }
}
