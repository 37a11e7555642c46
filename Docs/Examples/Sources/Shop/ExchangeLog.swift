import Foundation
import ProductKit
import Synchronization

/// Shows every exchange with the store as it ends, and counts them.
final class ExchangeLog: Sendable {
    private let total = Mutex(0)
    private let isSilent: Bool

    init(isSilent: Bool = false) {
        self.isSilent = isSilent
    }

    var count: Int { total.withLock(\.self) }

    /// What a client needs to have its exchanges shown.
    var behavior: ClosureBehavior {
        ClosureBehavior(intercept: { [self] request, next in
            let start = ContinuousClock.now
            do {
                let response = try await next(request)
                show(request, outcome: String(response.statusCode), since: start)
                return response
            } catch {
                show(request, outcome: "no answer", since: start)
                throw error
            }
        })
    }

    private func show(
        _ request: URLRequest,
        outcome: String,
        since start: ContinuousClock.Instant
    ) {
        total.withLock { $0 += 1 }
        guard !isSilent else { return }
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        let path = URLComponents(string: request.url?.absoluteString ?? "")?.percentEncodedPath
        let time = milliseconds.formatted(.number.precision(.fractionLength(1)))
        print("  → \(request.httpMethod ?? "GET") \(path ?? "")  \(outcome)  \(time) ms")
    }
}
