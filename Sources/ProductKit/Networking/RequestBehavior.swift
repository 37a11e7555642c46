#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Something that happens around requests: a header, a token, an indicator, a retry.
///
/// A behavior is given to a ``NetworkClient`` for every request, or to one `send` alone. All of
/// its requirements have defaults that do nothing; implement the ones you need.
///
/// **Per send**, once: ``beforeSend()``, and then exactly one of ``afterSuccess(result:)`` and
/// ``afterFailure(error:)``, cancellation included. **Per exchange**, for every request that goes
/// out: ``intercept(_:next:)``.
///
/// Behaviors run in the order of their list on the way out and in reverse on the way back.
public protocol RequestBehavior: Sendable {
    /// Fields to add to a request that does not have them yet.
    var additionalHeaders: NetworkHeaders { get }

    /// Changes a request before it is sent, after ``additionalHeaders`` were added.
    func modify(_ request: inout URLRequest)

    /// Called once when a send begins.
    func beforeSend()

    /// Called once when a send has brought its value.
    ///
    /// - Parameter result: The value that the caller of `send` gets.
    func afterSuccess(result: any Sendable)

    /// Called once when a send has failed or was cancelled.
    ///
    /// - Parameter error: What the caller of `send` is thrown; `CancellationError` when it was
    ///   cancelled.
    func afterFailure(error: any Error)

    /// Goes around one exchange: may change the request, call `next` never, once or several times,
    /// and change or replace the answer.
    ///
    /// The default adds ``additionalHeaders``, calls ``modify(_:)`` and then `next`. A behavior
    /// with an `intercept` of its own does all of its work there.
    ///
    /// - Parameters:
    ///   - request: What is about to be sent.
    ///   - next: The behaviors further in and, at last, the network. It returns an answer of any
    ///     status, and throws when none came or the task was cancelled.
    /// - Returns: What the behavior outside of this one gets as the answer.
    /// - Throws: What `next` threw, or the behavior's own reason to give up.
    func intercept(_ request: URLRequest, next: NetworkExchange) async throws -> NetworkResponse
}

extension RequestBehavior {
    /// No fields.
    public var additionalHeaders: NetworkHeaders { [:] }

    /// Changes nothing.
    public func modify(_ request: inout URLRequest) {}

    /// Does nothing.
    public func beforeSend() {}

    /// Does nothing.
    public func afterSuccess(result: any Sendable) {}

    /// Does nothing.
    public func afterFailure(error: any Error) {}

    /// Adds ``additionalHeaders``, calls ``modify(_:)`` and passes the request on.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        try request.add(additionalHeaders)
        modify(&request)
        return try await next(request)
    }
}

/// The rest of the way to the server and back, as a behavior sees it.
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
