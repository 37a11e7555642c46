import Foundation

/// A limit on the retries that one host gets, so that retries do not overload a failing server.
///
/// ``RetryBehavior`` keeps one budget for each host. Each retry takes its cost out of the budget,
/// and successful responses fill it again. With an empty budget every request is sent once. Without
/// a budget, a server that recovers from an outage would receive up to three times its usual load.
public struct RetryBudget: Hashable, Sendable {
    /// The maximum balance.
    package let capacity: Int
    /// The cost of a retry.
    package let cost: Int
    /// The cost of a retry after a response with status code 429.
    package let throttledCost: Int
    /// The amount that is left.
    package private(set) var balance: Int

    /// Creates a full budget.
    ///
    /// The default capacity allows 35 retries in a row, or 100 after responses with status code
    /// 429.
    ///
    /// - Parameters:
    ///   - capacity: The maximum balance.
    ///   - cost: The cost of a retry.
    ///   - throttledCost: The cost of a retry after a response with status code 429.
    public init(capacity: Int = 500, cost: Int = 14, throttledCost: Int = 5) {
        self.capacity = capacity
        self.cost = cost
        self.throttledCost = throttledCost
        balance = capacity
    }

    /// Takes the cost of a retry out of the budget.
    ///
    /// - Parameter isThrottled: Whether the response had status code 429.
    /// - Returns: The cost, or `nil` when less than that is left. Do not retry then.
    package mutating func acquire(isThrottled: Bool) -> Int? {
        let cost = isThrottled ? throttledCost : cost
        guard balance >= cost else { return nil }
        balance -= cost
        return cost
    }

    /// Puts an amount back, but never more than the capacity.
    ///
    /// - Parameter amount: The cost of the retries that led to a success, or 1 for a success
    ///   without retries.
    package mutating func release(_ amount: Int) {
        balance = min(capacity, balance + amount)
    }
}

/// The budgets of all hosts.
final class RetryBudgets: Sendable {
    private let budget: RetryBudget
    private let balances = Locked<[String: RetryBudget]>([:])

    /// Creates the budgets.
    ///
    /// - Parameter budget: The budget that each host starts with.
    init(_ budget: RetryBudget) {
        self.budget = budget
    }

    /// Takes the cost of a retry from the budget of the host, and returns it.
    ///
    /// Returns `nil` if too little is left, so that the request is not retried.
    func acquire(isThrottled: Bool, for request: OutgoingRequest) -> Int? {
        balances.withLock { balances in
            balances[request.host, default: budget].acquire(isThrottled: isThrottled)
        }
    }

    /// Puts an amount back into the budget of the host.
    func release(_ amount: Int, for request: OutgoingRequest) {
        balances.withLock { $0[request.host, default: budget].release(amount) }
    }
}

extension OutgoingRequest {
    fileprivate var host: String { url.host?.lowercased() ?? "" }
}
