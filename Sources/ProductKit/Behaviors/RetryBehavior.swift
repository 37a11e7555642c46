import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends a request again when that may help and cannot do harm.
///
/// `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE` are repeated after a lost connection, a
/// time-out and the statuses 408, 425, 429, 500, 502, 503 and 504. `POST` and `PATCH` are repeated only with an
/// `Idempotency-Key`, or when no connection could be made. Between attempts it waits a random time
/// of up to 50 ms, a limit that doubles with each attempt until it is 20 s; and never less than the
/// server asked for in `Retry-After` with a 429 or 503.
///
/// Behaviors inside of it run anew for every attempt, so tokens and dates are fresh.
public final class RetryBehavior: RequestBehavior {
    private let attempts: Int
    private let deadline: Duration
    private let effects: BehaviorEffects
    private let budget: RetryBudget
    private let budgets = Mutex<[String: RetryBudget]>([:])

    /// Creates a behavior with budgets of its own.
    ///
    /// - Parameters:
    ///   - attempts: How often to send at most, between 1 and 100.
    ///   - deadline: The most time for attempts and delays together, to a fraction of a second.
    ///   - budget: How much each host is trusted with.
    ///   - effects: Time and chance.
    public init(
        attempts: Int = 3,
        deadline: Duration = .seconds(60),
        budget: RetryBudget = RetryBudget(),
        effects: BehaviorEffects = BehaviorEffects()
    ) {
        precondition((1...100).contains(attempts), "attempts is \(attempts); use 1 to 100")
        self.attempts = attempts
        self.deadline = deadline
        self.budget = budget
        self.effects = effects
    }

    /// Sends until the outcome is final, or the attempts, the budget or the time are used up.
    ///
    /// The last outcome is returned or thrown; it tells all attempts. When the server asks for more
    /// time than is left, that is thrown at once.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let end = effects.elapsed() + deadline
        let signers = Signers()
        var history: [NetworkAttempt] = []
        var paid = 0
        while true {
            let number = history.count + 1
            let attempt = Attempt(number: number, signers: signers)
            let outcome = try await Attempt.$current.withValue(attempt) {
                try await send(request, until: end, next: next)
            }
            let decision = RetryDecision(
                after: outcome,
                to: request,
                attempt: number,
                effects: effects
            )
            guard case .retry(let delay, let asked, let isThrottled) = decision, number < attempts
            else {
                if outcome.isSuccess { deposit(max(paid, 1), for: request) }
                return try outcome.telling(history)
            }
            let left = end - effects.elapsed()
            guard delay < left else {
                return try outcome.telling(history, toWait: asked, left: left)
            }
            guard let cost = withdraw(isThrottled: isThrottled, for: request) else {
                return try outcome.telling(history)
            }
            do {
                try await effects.sleep(delay)
                try Task.checkCancellation()
            } catch {
                deposit(cost, for: request)
                throw CancellationError()
            }
            // Who slept too long has no time left to send.
            guard effects.elapsed() < end else {
                deposit(cost, for: request)
                return try outcome.telling(history)
            }
            paid += cost
            history.append(outcome.attempt(delay: delay))
        }
    }

    /// Sends once, in the time that is left.
    ///
    /// - Throws: `CancellationError`, which is no outcome to learn from.
    private func send(
        _ request: URLRequest,
        until end: Duration,
        next: NetworkExchange
    ) async throws -> Result<NetworkResponse, any Error> {
        let left = (end - effects.elapsed()) / .seconds(1)
        var request = request
        request.timeoutInterval = min(request.timeoutInterval, max(left, 0.001))
        do {
            return .success(try await next(request))
        } catch let error where error.isCancellation {
            throw CancellationError()
        } catch let error as URLError where error.code != .cancelled {
            return .failure(NetworkError(error, request: request))
        } catch {
            return .failure(error)
        }
    }

    private func withdraw(isThrottled: Bool, for request: URLRequest) -> Int? {
        budgets.withLock { budgets in
            budgets[request.host, default: budget].withdraw(isThrottled: isThrottled)
        }
    }

    private func deposit(_ amount: Int, for request: URLRequest) {
        budgets.withLock { $0[request.host, default: budget].deposit(amount) }
    }
}

extension URLRequest {
    fileprivate var host: String { url?.host?.lowercased() ?? "" }
}
