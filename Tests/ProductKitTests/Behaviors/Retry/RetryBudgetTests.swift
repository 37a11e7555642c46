import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    /// A behavior whose budget is sufficient for one retry.
    private let retry = RetryBehavior(
        attempts: 2,
        budget: 14,
        effects: .skippingDelays
    )

    // Rule: retry/retry-budget (5)
    @Test func `a budget never exceeds the one at first`() async {
        for _ in 0..<100 { _ = await retry.sends { _ in NetworkResponse() } }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
    }

    // Rule: retry/retry-budget (5)
    @Test func `the largest budget does not overflow`() async {
        let retry = RetryBehavior(budget: .max, effects: .skippingDelays)

        _ = await retry.sends { _ in NetworkResponse() }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 3)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [(503, 35), (429, 100)])
    func `the default budget allows some retries in a row`(statusCode: Int, retries: Int) async {
        let retry = RetryBehavior(attempts: 2, effects: .skippingDelays)
        var sends = 0

        for _ in 0...retries {
            sends += await retry.sends { _ in NetworkResponse(statusCode: statusCode) }
        }

        #expect(sends == 2 * retries + 1)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [nil, "0"])
    func `a thousand calls during an outage send few more than a thousand requests`(
        retryAfter: String?
    ) async {
        let retry = RetryBehavior(effects: .skippingDelays)
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
        let retry = RetryBehavior(effects: .skippingDelays)

        let sends = await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask { await retry.sends { _ in throw NetworkError(.connectionLost) } }
            }
            return await group.reduce(0, +)
        }

        #expect(sends == 1_000 + 500 / 14)
    }

    // Rule: retry/retry-budget (5)
    @Test func `each host has its own budget, and host names ignore case`() async throws {
        let hosts = ["https://a.example", "https://b.example/x", "https://A.example:81/y"]
        var sends: [Int] = []

        for host in hosts {
            let url = try #require(URL(string: host))
            let request = OutgoingRequest("GET", url)
            sends.append(await retry.sends(of: request) { _ in .init(statusCode: 503) })
        }

        #expect(sends == [2, 2, 1])
    }

    // Rule: retry/retry-budget (5)
    @Test(
        arguments: [(0, 503, []), (14, 429, [429, 429, 429]), (14, 503, [503, 503])]
            as [(Int, Int, [Int])]
    )
    func `attempts end when the budget is spent, of which those after a 429 need less`(
        capacity: Int,
        statusCode: Int,
        attempts: [Int]
    ) async throws {
        let retry = RetryBehavior(budget: capacity, effects: .skippingDelays)

        let response = try await retry.send { _ in NetworkResponse(statusCode: statusCode) }

        #expect(response.attempts.map(\.statusCode) == attempts)
    }

    // Rule: retry/retry-budget (5)
    @Test func `a success after retries releases their cost`() async {
        let retry = RetryBehavior(budget: 28, effects: .skippingDelays)

        for _ in 0..<5 {
            let sends = await retry.sends { NetworkResponse(statusCode: $0 < 3 ? 503 : 200) }
            #expect(sends == 3)
        }
    }

    // Rule: retry/retry-budget (5)
    @Test func `a success of the first attempt releases 1`() async {
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)

        for _ in 0..<13 { _ = await retry.sends { _ in NetworkResponse() } }
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
        _ = await retry.sends { _ in NetworkResponse() }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)
    }

    // Rule: retry/retry-budget (5)
    @Test(arguments: [("POST", 503), ("GET", 501), ("GET", 404), ("GET", 401)])
    func `a response with an error status releases nothing`(method: String, statusCode: Int) async {
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 2)

        for _ in 0..<100 {
            _ = await retry.sends(of: OutgoingRequest(method)) { _ in
                NetworkResponse(statusCode: statusCode)
            }
        }

        #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
    }
}
