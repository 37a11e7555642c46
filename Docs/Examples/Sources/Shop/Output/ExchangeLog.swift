import Foundation
import ProductKit
import Synchronization

/// Prints each request with its outcome, and counts those sent to the server.
final class ExchangeLog: Sendable {
    private let total = Mutex(0)
    private let isSilent: Bool

    init(isSilent: Bool = false) {
        self.isSilent = isSilent
    }

    var count: Int { total.withLock(\.self) }

    /// The behavior that prints the requests of a client.
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
                show(request, outcome: "no response", since: start)
                throw error
            }
        })
    }

    private func show(
        _ request: OutgoingRequest,
        outcome: String,
        since start: ContinuousClock.Instant
    ) {
        guard !isSilent else { return }
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        let path = URLComponents(string: request.url.absoluteString)?.percentEncodedPath
        let time = milliseconds.formatted(
            .number.precision(.fractionLength(1)).locale(.program)
        )
        Terminal.print(
            "  → \(request.method) \(path ?? "")  \(outcome)  \(time) ms",
            breaksWords: true
        )
    }
}

extension NetworkResponse {
    /// The status code, and the source unless it is a full response from the network.
    fileprivate var outcome: String {
        switch source.code {
        case .revalidated: "304 revalidated"
        case .cache: "\(statusCode) from cache"
        case .staleIfError: "\(statusCode) from cache (stale-if-error)"
        default: "\(statusCode)"
        }
    }
}
