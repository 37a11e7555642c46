import Foundation

/// A behavior that sends a request again after a temporary failure, by default up to twice within 60
/// seconds.
///
/// A ``ProductBackend`` has one by default. To send each request once, pass `RetryBehavior(attempts: 1)`.
/// Which requests are retried, when, and how often, is described in <doc:RequestBehaviors#Retries>.
///
/// A request that is not idempotent, such as a `POST`, is retried only with an `Idempotency-Key`, or if no
/// connection could be made, whatever the parameters are. This includes a response 429, after which the server
/// may have carried out a part of the request (RFC 6585 §4, RFC 9110 §9.2.2). A closure that sets the key, or an
/// ``IdempotencyKeyBehavior`` outside of this one, states that the server recognizes repeated requests by it. A key
/// that is added inside of this behavior does not, such as that of an ``Outbox``.
public struct RetryBehavior: RequestBehavior {
    private let attempts: Int
    private let deadline: Duration
    private let methods: Set<String>?
    private let statusCodes: Set<Int>
    private let delays: ClosedRange<Duration>
    private let retryAfter: (@Sendable (NetworkResponse) -> Duration?)?
    private var effects: SystemEffects?
    private let beforeRetry: (@Sendable (_ attempt: Int, _ error: NetworkError) -> Void)?
    private let budget: RetryBudget

    /// Creates a behavior with budgets that no other behavior shares.
    ///
    /// Clients and services that use copies of it share its budgets.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, between 1 and 100.
    ///   - deadline: The maximum time for all attempts and delays together, which may be less than a second. Each
    ///     exchange of an attempt gets a timeout of no more than the time that is left.
    ///   - methods: The methods of the requests that may be retried, such as `["GET"]`. A request with
    ///     another method is sent once; a declared read counts as a `GET`, too. `nil`, the default, allows all methods.
    ///   - statusCodes: The status codes to retry, between 400 and 599.
    ///   - delays: The limits of the random delays. The upper bound of the delay before the second attempt is the lower
    ///     of them. It doubles with each attempt, up to the higher one. A `Retry-After` is obeyed with any limits.
    ///   - retryAfter: Returns the minimum delay that a response requires, if the server sends it in
    ///     another way than with `Retry-After`. It is called for each response with one of the status codes.
    ///     If it returns `nil`, or a delay that is not greater than zero, `Retry-After` is used. Otherwise,
    ///     the delay replaces that field, rounded up to seconds: an ``Outbox`` obeys it after a 429 or 503.
    ///   - budget: The budget of each host. A retry takes 14 from it, or 5 after a 429. A success returns
    ///     what its retries took, or else 1, up to this number. 500, the default, allows 35 retries in a
    ///     row, or 100 after a 429.
    ///   - effects: The clock and the source of random delays. With `nil`, the default, they are those of the
    ///     ``ProductService`` or ``ProductBackend`` that uses the behavior, otherwise the system's.
    ///   - beforeRetry: Called before each retry and before its delay, for example to log it, with the number of the
    ///     attempt that failed, counted from 1, and its error. The ``NetworkError/attempts`` of the error are all
    ///     attempts so far; the last of them contains the delay. If the task is cancelled during the delay, the retry
    ///     is not sent. Return quickly, because the request waits.
    public init(
        attempts: Int = 3,
        deadline: Duration = .seconds(60),
        methods: Set<String>? = nil,
        statusCodes: Set<Int> = [408, 421, 425, 429, 500, 502, 503, 504],
        delays: ClosedRange<Duration> = .milliseconds(50) ... .seconds(20),
        retryAfter: (@Sendable (NetworkResponse) -> Duration?)? = nil,
        budget: Int = 500,
        effects: SystemEffects? = nil,
        beforeRetry: (@Sendable (_ attempt: Int, _ error: NetworkError) -> Void)? = nil
    ) {
        precondition((1...100).contains(attempts), "attempts is \(attempts); use 1 to 100")
        precondition(
            statusCodes.allSatisfy((400...599).contains),
            "statusCodes is \(statusCodes.sorted()); use 400 to 599"
        )
        precondition(delays.lowerBound >= .zero, "delays is \(delays); use zero or more")
        self.attempts = attempts
        self.deadline = deadline
        self.methods = methods
        self.statusCodes = statusCodes
        self.delays = delays
        self.retryAfter = retryAfter
        self.budget = RetryBudget(budget)
        self.effects = effects
        self.beforeRetry = beforeRetry
    }

    /// Returns the behavior with effects, unless it has its own.
    func using(_ effects: SystemEffects) -> RetryBehavior {
        var behavior = self
        behavior.effects = self.effects ?? effects
        return behavior
    }

