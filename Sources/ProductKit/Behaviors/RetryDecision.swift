import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What to do after an attempt: the rules of retrying, as a value without time of its own.
enum RetryDecision: Equatable {
    /// The outcome is final.
    case settle
    /// Try again after at least this time; the server may have asked for some of it.
    case retry(after: Duration, asked: Duration?, isThrottled: Bool)

    /// Decides from one outcome.
    ///
    /// - Parameters:
    ///   - outcome: How the attempt ended.
    ///   - request: What was sent.
    ///   - attempt: Which attempt it was, counted from 1.
    ///   - effects: Chance, and the time of day.
    init(
        after outcome: Result<NetworkResponse, any Error>,
        to request: URLRequest,
        attempt: Int,
        effects: BehaviorEffects
    ) {
        guard Self.isWorthRepeating(outcome, request) else {
            self = .settle
            return
        }
        let asked = Self.delayAsked(for: outcome, now: effects.now())
        let longest = min(20, 0.05 * pow(2, Double(attempt - 1)))
        let jitter = Duration.seconds(effects.random(0...longest))
        let statusCode = try? outcome.get().statusCode
        self = .retry(
            after: max(asked ?? .zero, jitter),
            asked: asked,
            isThrottled: statusCode == 429
        )
    }

    private static func isWorthRepeating(
        _ outcome: Result<NetworkResponse, any Error>,
        _ request: URLRequest
    ) -> Bool {
        // A stream is read only once.
        guard request.httpBodyStream == nil else { return false }
        switch outcome {
        case .success(let response):
            return request.isRepeatable && retryableStatuses.contains(response.statusCode)
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

    private static func delayAsked(
        for outcome: Result<NetworkResponse, any Error>,
        now: Date
    ) -> Duration? {
        guard case .success(let response) = outcome, [429, 503].contains(response.statusCode) else {
            return nil
        }
        return response.headers["Retry-After"].flatMap { RetryAfter.delay($0, now: now) }
    }

    private static let retryableStatuses: Set = [408, 425, 429, 500, 502, 503, 504]
}

extension URLRequest {
    /// Whether the request may be sent again: it is idempotent, or the server recognizes duplicates.
    fileprivate var isRepeatable: Bool {
        isIdempotent || value(forHTTPHeaderField: "Idempotency-Key") != nil
    }
}

/// When a server wants to be asked again (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Reads the field `Retry-After`.
    ///
    /// - Parameters:
    ///   - text: Seconds in digits only, or an HTTP date.
    ///   - now: The time of day.
    /// - Returns: How long to wait: nothing for a moment that is over, `nil` for a text that is
    ///   neither. More than a century counts as one.
    static func delay(_ text: String, now: Date) -> Duration? {
        let text = text[...].trimmingOWS
        if let seconds = text.decimalNumber { return .seconds(min(seconds, longest)) }
        guard let date = HTTPDate.date(from: String(text), now: now) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), Double(longest)))
    }

    private static let longest = 3_155_760_000
}
