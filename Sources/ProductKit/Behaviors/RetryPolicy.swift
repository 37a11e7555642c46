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
            response.headers["Retry-After"] = "\(Int64((delay / .seconds(1)).rounded(.up)))"
            outcome = .success(response)
            return delay
        }
        guard [429, 503].contains(response.statusCode) else { return nil }
        return RetryAfter.delay(in: response.headers, now: now)
    }

    /// Returns the error of an attempt after which the request may be sent again, otherwise `nil`.
    func retryableError(
        of outcome: Result<NetworkResponse, any Error>,
        to request: OutgoingRequest
    ) -> NetworkError? {
        guard allows(request) else { return nil }
        switch outcome {
        case .success(let response):
            guard request.isRepeatable, statusCodes.contains(response.statusCode) else {
                return nil
            }
            return NetworkError(response).attributed(to: request)
        case .failure(let error as NetworkError) where error.isRetryable(for: request):
            return error.attributed(to: request)
        case .failure:
            return nil
        }
    }

    /// Whether requests with this method may be retried.
    ///
    /// A request that is declared to be a read counts as a `GET`, too.
    private func allows(_ request: OutgoingRequest) -> Bool {
        guard let methods else { return true }
        return methods.contains(request.method) || methods.contains("GET") && request.isRead
    }

    /// The upper bound of the delay after an attempt, in seconds.
    func maximumDelay(after attempt: Int) -> Double {
        let delays = (delays.lowerBound / .seconds(1), delays.upperBound / .seconds(1))
        return min(delays.1, delays.0 * pow(2, Double(attempt - 1)))
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
