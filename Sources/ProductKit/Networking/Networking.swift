#if canImport(FoundationNetworking)
import Foundation
#else
public import Foundation
#endif

/// A type that sends HTTP requests: the seam between the library and an HTTP client.
///
/// ``SystemTransport`` is the default. Another HTTP client needs a few lines, and a test one closure:
///
/// ```swift
/// let networking: any Networking = .closure { request in
///     NetworkResponse(statusCode: 204)
/// }
/// ```
public protocol Networking: Sendable {
    /// Sends a request.
    ///
    /// Every response is returned, whatever its status code. An error means that there is none.
    ///
    /// - Parameter request: The request. It must be sent at most once.
    /// - Returns: The complete response.
    /// - Throws: `CancellationError` if the calling task is cancelled, and ``NetworkError`` if no response was received.
    ///   Your own types may throw other errors, which callers get unchanged. The error of a ``NetworkClient`` for another
    ///   request, such as that of a token, is not taken for a refusal of this one: it is the cause of an error with the
    ///   code ``NetworkError/Code-swift.struct/unexpected``.
    @concurrent func response(for request: URLRequest) async throws -> NetworkResponse
}

/// Networking that calls a closure: a fake for a test, or an adapter for another HTTP client.
///
/// Create it with ``Networking/closure(_:)``.
public struct ClosureNetworking: Networking {
    fileprivate let respond: @Sendable (URLRequest) async throws -> NetworkResponse

    /// Returns the response of the closure.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try await respond(request)
    }
}

extension Networking where Self == ClosureNetworking {
    /// Creates networking that calls a closure.
    ///
    /// For an HTTP client with completion handlers, call ``withCancellableCompletion(_:)`` in the closure.
    ///
    /// - Parameter respond: Returns the response to a request, or throws.
    /// - Returns: Networking that sends no requests by itself.
    public static func closure(
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ClosureNetworking {
        ClosureNetworking(respond: respond)
    }

    /// Creates networking for a test that must not send a request.
    ///
    /// Every request throws ``UnimplementedAction`` with its method and its URL without secrets.
    ///
    /// - Parameters:
    ///   - otherwise: Receives each error before it is thrown. `{ Issue.record($0) }` fails a test that catches it.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: Networking that sends nothing.
    public static func unimplemented(
        otherwise: @escaping @Sendable (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ClosureNetworking {
        .closure { request in
            let url = request.url?.withoutSecrets?.absoluteString ?? ""
            let name = "\(request.method) \(url)"
            throw UnimplementedAction(name, file: file, line: line).reported(to: otherwise)
        }
    }
}
