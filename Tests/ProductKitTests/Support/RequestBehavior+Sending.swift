import Foundation
import ProductKit

extension RequestBehavior {
    /// Sends a request through this behavior only; `respond` receives it as a networking does.
    func send(
        _ request: OutgoingRequest = OutgoingRequest("GET"),
        to respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        try await intercept(
            request,
            next: NetworkExchange { request in try await respond(try request.urlRequest()) }
        )
    }

    /// Returns how often this behavior sends a request; `respond` receives the number of the send.
    func sends(
        of request: OutgoingRequest = OutgoingRequest("GET"),
        respond: @escaping @Sendable (Int) throws -> NetworkResponse
    ) async -> Int {
        let sends = Counter()
        _ = try? await send(request) { _ in
            try respond(sends.next())
        }
        return sends.count
    }
}

extension ClosureBehavior {
    /// Creates a behavior that sends requests through others, the outermost first.
    static func stack(_ behaviors: [any RequestBehavior]) -> ClosureBehavior {
        ClosureBehavior(intercept: { request, next in
            try await NetworkExchange(behaviors) { try await next($0) }(request)
        })
    }
}

extension OutgoingRequest {
    /// A request without a body.
    init(_ method: String, _ url: URL = .api, headers: [String: String] = [:]) {
        self.init(method: method, url: url, headers: NetworkHeaders(headers.map { ($0, $1) }))
    }
}
