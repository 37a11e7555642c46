import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestBehavior {
    /// Sends a request through this behavior alone.
    func send(
        _ request: URLRequest = URLRequest("GET"),
        to respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        try await intercept(request, next: NetworkExchange(respond))
    }

    /// How often a request goes out; the answer is told which time it is, counted from 1.
    func sends(
        of request: URLRequest = URLRequest("GET"),
        answer: @escaping @Sendable (Int) throws -> NetworkResponse
    ) async -> Int {
        let sends = Counter()
        _ = try? await send(request) { _ in
            try answer(sends.next())
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
