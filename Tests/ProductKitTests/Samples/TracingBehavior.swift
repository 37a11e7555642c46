import Foundation
import ProductKit

struct TracingBehavior: RequestBehavior {
    let makeID: @Sendable () -> String

    func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        request.setValue(makeID(), forHTTPHeaderField: "X-Request-ID")
        return try await next(request)
    }
}
