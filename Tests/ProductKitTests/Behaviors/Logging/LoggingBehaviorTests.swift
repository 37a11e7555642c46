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
        #expect(subject.method == "GET")
        #expect(subject.url == .api)
        #expect(subject.attempt == 1)
    }

    @Test(arguments: [401, 404, 500])
    func `a response with an error status is logged as a response`(statusCode: Int) async throws {
        let events = try await loggedEvents { _ in NetworkResponse(statusCode: statusCode) }

        #expect(
            events.last?.description
                == "GET https://api.example.com/v1 received status \(statusCode) and 0 bytes in 0.0 ms"
        )
    }

    @Test(arguments: [
        (NetworkError(.timedOut) as any Error, "timedOut"), (UnsupportedOperation("x"), "unknown"),
        (URLError(.cancelled), "unknown"),
    ])
    func `a failure is logged with its code`(error: any Error, code: String) async throws {
        let respond: @Sendable () throws -> NetworkResponse = { [time] in
            time.advance(by: .milliseconds(2))
            throw error
        }

        let events = try await loggedEvents { _ in try respond() }

        #expect(
            events.map(\.description) == [
                "GET https://api.example.com/v1 started",
                "GET https://api.example.com/v1 failed (\(code)) in 2.0 ms",
            ]
        )
    }

    // Rule: cancellation/not-treated-as-failure (2)
    @Test(arguments: [CancellationError() as any Error, URLError(.cancelled)])
    func `a cancellation is not logged as a failure`(error: any Error) async throws {
        let task = Task {
            try await loggedEvents { _ in
                time.advance(by: .milliseconds(250))
                withUnsafeCurrentTask { $0?.cancel() }
                throw error
            }
        }
        let events = try await task.value

        #expect(
            events.map(\.description) == [
                "GET https://api.example.com/v1 started",
                "GET https://api.example.com/v1 cancelled after 250.0 ms",
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
        let log = Mutex<[NetworkEvent]>([])
        let logging = LoggingBehavior(effects: time.effects()) { event in
            log.withLock { $0.append(event) }
        }
        let token = TokenBehavior(
            effects: ManualClock().effects(),
            token: { "old" },
            refresh: { _ in
                let client = NetworkClient(
                    baseURL: .api,
                    networking: .closure { _ in NetworkResponse() },
                    behaviors: [logging]
                )
                try await client.send(.post())
                return "new"
            }
        )
        let statusCodes = Mutex([503, 401, 200])

        _ = try await CombinedBehavior([RetryBehavior(effects: time.effects()), token])
            .send { _ in NetworkResponse(statusCode: statusCodes.withLock { $0.removeFirst() }) }

        #expect(
            log.withLock { $0.first }?.description == "POST https://api.example.com/v1 started"
        )
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
        _ = try? await CombinedBehavior([outside, logging, inside]).send(to: respond)
        return log.withLock { $0 }
    }
}
