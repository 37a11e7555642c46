import Foundation

/// Several behaviors as one; the first is the outermost.
public struct CombinedBehavior: RequestBehavior {
    private let behaviors: [any RequestBehavior]

    /// Combines behaviors; without any, the result does nothing.
    ///
    /// - Parameter behaviors: The behaviors, the outermost first.
    public init(_ behaviors: [any RequestBehavior]) {
        self.behaviors = behaviors
    }

    /// Whether one of the behaviors, or of their parts, has a type.
    func contains<Behavior: RequestBehavior>(_ type: Behavior.Type) -> Bool {
        behaviors.contains { $0 is Behavior || ($0 as? CombinedBehavior)?.contains(type) == true }
    }

    /// The header fields of all behaviors; of fields with one name, that of the outermost behavior.
    ///
    /// ``intercept(_:next:)`` does not use them: each behavior adds its own, unless it implements
    /// `intercept` in another way.
    public var additionalHeaders: NetworkHeaders {
        behaviors.reversed().reduce(into: [:]) { fields, behavior in
            for (name, value) in behavior.additionalHeaders { fields[name] = value }
        }
    }

    /// Calls the method of every behavior, the outermost first.
    public func modify(_ request: inout OutgoingRequest) {
        for behavior in behaviors { behavior.modify(&request) }
    }

    /// Calls the method of every behavior, the outermost first.
    public func beforeSend() {
        for behavior in behaviors { behavior.beforeSend() }
    }

    /// Calls the method of every behavior, the innermost first.
    public func afterSuccess(result: any Sendable) {
        for behavior in behaviors.reversed() { behavior.afterSuccess(result: result) }
    }

    /// Calls the method of every behavior, the innermost first.
    public func afterFailure(error: any Error) {
        for behavior in behaviors.reversed() { behavior.afterFailure(error: error) }
    }

    /// Calls the method of the outermost behavior, whose `next` is the following behavior.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let exchange = NetworkExchange(behaviors) { try await next($0) }
        return try await exchange(request)
    }
}

/// A behavior that stores responses, such as `CachingBehavior`.
protocol ResponseStoring: RequestBehavior {
    /// Removes a response that could not be decoded, so that it is not served again.
    ///
    /// - Parameters:
    ///   - response: The response, as the client received it.
    ///   - request: The request, before any behavior modified it.
    func removeUndecodable(_ response: NetworkResponse, for request: OutgoingRequest)

    /// Invalidates the stored responses of a URL for the user of a session.
    ///
    /// - Parameters:
    ///   - url: The URL. Its query is ignored.
    ///   - session: The session.
    func invalidate(_ url: URL, for session: UserSession?)

    /// Removes all stored responses of all users.
    func removeAll()
}

extension CombinedBehavior: ResponseStoring {
    func removeUndecodable(_ response: NetworkResponse, for request: OutgoingRequest) {
        for case let behavior as any ResponseStoring in behaviors {
            behavior.removeUndecodable(response, for: request)
        }
    }

    func invalidate(_ url: URL, for session: UserSession?) {
        for case let behavior as any ResponseStoring in behaviors {
            behavior.invalidate(url, for: session)
        }
    }

    func removeAll() {
        for case let behavior as any ResponseStoring in behaviors { behavior.removeAll() }
    }
}
