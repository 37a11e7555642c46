import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct LoggingBehaviorTests {
    private let time = ManualClock(skipsDelays: true)

    @Test func `a request is logged with its status code, size and duration`() async throws {
        let events = try await loggedEvents { _ in
            time.advance(by: .milliseconds(1_500))
            return NetworkResponse(statusCode: 203, body: Data("boots".utf8))
        }

        #expect(
            events.map(\.description) == [
                "GET https://api.example.com/v1 started",
                "GET https://api.example.com/v1 received status 203 and 5 bytes in 1500.0 ms",
            ]
        )
        guard case .responded(let subject, 203, 5, 1, .milliseconds(1_500)) = events.last
        else {
            Issue.record("The response was logged as \(events)")
            return
        }
        #expect(subject.method == "GET" && subject.url == .api && subject.attempt == 1)
    }

    // Rule: cancellation/not-treated-as-failure (2)
    @Test(
        arguments: [
            (
                false, .success(NetworkResponse(statusCode: 401)),
                "received status 401 and 0 bytes in"
            ),
            (
                false, .success(NetworkResponse(statusCode: 500)),
                "received status 500 and 0 bytes in"
            ),
            (false, .failure(NetworkError(.timedOut)), "failed (timedOut) in"),
            (false, .failure(UnsupportedOperation("x")), "failed (unknown) in"),
            (false, .failure(URLError(.cancelled)), "failed (unknown) in"),
            (true, .failure(URLError(.cancelled)), "cancelled after"),
            (true, .failure(CancellationError()), "cancelled after"),
        ] as [(Bool, Result<NetworkResponse, any Error>, String)]
    )
    func `the outcome of a request is logged, and a cancellation is not a failure`(
        isCancelled: Bool,
        outcome: Result<NetworkResponse, any Error>,
        text: String
    ) async throws {
        let task = Task {
            try await loggedEvents { _ in
                time.advance(by: .milliseconds(2))
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                return try outcome.get()
            }
        }

        #expect(
            try await task.value.map(\.description) == [
                "GET https://api.example.com/v1 started",
                "GET https://api.example.com/v1 \(text) 2.0 ms",
            ]
        )
    }

    @Test func `the response and the error are unchanged`() async throws {
        let logging = LoggingBehavior { _ in }
        let response = NetworkResponse(statusCode: 418, headers: ["A": "b"], body: Data([1]))

        #expect(try await logging.send { _ in response } == response)
        await #expect(throws: UnsupportedOperation("x")) {
            try await logging.send { _ in throw UnsupportedOperation("x") }
        }
    }

    @Test func `placed inside of retry, it logs every attempt`() async throws {
        let events = try await loggedEvents(outside: RetryBehavior(effects: time.effects())) { _ in
            NetworkResponse(statusCode: 503)
        }

        #expect(
            events.map(\.description) == [
                "GET https://api.example.com/v1 started",
                "GET https://api.example.com/v1 received status 503 and 0 bytes in 0.0 ms",
                "GET https://api.example.com/v1 (attempt 2) started",
                "GET https://api.example.com/v1 (attempt 2) received status 503 and 0 bytes in 0.0 ms",
                "GET https://api.example.com/v1 (attempt 3) started",
                "GET https://api.example.com/v1 (attempt 3) received status 503 and 0 bytes in 0.0 ms",
            ]
        )
    }

    @Test func `placed outside of retry, it logs a request once, with its attempts`() async throws {
        let retry = RetryBehavior(effects: time.effects { $0.upperBound })

        let events = try await loggedEvents(inside: retry) { _ in NetworkResponse(statusCode: 503) }

        #expect(
            events.map(\.description) == [
                "GET https://api.example.com/v1 started",
                "GET https://api.example.com/v1 received status 503 and 0 bytes in 150.0 ms"
                    + " after 3 attempts",
            ]
        )
    }

    @Test func `placed outside of retry, it logs a failure with its attempts`() async throws {
        let events = try await loggedEvents(inside: RetryBehavior(effects: time.effects())) { _ in
            throw NetworkError(.connectionLost)
        }

        #expect(
            events.last?.description == "GET https://api.example.com/v1 failed (connectionLost)"
                + " in 0.0 ms after 3 attempts"
        )
    }

    @Test func `a request of a token refresh is logged as a first attempt`() async throws {
        let log = Lines()
        let logging = LoggingBehavior(effects: time.effects()) { log.add($0.description) }
        let token = TokenBehavior(
            effects: .stopped,
            token: { "old" },
            refresh: { _ in
                let client = NetworkClient(behaviors: [logging]) { _ in NetworkResponse() }
                try await client.send(.post())
                return "new"
            }
        )
        let statusCodes = Mutex([503, 401, 200])

        _ = try await ClosureBehavior.stack([RetryBehavior(effects: time.effects()), token])
            .send { _ in NetworkResponse(statusCode: statusCodes.withLock { $0.removeFirst() }) }

        #expect(log.all.first == "POST https://api.example.com/v1 started")
    }

    /// The events of a request with this response or error.
    private func loggedEvents(
        outside: any RequestBehavior = ClosureBehavior(),
        inside: any RequestBehavior = ClosureBehavior(),
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws -> [NetworkEvent] {
        let log = Mutex<[NetworkEvent]>([])
        let logging = LoggingBehavior(effects: time.effects()) { event in
            log.withLock { $0.append(event) }
        }
        _ = try? await ClosureBehavior.stack([outside, logging, inside]).send(to: respond)
        return log.withLock { $0 }
    }
}
