import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryBudgetTests {
    // Rule: retry/retry-budget (5)
    @Test func `a budget is full at first and never exceeds its capacity`() {
        var budget = RetryBudget()
        #expect(budget.balance == 500)

        budget.deposit(1)
        #expect(budget.balance == 500)

        #expect(budget.withdraw(isThrottled: false) == 14)
        budget.deposit(10)
        #expect(budget.balance == 496)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [(false, 14, 35), (true, 5, 100)])
    func `what is not there cannot be had`(isThrottled: Bool, cost: Int, times: Int) {
        var budget = RetryBudget()

        for _ in 0..<times { #expect(budget.withdraw(isThrottled: isThrottled) == cost) }

        let rest = budget.balance
        #expect(budget.withdraw(isThrottled: isThrottled) == nil)
        #expect(budget.balance == rest)
        #expect(rest == 500 - cost * times)
    }

    // Rule: retry/retry-budget (5)
    @Test func `the last coin can be spent`() {
        var budget = RetryBudget(capacity: 14)

        #expect(budget.withdraw(isThrottled: false) == 14)
        #expect(budget.balance == 0)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [nil, "0"])
    func `an outage of a thousand calls is hardly more than a thousand requests`(
        retryAfter: String?
    ) async {
        let retry = RetryBehavior(effects: Timeline().effects())
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
    @Test func `an outage of a thousand calls at once is no more than that`() async {
        let retry = RetryBehavior(effects: Timeline().effects())

        let sends = await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask { await retry.sends { _ in throw NetworkError(.connectionLost) } }
            }
            return await group.reduce(0, +)
        }

        #expect(sends == 1_000 + 500 / 14)
    }

    // Rule: retry/retry-budget (5)
    @Test func `the first attempt is made with an empty budget, too`() async throws {
        let retry = RetryBehavior(budget: RetryBudget(capacity: 0), effects: Timeline().effects())

        let sends = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(sends == 1)
    }

    // Rule: retry/retry-budget (5)
    @Test func `each host has a budget of its own, whatever the case of its name`() async throws {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: Timeline().effects()
        )
        let hosts = ["https://a.example", "https://b.example/x", "https://A.example:81/y"]
        var sends: [Int] = []

        for host in hosts {
            let url = try #require(URL(string: host))
            sends.append(
                await retry.sends(of: URLRequest("GET", url)) { _ in
                    NetworkResponse(statusCode: 503)
                }
            )
        }

        #expect(sends == [2, 2, 1])
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [(429, 3), (503, 2)])
    func `a retry costs less when the server asks for fewer requests`(
        statusCode: Int,
        expected: Int
    ) async {
        let retry = RetryBehavior(
            budget: RetryBudget(capacity: 14),
            effects: Timeline().effects()
        )

        let sends = await retry.sends { _ in NetworkResponse(statusCode: statusCode) }

        #expect(sends == expected)
    }

    // Rule: retry/retry-budget (5)
    @Test func `a success after retries gives back all that they took`() async {
        let retry = RetryBehavior(budget: RetryBudget(capacity: 28), effects: Timeline().effects())

        for _ in 0..<5 {
            let sends = await retry.sends { NetworkResponse(statusCode: $0 < 3 ? 503 : 200) }
            #expect(sends == 3)
        }
    }

    // Rule: retry/retry-budget (5)
    @Test func `a success at the first attempt gives one`() async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: Timeline().effects()
        )
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)

        for _ in 0..<13 { _ = await retry.sends { _ in NetworkResponse() } }
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
        _ = await retry.sends { _ in NetworkResponse() }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [("POST", 503), ("GET", 501), ("GET", 404), ("GET", 401)])
    func `an answer that is no success gives nothing`(method: String, statusCode: Int) async {
        let retry = RetryBehavior(
            attempts: 2,
            budget: RetryBudget(capacity: 14),
            effects: Timeline().effects()
        )
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)

        for _ in 0..<100 {
            _ = await retry.sends(of: URLRequest(method)) { _ in
                NetworkResponse(statusCode: statusCode)
            }
        }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
    }

    // Rule: retry/retry-budget (5)
    @Test func `attempts without budget tell the outcome and the attempts before`() async throws {
        let retry = RetryBehavior(budget: RetryBudget(capacity: 14), effects: Timeline().effects())

        let response = try await retry.send { _ in NetworkResponse(statusCode: 503) }

        #expect(response.attempts.map(\.statusCode) == [503, 503])
    }
}
