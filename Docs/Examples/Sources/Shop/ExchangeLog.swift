import Foundation
import ProductKit
import Synchronization

/// Shows every exchange as it ends and who answered, and counts those with the store.
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
                if response.source.isFromServer { total.withLock { $0 += 1 } }
                show(request, outcome: response.outcome, since: start)
                return response
            } catch {
                total.withLock { $0 += 1 }
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
        guard !isSilent else { return }
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        let path = URLComponents(string: request.url?.absoluteString ?? "")?.percentEncodedPath
        let time = milliseconds.formatted(.number.precision(.fractionLength(1)))
        print("  → \(request.httpMethod ?? "GET") \(path ?? "")  \(outcome)  \(time) ms")
    }
}

extension NetworkResponse {
    /// The status, and who answered when the store did not, or only nodded.
    fileprivate var outcome: String {
        switch source.code {
        case .revalidated: "304 validated"
        case .cache: "\(statusCode) stored"
        case .staleIfError: "\(statusCode) stands in"
        default: "\(statusCode)"
        }
    }
}
