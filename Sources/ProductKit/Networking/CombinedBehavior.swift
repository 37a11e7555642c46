import Foundation

/// Several behaviors as one; the first is the outermost.
package struct CombinedBehavior: RequestBehavior {
    private let behaviors: [any RequestBehavior]

    package init(_ behaviors: [any RequestBehavior]) {
        self.behaviors = behaviors
    }

    /// The fields of all behaviors; of those with one name, that of the outermost behavior.
    ///
    /// ``intercept(_:next:)`` does not use them: each behavior adds its own, unless it implements
    /// `intercept` in another way.
    package var additionalHeaders: NetworkHeaders {
        behaviors.reversed().reduce(into: [:]) { fields, behavior in
            for (name, value) in behavior.additionalHeaders { fields[name] = value }
        }
    }

    package func modify(_ request: inout OutgoingRequest) {
        for behavior in behaviors { behavior.modify(&request) }
    }

    package func beforeSend() {
        for behavior in behaviors { behavior.beforeSend() }
    }

    package func afterSuccess(result: any Sendable) {
        for behavior in behaviors.reversed() { behavior.afterSuccess(result: result) }
    }

    package func afterFailure(error: any Error) {
        for behavior in behaviors.reversed() { behavior.afterFailure(error: error) }
    }

    package func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try await exchange { try await next($0) }(request)
    }

    /// Returns the exchange through all behaviors, which ends with a closure.
    func exchange(
        endingWith end: @escaping @Sendable (OutgoingRequest) async throws -> NetworkResponse
    ) -> NetworkExchange {
        NetworkExchange(behaviors, end: end)
    }
}
