import Foundation

/// The requests and responses that ``RetryBehavior`` retries, and the limits of its delays.
struct RetryPolicy: Sendable {
    /// The methods of the requests that may be retried; `nil` for all.
    let methods: Set<String>?
    /// The status codes to retry.
    let statusCodes: Set<Int>
    /// The upper bound of the delay before the second attempt, and of all delays.
    let delays: ClosedRange<Duration>
    /// The delay that a response requires, in another way than with `Retry-After`.
    var retryAfter: (@Sendable (NetworkResponse) -> Duration?)?

    /// Returns the delay that a response requires; `nil` for a response without one, and for an error.
    ///
    /// One that is not in `Retry-After` is written into that field: an outbox reads only that.
    func delay(
        requiredBy outcome: inout Result<NetworkResponse, any Error>,
        now: Date
    ) -> Duration? {
        guard case .success(var response) = outcome, statusCodes.contains(response.statusCode)
        else {
            return nil
        }
        if let delay = retryAfter?(response), delay > .zero {
            let delay = RetryAfter.limited(delay)
            response.headers["Retry-After"] = "\(Int((delay / .seconds(1)).rounded(.up)))"
            outcome = .success(response)
            return delay
        }
        guard [429, 503].contains(response.statusCode) else { return nil }
        return RetryAfter.delay(in: response.headers, now: now)
    }

    /// Whether requests with this method may be retried.
    ///
    /// A request that is declared to be a read counts as a `GET`, too.
    fileprivate func allows(_ request: OutgoingRequest) -> Bool {
        guard let methods else { return true }
        return methods.contains(request.method) || methods.contains("GET") && request.isRead
    }

    /// The upper bound of the delay after an attempt, in seconds.
    fileprivate func maximumDelay(after attempt: Int) -> Double {
        let delays = (delays.lowerBound / .seconds(1), delays.upperBound / .seconds(1))
        return min(delays.1, delays.0 * pow(2, Double(attempt - 1)))
    }
}

/// The decision whether to send a request again, made from the outcome of one attempt.
///
/// A pure value: the number of attempts, the budget and the deadline are up to ``RetryBehavior``.
enum RetryDecision {
    /// The outcome is final.
    case stop
    /// Send the request again after a delay, which is at least the server's `Retry-After`.
    ///
    /// The error is the failure of the attempt. `isThrottled` is whether the status code was 429:
    /// such a retry has a cost of its own in the ``RetryBudget``.
    case retry(after: NetworkError, delay: Duration, retryAfter: Duration?, isThrottled: Bool)

    /// Decides from the outcome of an attempt.
    ///
    /// - Parameters:
    ///   - outcome: The response or the error of the attempt.
    ///   - request: The request that was sent.
    ///   - attempt: The number of the attempt, counted from 1.
    ///   - policy: The methods and status codes to retry, and the limits of the delay.
    ///   - retryAfter: The delay that the response requires.
    ///   - effects: The source of the random delay.
    init(
        after outcome: Result<NetworkResponse, any Error>,
        to request: OutgoingRequest,
        attempt: Int,
        policy: RetryPolicy,
        retryAfter: Duration?,
        effects: SystemEffects
    ) {
        guard policy.allows(request),
            let error = Self.retryableError(of: outcome, request, policy)
        else {
            self = .stop
            return
        }
        let jitter = Duration.seconds(effects.random(0...policy.maximumDelay(after: attempt)))
        let statusCode = try? outcome.get().statusCode
        self = .retry(
            after: error.attributed(to: request),
            delay: max(retryAfter ?? .zero, jitter),
            retryAfter: retryAfter,
            isThrottled: statusCode == 429
        )
    }

    /// Returns the error of an attempt after which the request may be sent again, otherwise `nil`.
    private static func retryableError(
        of outcome: Result<NetworkResponse, any Error>,
        _ request: OutgoingRequest,
        _ policy: RetryPolicy
    ) -> NetworkError? {
        switch outcome {
        case .success(let response):
            guard request.isRepeatable, policy.statusCodes.contains(response.statusCode) else {
                return nil
            }
            return NetworkError(response)
        case .failure(let error as NetworkError):
            return error.isRetryable(for: request) ? error : nil
        case .failure:
            return nil
        }
    }
}

extension NetworkError {
    /// Whether a request that failed without a response may be sent again.
    fileprivate func isRetryable(for request: OutgoingRequest) -> Bool {
        switch code {
        case .unreachable: true
        case .connectionLost, .timedOut: request.isRepeatable
        case .incomplete: request.isRead
        default: false
        }
    }
}
