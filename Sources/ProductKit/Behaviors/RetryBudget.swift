import Foundation

/// A limit on the retries that each host gets, so that retries do not overload a failing server.
///
/// Each retry takes its cost out of the budget of its host, and successful responses fill it again. Without
/// a budget, a server that recovers from an outage would receive up to three times its usual load.
final class RetryBudget: Sendable {
    /// The balance of each host at first, and its maximum.
    private let capacity: Int
    private let balances = Locked<[String: Int]>([:])

    init(_ capacity: Int) {
        self.capacity = capacity
    }

    /// Takes the cost of a retry from the budget of the host, and returns it.
    ///
    /// Returns `nil` if less than that is left, so that the request is not retried.
    func acquire(isThrottled: Bool, for request: OutgoingRequest) -> Int? {
        let (host, cost) = (request.host, isThrottled ? 5 : 14)
        return balances.withLock { balances in
            let balance = balances[host, default: capacity]
            guard balance >= cost else { return nil }
            balances[host] = balance - cost
            return cost
        }
    }

    /// Puts an amount back into the budget of the host, but never more than the capacity.
    func release(_ amount: Int, for request: OutgoingRequest) {
        let host = request.host
        balances.withLock { balances in
            let balance = balances[host, default: capacity]
            balances[host] = balance + min(amount, capacity - balance)
        }
    }
}

extension OutgoingRequest {
    fileprivate var host: String { url.host?.lowercased() ?? "" }
}
