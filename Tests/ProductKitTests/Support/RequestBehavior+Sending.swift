import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestBehavior {
    /// Sends a request through this behavior only.
    func send(
        _ request: URLRequest = URLRequest("GET"),
        to respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        try await intercept(request, next: NetworkExchange(respond))
    }

    /// Returns how often this behavior sends a request; `respond` receives the number of the send.
    func sends(
        of request: URLRequest = URLRequest("GET"),
        respond: @escaping @Sendable (Int) throws -> NetworkResponse
    ) async -> Int {
        let sends = Counter()
        _ = try? await send(request) { _ in
            try respond(sends.next())
        }
        return sends.count
    }
}

extension URLRequest {
    /// A request without a body.
    init(_ method: String, _ url: URL = .api, headers: [String: String] = [:]) {
        self.init(url: url)
        httpMethod = method
        allHTTPHeaderFields = headers
    }
}
