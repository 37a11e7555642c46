import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The decision whether to send a request again, made from the outcome of one attempt.
///
/// A pure value: the number of attempts, the budget and the deadline are up to ``RetryBehavior``.
enum RetryDecision: Equatable {
    /// The outcome is final.
    case stop
    /// Send the request again after a delay, which is at least the server's `Retry-After`.
    ///
    /// `isThrottled` is whether the status code was 429: such a retry has a cost of its own in the
    /// ``RetryBudget``.
    case retry(delay: Duration, retryAfter: Duration?, isThrottled: Bool)

    /// Decides from the outcome of an attempt.
    ///
    /// - Parameters:
    ///   - outcome: The response or the error of the attempt.
    ///   - request: The request that was sent.
    ///   - attempt: The number of the attempt, counted from 1.
    ///   - effects: The current date, for a `Retry-After` with a date, and the source of the random
    ///     delay.
    init(
        after outcome: Result<NetworkResponse, any Error>,
        to request: URLRequest,
        attempt: Int,
        effects: BehaviorEffects
    ) {
        guard Self.isRetryable(outcome, request) else {
            self = .stop
            return
        }
        let retryAfter = Self.retryAfter(of: outcome, now: effects.now())
        let maximum = min(20, 0.05 * pow(2, Double(attempt - 1)))
        let jitter = Duration.seconds(effects.random(0...maximum))
        let statusCode = try? outcome.get().statusCode
        self = .retry(
            delay: max(retryAfter ?? .zero, jitter),
            retryAfter: retryAfter,
            isThrottled: statusCode == 429
        )
    }

    private static func isRetryable(
        _ outcome: Result<NetworkResponse, any Error>,
        _ request: URLRequest
    ) -> Bool {
        // A stream can be read only once.
        guard request.httpBodyStream == nil else { return false }
        switch outcome {
        case .success(let response):
            return request.isRepeatable && retryableStatusCodes.contains(response.statusCode)
        case .failure(let error as NetworkError):
            switch error.code {
            case .unreachable: return true
            case .connectionLost, .timedOut: return request.isRepeatable
            case .incomplete: return request.method == "GET"
            default: return false
            }
        case .failure:
            return false
        }
    }

    private static func retryAfter(
        of outcome: Result<NetworkResponse, any Error>,
        now: Date
    ) -> Duration? {
        guard case .success(let response) = outcome, [429, 503].contains(response.statusCode) else {
            return nil
        }
        return response.headers["Retry-After"].flatMap { RetryAfter.delay($0, now: now) }
    }

    private static let retryableStatusCodes: Set = [408, 425, 429, 500, 502, 503, 504]
}

extension URLRequest {
    /// Whether the request may be sent again although the server may have received it: it is
    /// idempotent, or has an `Idempotency-Key`, by which the server recognizes duplicates.
    fileprivate var isRepeatable: Bool {
        isIdempotent || value(forHTTPHeaderField: "Idempotency-Key") != nil
    }
}

/// The header field `Retry-After`: how long to wait before the next request (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Returns the delay that a field value stands for.
    ///
    /// - Parameters:
    ///   - text: The field value: a number of seconds in decimal digits, or an HTTP date.
    ///   - now: The current date.
    /// - Returns: The delay, at most a century; zero for a date in the past; `nil` for an invalid
    ///   field value.
    static func delay(_ text: String, now: Date) -> Duration? {
        let text = text[...].trimmingOWS
        if let seconds = text.decimalNumber { return .seconds(min(Double(seconds), maximum)) }
        guard let date = HTTPDate.date(from: String(text), now: now) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), maximum))
    }

    /// A century in seconds.
    private static let maximum = 3_155_760_000.0
}
