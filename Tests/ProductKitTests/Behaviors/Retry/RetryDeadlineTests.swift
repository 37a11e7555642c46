import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryDeadlineTests {
    /// A request whose attempts all fail after a time, and the timeouts that they must have.
    struct Attempts {
        var timeout = 60.0
        var deadline: Duration
        var each: Duration
        var delay = 0.0
        var timeouts: [Double]
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test(arguments: [
        Attempts(
            deadline: .seconds(25),
            each: .seconds(10),
            delay: 0.05,
            timeouts: [25, 14.95, 4.9]
        ),
        Attempts(timeout: 8, deadline: .seconds(25), each: .seconds(10), timeouts: [8, 8, 5]),
        Attempts(timeout: 1e12, deadline: .seconds(2), each: .zero, timeouts: [2, 2, 2]),
        Attempts(deadline: .milliseconds(300), each: .milliseconds(200), timeouts: [0.3, 0.1]),
        Attempts(deadline: .seconds(10), each: .seconds(10), delay: 0.05, timeouts: [10]),
        Attempts(deadline: .seconds(10), each: .seconds(11), delay: 0.05, timeouts: [10]),
        Attempts(deadline: .seconds(10), each: .milliseconds(9_950), delay: 0.05, timeouts: [10]),
        Attempts(deadline: .seconds(10), each: .seconds(9.9), delay: 0.05, timeouts: [10, 0.05]),
    ])
    func `each attempt gets the time left, unless its timeout is shorter`(
        attempts: Attempts
    ) async {
        let time = ManualClock(skipsDelays: true)
        let timeouts = Mutex<[Double]>([])
        var request = OutgoingRequest("GET")
        request.timeout = .seconds(attempts.timeout)
        let effects = time.effects { _ in attempts.delay }

        _ = try? await RetryBehavior(deadline: attempts.deadline, effects: effects)
            .send(request) { sent in
                timeouts.withLock { $0.append(sent.timeoutInterval) }
                time.advance(by: attempts.each)
                return NetworkResponse(statusCode: 503)
            }

        let sent = timeouts.withLock { $0 }
        #expect(sent.count == attempts.timeouts.count)
        #expect(zip(sent, attempts.timeouts).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `the last outcome is thrown when no time is left`() async throws {
        let time = ManualClock(skipsDelays: true)

        let error = await #expect(throws: NetworkError.self) {
            try await RetryBehavior(deadline: .seconds(15), effects: time.effects())
                .send { _ in
                    time.advance(by: .seconds(8))
                    throw URLError(.networkConnectionLost)
                }
        }

        #expect(error?.code == .connectionLost)
        #expect(error?.attempts.map(\.failure) == [.connectionLost, .connectionLost])
        #expect(time.elapsed == .seconds(16))
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `a sleep beyond the deadline sends nothing more and costs nothing`() async {
        let time = ManualClock(skipsDelays: true)
        var effects = time.effects()
        effects.sleep = { _ in time.advance(by: .seconds(60)) }
        let retry = RetryBehavior(budget: 14, effects: effects)

        for _ in 0..<3 {
            #expect(await retry.sends { _ in NetworkResponse(statusCode: 503) } == 1)
        }

        #expect(time.elapsed == .seconds(180))
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `the deadline starts with each request`() async {
        let time = ManualClock(skipsDelays: true)
        let retry = RetryBehavior(deadline: .seconds(10), effects: time.effects())

        for _ in 0..<3 {
            let sends = await retry.sends { number in
                time.advance(by: .seconds(4))
                return NetworkResponse(statusCode: number < 3 ? 503 : 200)
            }
            #expect(sends == 3)
        }
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test(arguments: [(401, 5, "10.0"), (403, 0, "15.0")])
    func `a request that is sent twice in one attempt gets the time left`(
        refusal: Int,
        refresh: Int,
        timeout: String
    ) async throws {
        let timeouts = Lines()

        try await sendTwice(after: refusal, refresh: .seconds(refresh), timeouts)

        #expect(timeouts.all == ["25.0", timeout])
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test func `a request is not sent again if the refresh has passed the deadline`() async {
        let timeouts = Lines()

        await expectNetworkError(.timedOut) {
            try await sendTwice(after: 401, refresh: .seconds(15), timeouts)
        }

        #expect(timeouts.all == ["25.0"])
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test(arguments: [(5, 60, "1.0"), (60, 5, "1.0"), (60, 60, "56.0")])
    func `of two deadlines, the earlier one limits each attempt`(
        outer: Int,
        inner: Int,
        timeout: String
    ) async throws {
        let (timeouts, time) = (Lines(), ManualClock(skipsDelays: true))
        let client = NetworkClient(
            behaviors: [outer, inner].map {
                RetryBehavior(deadline: .seconds($0), effects: time.effects())
            }
        ) { request in
            timeouts.add("\(request.timeoutInterval)")
            time.advance(by: .seconds(4))
            return NetworkResponse(statusCode: timeouts.all.count == 1 ? 503 : 204)
        }

        try await client.send(.put("a"))

        #expect(timeouts.all == ["\(min(outer, inner)).0", timeout])
    }

    // Rule: retry/deadline-bounds-attempts (8); retry/retry-after-is-obeyed (6)
    @Test func `a delay beyond the deadline of an outer retry returns the response`() async {
        let (sends, time) = (Counter(), ManualClock(skipsDelays: true))
        let client = NetworkClient(
            behaviors: [5, 60].map {
                RetryBehavior(deadline: .seconds($0), effects: time.effects())
            }
        ) { _ in
            sends.next()
            return NetworkResponse(statusCode: 503, headers: ["Retry-After": "30"])
        }

        let error = await #expect(throws: NetworkError.self) { try await client.send(.put("a")) }

        #expect(sends.count == 1 && time.delays.isEmpty && error?.statusCode == 503)
    }

    // Rule: retry/deadline-bounds-attempts (8)
    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an invalid timeout is an error`(timeout: Duration) async throws {
        var request = OutgoingRequest("GET")
        request.timeout = timeout

        let error = await #expect(throws: NetworkError.self) {
            try await RetryBehavior(effects: .skippingDelays)
                .send(request) { _ in NetworkResponse() }
        }

        #expect(error?.code == .invalidRequest)
    }

    /// Sends a request with a deadline of 25 seconds, which the server refuses once after 10 seconds.
    private func sendTwice(
        after refusal: Int,
        refresh: Duration,
        _ timeouts: Lines
    ) async throws {
        let time = ManualClock(skipsDelays: true)
        let tokens = TokenBehavior(
            effects: .stopped,
            token: { "old" },
            refresh: { _ in
                time.advance(by: refresh)
                return "new"
            }
        )
        let client = NetworkClient(behaviors: [
            RetryBehavior(deadline: .seconds(25), effects: time.effects()), tokens,
            RotatingTokenBehavior(header: "Nonce"),
        ]) { request in
            timeouts.add("\(request.timeoutInterval)")
            time.advance(by: .seconds(10))
            guard timeouts.all.count == 1 else { return NetworkResponse() }
            let headers: NetworkHeaders = refusal == 403 ? ["Nonce": "1"] : [:]
            return NetworkResponse(statusCode: refusal, headers: headers)
        }
        _ = try await client.send(NetworkRequest<NetworkResponse>.get("goods"))
    }
}
