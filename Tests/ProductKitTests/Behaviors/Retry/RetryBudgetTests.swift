import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    // Rule: retry/retry-budget (5)
    @Test func `a budget is full at first and never exceeds its capacity`() {
        var budget = RetryBudget()
        #expect(budget.balance == 500)

        budget.release(1)
        #expect(budget.balance == 500)

        #expect(budget.acquire(isThrottled: false) == 14)
        budget.release(10)
        #expect(budget.balance == 496)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [(false, 14, 35), (true, 5, 100)])
    func `a cost above the balance is not acquired`(isThrottled: Bool, cost: Int, times: Int) {
        var budget = RetryBudget()

        for _ in 0..<times { #expect(budget.acquire(isThrottled: isThrottled) == cost) }

        let balance = budget.balance
        #expect(budget.acquire(isThrottled: isThrottled) == nil)
        #expect(budget.balance == balance)
        #expect(balance == 500 - cost * times)
    }

    // Rule: retry/retry-budget (5)
    @Test func `the whole balance can be acquired`() {
        var budget = RetryBudget(capacity: 14)

        #expect(budget.acquire(isThrottled: false) == 14)
        #expect(budget.balance == 0)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [nil, "0"])
    func `a thousand calls during an outage send few more than a thousand requests`(
        retryAfter: String?
    ) async {
        let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
        var sends = 0

        for _ in 0..<1_000 {
            sends += await retry.sends { _ in
                var response = NetworkResponse(statusCode: 503)
                response.headers["Retry-After"] = retryAfter
                return response
            }
        }

        #expect(sends == 1_000 + 500 / 14)
    }

    // Rule: retry/retry-budget (5)
    @Test func `a thousand concurrent calls during an outage send no more than that`() async {
        let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())

        let sends = await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask { await retry.sends { _ in throw NetworkError(.connectionLost) } }
            }
            return await group.reduce(0, +)
        }

        #expect(sends == 1_000 + 500 / 14)
    }

    // Rule: retry/retry-budget (5)
    @Test func `the first attempt is made with an empty budget`() async throws {
        let retry = RetryBehavior(
            budget: RetryBudget(capacity: 0),
            effects: ManualClock(skipsDelays: true).effects()
        )

        let sends = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(sends == 1)
    }

    // Rule: retry/retry-budget (5)
    @Test func `each host has its own budget, and host names ignore case`() async throws {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: ManualClock(skipsDelays: true).effects()
        )
        let hosts = ["https://a.example", "https://b.example/x", "https://A.example:81/y"]
        var sends: [Int] = []

        for host in hosts {
            let url = try #require(URL(string: host))
            sends.append(
                await retry.sends(of: OutgoingRequest("GET", url)) { _ in
                    NetworkResponse(statusCode: 503)
                }
            )
        }

        #expect(sends == [2, 2, 1])
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [(429, 3), (503, 2)])
    func `a retry costs less after a 429`(
        statusCode: Int,
        expected: Int
    ) async {
        let retry = RetryBehavior(
            budget: RetryBudget(capacity: 14),
            effects: ManualClock(skipsDelays: true).effects()
        )

        let sends = await retry.sends { _ in NetworkResponse(statusCode: statusCode) }

        #expect(sends == expected)
    }

    // Rule: retry/retry-budget (5)
    @Test func `a success after retries releases their cost`() async {
        let retry = RetryBehavior(
            budget: RetryBudget(capacity: 28),
            effects: ManualClock(skipsDelays: true).effects()
        )

        for _ in 0..<5 {
            let sends = await retry.sends { NetworkResponse(statusCode: $0 < 3 ? 503 : 200) }
            #expect(sends == 3)
        }
    }

    // Rule: retry/retry-budget (5)
    @Test func `a success of the first attempt releases 1`() async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: ManualClock(skipsDelays: true).effects()
        )
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)

        for _ in 0..<13 { _ = await retry.sends { _ in NetworkResponse() } }
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
        _ = await retry.sends { _ in NetworkResponse() }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [("POST", 503), ("GET", 501), ("GET", 404), ("GET", 401)])
    func `a response with an error status releases nothing`(method: String, statusCode: Int) async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: ManualClock(skipsDelays: true).effects()
        )
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)

        for _ in 0..<100 {
            _ = await retry.sends(of: OutgoingRequest(method)) { _ in
                NetworkResponse(statusCode: statusCode)
            }
        }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
    }

    // Rule: retry/retry-budget (5)
    @Test func `without budget the last outcome lists the attempts`() async throws {
        let retry = RetryBehavior(
            budget: RetryBudget(capacity: 14),
            effects: ManualClock(skipsDelays: true).effects()
        )

        let response = try await retry.send { _ in NetworkResponse(statusCode: 503) }

        #expect(response.attempts.map(\.statusCode) == [503, 503])
    }
}
