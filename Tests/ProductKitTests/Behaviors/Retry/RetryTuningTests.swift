import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests a retry behavior whose methods, status codes, delays and hook are not the default ones.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryTuningTests {
    // Rule: retry/tuning-keeps-requests-safe (12)
    @Test(arguments: [("GET", 3), ("PUT", 1), ("DELETE", 1), ("POST", 1)])
    func `only the given methods are retried`(method: String, expected: Int) async {
        let retry = RetryBehavior(methods: ["GET"], effects: .skippingDelays)
        let request = OutgoingRequest(method, headers: ["Idempotency-Key": "7"])

        #expect(await retry.sends(of: request) { _ in .init(statusCode: 503) } == expected)
        #expect(
            await retry.sends(of: request) { _ in throw NetworkError(.unreachable) } == expected
        )
    }

    // Rule: retry/tuning-keeps-requests-safe (12)
    @Test(arguments: ["POST", "PATCH", "LOCK"])
    func `a tuned method is not sent again without an Idempotency-Key`(method: String) async {
        let retry = RetryBehavior(
            methods: [method],
            statusCodes: Set(400...599),
            effects: .skippingDelays
        )

        let request = OutgoingRequest(method)
        for code in [NetworkError.Code.connectionLost, .timedOut, .incomplete] {
            #expect(await retry.sends(of: request) { _ in throw NetworkError(code) } == 1)
        }
        for statusCode in 400...599 {
            #expect(await retry.sends(of: request) { _ in .init(statusCode: statusCode) } == 1)
        }
        let withKey = OutgoingRequest(method, headers: ["Idempotency-Key": "7"])
        #expect(await retry.sends(of: withKey) { _ in .init(statusCode: 503) } == 3)
    }

    // Rule: retry/tuning-keeps-limits (13)
    @Test func `only the given status codes are retried`() async {
        var retried: [Int] = []

        for statusCode in 100...599 {
            let retry = RetryBehavior(statusCodes: [404, 503, 599], effects: .skippingDelays)
            let sends = await retry.sends { _ in NetworkResponse(statusCode: statusCode) }
            if sends > 1 { retried.append(statusCode) }
        }

        #expect(retried == [404, 503, 599])
    }

    // Rule: retry/tuning-keeps-limits (13)
    @Test(
        arguments: [
            (Duration.seconds(1) ... .seconds(5), [1, 2, 4, 5, 5]),
            (.seconds(3) ... .seconds(3), [3, 3, 3, 3, 3]),
            (.zero ... .seconds(1), [0, 0, 0, 0, 0]),
        ] as [(ClosedRange<Duration>, [Double])]
    )
    func `the maximum delay doubles between the given limits`(
        delays: ClosedRange<Duration>,
        expected: [Double]
    ) async {
        let time = ManualClock(skipsDelays: true)
        let retry = RetryBehavior(
            attempts: 6,
            delays: delays,
            effects: time.effects { $0.upperBound }
        )

        _ = await retry.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(time.delays == expected.map { .seconds($0) })
    }

    // Rule: retry/tuning-keeps-limits (13)
    @Test func `tuned delays obey Retry-After, the deadline and the budget`() async {
        let time = ManualClock(skipsDelays: true)
        let retry = RetryBehavior(
            attempts: 100,
            deadline: .seconds(10),
            delays: .zero ... .zero,
            budget: 28,
            effects: time.effects()
        )

        let obedient = await retry.sends { _ in
            NetworkResponse(statusCode: 503, headers: ["Retry-After": "4"])
        }
        #expect(obedient == 3)
        #expect(time.delays == [.seconds(4), .seconds(4)])
        // Without budget.
        #expect(await retry.sends { _ in NetworkResponse(statusCode: 500) } == 1)
    }

    // Rule: retry/hook-precedes-each-retry (14)
    @Test func `the hook gets the attempt and its error before each retry`() async throws {
        let lines = Lines()
        let errors = Mutex<[NetworkError]>([])
        let outcomes = Mutex([429, nil, 200])
        var effects = ManualClock(skipsDelays: true).effects { $0.upperBound }
        effects.sleep = { _ in lines.add("delay") }
        let retry = RetryBehavior(
            effects: effects,
            beforeRetry: { attempt, error in
                lines.add("\(attempt) \(error.code)")
                errors.withLock { $0.append(error) }
            }
        )

        _ = try await retry.send(OutgoingRequest("PUT")) { _ in
            lines.add("send")
            guard let statusCode = outcomes.withLock({ $0.removeFirst() }) else {
                throw URLError(.timedOut)
            }
            return .problem(#"{"detail": "Too many."}"#, statusCode: statusCode)
        }

        let expected = ["send", "1 throttled", "delay", "send", "2 timedOut", "delay", "send"]
        #expect(lines.all == expected)
        let first = NetworkAttempt(statusCode: 429, delay: .milliseconds(50))
        let second = NetworkAttempt(failure: .timedOut, delay: .milliseconds(100))
        let failures = errors.withLock { $0 }
        #expect(failures.map(\.attempts) == [[first], [first, second]])
        #expect(failures.map(\.statusCode) == [429, nil])
        #expect(failures.first?.problem?.detail == "Too many.")
        #expect(failures.map(\.method) == ["PUT", "PUT"])
        #expect(failures.map(\.url) == [.api, .api])
    }

    // Rule: retry/hook-precedes-each-retry (14)
    @Test(arguments: [(200, 3), (404, 3), (503, 1), (503, 3)])
    func `the hook is not called for a final outcome`(statusCode: Int, attempts: Int) async {
        let calls = Counter()
        let retry = RetryBehavior(
            attempts: attempts,
            effects: .skippingDelays,
            beforeRetry: { _, _ in calls.next() }
        )

        let sends = await retry.sends { _ in NetworkResponse(statusCode: statusCode) }

        #expect(calls.count == sends - 1)
    }

    // Rule: retry/hook-precedes-each-retry (14)
    @Test func `the hook is not called without budget or time for a retry`() async {
        let calls = Counter()
        let withoutBudget = RetryBehavior(
            budget: 0,
            effects: .skippingDelays,
            beforeRetry: { _, _ in calls.next() }
        )
        let withoutTime = RetryBehavior(
            deadline: .milliseconds(40),
            effects: ManualClock(skipsDelays: true).effects { $0.upperBound },
            beforeRetry: { _, _ in calls.next() }
        )

        _ = await withoutBudget.sends { _ in NetworkResponse(statusCode: 503) }
        _ = await withoutTime.sends { _ in NetworkResponse(statusCode: 503) }

        #expect(calls.count == 0)
    }

    // Rule: retry/tuning-keeps-limits (13)
    @Test func `a service uses the given retry`() async throws {
        let lines = Lines()
        let retry = RetryBehavior(
            attempts: 2,
            statusCodes: [418],
            effects: .skippingDelays,
            beforeRetry: { lines.add("retry after attempt \($0): \($1.code)") }
        )
        let service = ProductService.contract(
            networking: .closure { _ in
                lines.add("send")
                return NetworkResponse(statusCode: 418)
            },
            behaviors: [LoggingBehavior { event in lines.add("\(event)") }],
            retry: retry
        )

        let error = await #expect(throws: NetworkError.self) {
            try await service.loader.loadProduct(withID: "boots")
        }

        let expected = ["send", "retry after attempt 1: rejected", "send"]
        #expect(lines.all.dropFirst().dropLast() == expected[...])
        #expect(lines.all.last?.hasSuffix("after 2 attempts") == true)
        #expect(error?.attempts.map(\.statusCode) == [418, 418])
    }

    // Rule: retry/retry-budget (5)
    @Test func `services with the same retry share its budgets`() async throws {
        let retry = RetryBehavior(
            attempts: 2,
            budget: 14,
            effects: .skippingDelays
        )
        let sends = Counter()
        for _ in 0..<2 {
            let service = ProductService.contract(
                networking: .closure { _ in
                    sends.next()
                    throw NetworkError(.unreachable)
                },
                retry: retry
            )
            await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "boots")
            }
        }

        #expect(sends.count == 3)
    }
}
