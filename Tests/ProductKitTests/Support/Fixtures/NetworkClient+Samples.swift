import Foundation
import ProductKit
import Testing

extension NetworkClient {
    /// Creates a client of the API whose networking is a closure.
    init(
        behaviors: [any RequestBehavior] = [],
        respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) {
        self.init(baseURL: .api, networking: .closure(respond), behaviors: behaviors)
    }

    /// Creates a client of the API whose networking is a closure, with failures of its own.
    init(
        behaviors: [any RequestBehavior] = [],
        failure: @escaping @Sendable (NetworkResponse) -> any Error,
        respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) {
        self.init(
            baseURL: .api,
            networking: .closure(respond),
            behaviors: behaviors,
            failure: failure
        )
    }

    /// A client whose requests record an issue, because the test expects none.
    static func sendingNothing(behaviors: [any RequestBehavior] = []) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) }),
            behaviors: behaviors
        )
    }

    /// The error of a request, which the test expects to fail.
    func error<Output>(
        of request: NetworkRequest<Output>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> NetworkError? {
        await #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
            _ = try await send(request)
        }
    }
}

extension SystemEffects {
    /// Effects whose delays end at once.
    static var skippingDelays: SystemEffects { ManualClock(skipsDelays: true).effects() }

    /// Effects whose time does not pass.
    static var stopped: SystemEffects { ManualClock().effects() }
}
