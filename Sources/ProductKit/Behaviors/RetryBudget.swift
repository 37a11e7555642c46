/// How much a host is trusted with retries: an outage uses it up, successes fill it again.
///
/// Without it, a server that is down gets three times its usual load just when it comes back.
public struct RetryBudget: Hashable, Sendable {
    /// The most that can be had.
    public let capacity: Int
    /// What a retry costs, usually 14.
    public let cost: Int
    /// What a retry costs when the server asked for fewer requests, usually 5.
    public let throttledCost: Int
    /// What is left.
    public private(set) var balance: Int

    /// Creates a full budget.
    ///
    /// - Parameters:
    ///   - capacity: The most that can be had.
    ///   - cost: What a retry costs.
    ///   - throttledCost: What a retry costs after a 429.
    public init(capacity: Int = 500, cost: Int = 14, throttledCost: Int = 5) {
        self.capacity = capacity
        self.cost = cost
        self.throttledCost = throttledCost
        balance = capacity
    }

    /// Takes what a retry costs.
    ///
    /// - Parameter isThrottled: Whether the server asked for fewer requests.
    /// - Returns: What was taken, `nil` when it is not there: do not retry.
    public mutating func withdraw(isThrottled: Bool) -> Int? {
        let cost = isThrottled ? throttledCost : cost
        guard balance >= cost else { return nil }
        balance -= cost
        return cost
    }

    /// Gives back what was taken, or 1 for a success at the first try.
    ///
    /// - Parameter amount: How much; the balance never exceeds the capacity.
    public mutating func deposit(_ amount: Int) {
        balance = min(capacity, balance + amount)
    }
}