    /// Sends the request until the outcome is final, or until the attempts, the budget or the time
    /// are used up.
    ///
    /// Returns or throws the last outcome. If there were several attempts, it lists all of them in
    /// ``NetworkResponse/attempts`` or ``NetworkError/attempts``. If `Retry-After` is not shorter than the time
    /// that is left, the response is the last one, and an error that is made from it names both times.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, also during a delay; otherwise the
    ///   error of the last attempt.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let effects = effects ?? SystemEffects()
        var request = request
        // A behavior outside of this one may have set an earlier end, with a clock of its own.
        var limit = (end: effects.elapsed() + deadline, elapsed: effects.elapsed)
        if let outer = request.deadline, outer.end - outer.elapsed() <= deadline { limit = outer }
        request.deadline = limit
        // All attempts must be signed for the same user.
        request.signers = request.signers ?? RequestSigners()
        var history: [NetworkAttempt] = []
        var number = 1
        // The total cost of the retries so far.
        var totalCost = 0
        while true {
            var outcome = try await send(request, number, at: effects.now(), next: next)
            let serverDelay = requiredDelay(of: &outcome, now: effects.now())
            guard number < attempts, var error = retryableError(of: outcome, to: request) else {
                if outcome.isSuccess { budget.release(max(totalCost, 1), for: request) }
                return try outcome.get(addingAttempts: history)
            }
            let jitter = Duration.seconds(effects.random(0...maximumDelay(after: number)))
            let delay = max(serverDelay ?? .zero, jitter)
            let timeLeft = limit.end - limit.elapsed()
            guard delay < timeLeft else {
                var response = try outcome.get(addingAttempts: history)
                if let serverDelay, serverDelay >= timeLeft {
                    response.details =
                        "The server accepts the request again in "
                        + "\(serverDelay.formatted(in: .seconds(1))) s, but only "
                        + "\(max(timeLeft, .zero).formatted(in: .seconds(1))) s are left before the "
                        + "deadline."
                }
                return response
            }
            let isThrottled = (try? outcome.get().statusCode) == 429
            guard let cost = budget.acquire(isThrottled: isThrottled, for: request) else {
                return try outcome.get(addingAttempts: history)
            }
            error.attempts = history + outcome.attempts(delay: delay)
            beforeRetry?(number, error)
            do {
                try await effects.sleep(delay)
                try Task.checkCancellation()
            } catch {
                budget.release(cost, for: request)
                throw CancellationError()
            }
            // The sleep may have taken longer than the delay and passed the deadline.
            guard limit.elapsed() < limit.end else {
                budget.release(cost, for: request)
                return try outcome.get(addingAttempts: history)
            }
            totalCost += cost
            history = error.attempts
            number += 1
        }
    }

    /// Sends one attempt with a timeout of no more than the time that is left; throws only `CancellationError`.
    private func send(
        _ request: OutgoingRequest,
        _ number: Int,
        at date: Date,
        next: NetworkExchange
    ) async throws -> Result<NetworkResponse, any Error> {
        var request = request
        request.attempt = number
        do {
            try request.limitTimeout()
            var response = try await next(request)
            response.requestedAt = response.requestedAt ?? date
            return .success(response)
        } catch let error where error.isCancellation {
            throw CancellationError()
        } catch {
            guard let systemError = error.urlError, systemError.code != .cancelled else {
                return .failure(error)
            }
            return .failure(NetworkError(systemError, request: FailedRequest(request)))
        }
    }
}

extension RetryBehavior {
    /// Returns the delay that a response requires; `nil` for a response without one, and for an error.
    ///
    /// A delay from elsewhere is copied into `Retry-After`, because an outbox reads only that field.
    private func requiredDelay(
        of outcome: inout Result<NetworkResponse, any Error>,
        now: Date
    ) -> Duration? {
        guard case .success(var response) = outcome, statusCodes.contains(response.statusCode)
        else { return nil }
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
    private func retryableError(
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
    private func allows(_ request: OutgoingRequest) -> Bool {
        guard let methods else { return true }
        return methods.contains(request.method) || methods.contains("GET") && request.isRead
    }

    /// The upper bound of the delay after an attempt, in seconds.
    private func maximumDelay(after attempt: Int) -> Double {
        let (lower, upper) = (delays.lowerBound / .seconds(1), delays.upperBound / .seconds(1))
        return min(upper, lower * pow(2, Double(attempt - 1)))
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

extension Result<NetworkResponse, any Error> {
    /// Whether the status code is between 200 and 399, so that the budget of the host grows.
    fileprivate var isSuccess: Bool {
        guard case .success(let response) = self else { return false }
        return (200..<400).contains(response.statusCode)
    }

    /// Returns the report of this attempt, or the reports of all retries that a behavior inside has made for it.
    ///
    /// The last report contains the delay before the next attempt.
    fileprivate func attempts(delay: Duration? = nil) -> [NetworkAttempt] {
        switch self {
        case .success(let response):
            let last = NetworkAttempt(statusCode: response.statusCode, delay: delay)
            return response.attempts.dropLast() + [last]
        case .failure(let error):
            let error = error as? NetworkError
            let inner = error.map { $0.isOfOtherRequest ? [] : $0.attempts } ?? []
            return inner.dropLast() + [NetworkAttempt(failure: error?.code, delay: delay)]
        }
    }

    /// Returns the response or throws the error, with the reports of all attempts if there were several.
    fileprivate func get(addingAttempts history: [NetworkAttempt]) throws -> NetworkResponse {
        guard !history.isEmpty else { return try get() }
        let attempts = history + attempts()
        switch self {
        case .success(var response):
            response.attempts = attempts
            return response
        case .failure(let error):
            throw error.adding(attempts)
        }
    }
}
