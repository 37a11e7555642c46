import Foundation
import ProductKit
import Synchronization

final class LimitBehavior: RequestBehavior {
    private let limit: Int
    private let inFlight = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try inFlight.withLock { count in
            guard count < limit else { throw TooBusy(limit: limit) }
            count += 1
        }
        defer { inFlight.withLock { $0 -= 1 } }
        return try await next(request)
    }
}

struct TooBusy: Error {
    let limit: Int
}
