import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests the request of each attempt, and the list of attempts in the outcome.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryAttemptsTests {
    // Rule: errors/attempts-are-listed (4)
    @Test func `a retry lists the attempts of another one inside of it`() async throws {
        let (requests, numbers) = (Counter(), Lines())
        let outer = RetryBehavior(attempts: 2, effects: .skippingDelays) { number, _ in
            numbers.add("\(number)")
        }
        let inner = RetryBehavior(attempts: 2, effects: .skippingDelays)
        let client = NetworkClient(behaviors: [outer, inner]) { _ in
            throw NetworkError(requests.next() == 1 ? .connectionLost : .unreachable)
        }

        let error = try #require(await client.error(of: .put("a")))

        #expect(error.code == .unreachable && error.mayHaveReachedServer)
        #expect(
            error.attempts.map(\.failure)
                == [.connectionLost, .unreachable, .unreachable, .unreachable]
        )
        #expect(error.attempts.map { $0.delay == nil } == [false, false, false, true])
        #expect(numbers.all == ["1"])
    }

    // Rule: retry/attempts-run-inner-behaviors (9)
    @Test func `every attempt sends the whole body`() async throws {
        let bodies = Mutex<[Data?]>([])
        let body = Data((0...255).map { UInt8($0) })
        var request = OutgoingRequest("PUT", headers: ["Content-Type": "text/plain"])
        request.body = body

        _ = try await RetryBehavior(effects: .skippingDelays)
            .send(request) { sent in
                bodies.withLock { $0.append(sent.httpBody) }
                return NetworkResponse(statusCode: 503)
            }

        #expect(bodies.withLock { $0 } == [body, body, body])
    }

    // Rule: retry/attempts-run-inner-behaviors (9)
    @Test func `behaviors inside of retry run for every attempt`() async {
        let numbers = Counter()
        let sent = Mutex<[[String: String]]>([])
        let next: @Sendable () -> String = { "\(numbers.next())" }
        let client = NetworkClient(behaviors: [
            RetryBehavior(effects: .skippingDelays), TokenBehavior { next() },
            ClosureBehavior(additionalHeaders: { ["X-Nonce": next()] }),
        ]) { request in
            let names = ["Authorization", "X-Nonce"]
            sent.withLock { sent in
                sent.append((request.allHTTPHeaderFields ?? [:]).filter { names.contains($0.key) })
            }
            return NetworkResponse(statusCode: 503)
        }

        await #expect(throws: NetworkError.self) { try await client.send(.put("a")) }

        #expect(
            sent.withLock { $0 } == [
                ["Authorization": "Bearer 1", "X-Nonce": "2"],
                ["Authorization": "Bearer 3", "X-Nonce": "4"],
                ["Authorization": "Bearer 5", "X-Nonce": "6"],
            ]
        )
    }

    // Rule: retry/three-attempts (3); errors/attempts-are-listed (4)
    @Test func `the last error is thrown and lists the attempts`() async throws {
        let statusCodes = Mutex([500, nil, 502])
        let client = NetworkClient(behaviors: [
            RetryBehavior(effects: ManualClock(skipsDelays: true).effects { $0.upperBound })
        ]) { _ in
            guard let statusCode = statusCodes.withLock({ $0.removeFirst() }) else {
                throw URLError(.networkConnectionLost)
            }
            return NetworkResponse(statusCode: statusCode)
        }

        let error = await client.error(of: .boots)

        #expect(error?.statusCode == 502)
        #expect(
            error?.attempts == [
                NetworkAttempt(statusCode: 500, delay: .milliseconds(50)),
                NetworkAttempt(failure: .connectionLost, delay: .milliseconds(100)),
                NetworkAttempt(statusCode: 502),
            ]
        )
    }

    // Rule: retry/three-attempts (3); errors/attempts-are-listed (4)
    @Test func `an error without a response lists the attempts`() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await RetryBehavior(effects: .skippingDelays)
                .send { _ in throw URLError(.timedOut) }
        }

        #expect(error?.code == .timedOut)
        #expect(error?.attempts.map(\.failure) == [.timedOut, .timedOut, .timedOut])
        #expect(error?.attempts.map(\.delay) == [.zero, .zero, nil])
        #expect(error?.method == "GET")
    }

    // Rule: errors/attempts-are-listed (4)
    @Test func `a response after several attempts lists them`() async throws {
        let statusCodes = Mutex([429, 200])

        let response = try await RetryBehavior(
            effects: ManualClock(skipsDelays: true).effects { _ in 0.025 }
        )
        .send { _ in NetworkResponse(statusCode: statusCodes.withLock { $0.removeFirst() }) }

        #expect(response.statusCode == 200)
        #expect(
            response.attempts == [
                NetworkAttempt(statusCode: 429, delay: .milliseconds(25)),
                NetworkAttempt(statusCode: 200),
            ]
        )
    }

    // Rule: errors/attempts-are-listed (4)
    @Test func `the error of another request lists the attempts`() async throws {
        let (tokens, sends) = (NetworkClient { _ in NetworkResponse(statusCode: 403) }, Counter())
        let token = ClosureBehavior(intercept: { request, next in
            if sends.next() == 2 { try await tokens.send(NetworkRequest<Void>.post("tokens")) }
            return try await next(request)
        })
        let client = NetworkClient(
            behaviors: [RetryBehavior(effects: .skippingDelays), token]
        ) { _ in NetworkResponse(statusCode: 503) }

        let error = await client.error(of: .boots)

        #expect(error?.code == .unexpected)
        #expect(error?.attempts.map(\.statusCode) == [503, nil])
    }

    // Rule: errors/attempts-are-listed (4)
    @Test(arguments: [200, 404])
    func `the outcome of the first attempt lists no attempts`(statusCode: Int) async throws {
        let retry = RetryBehavior(effects: .skippingDelays)

        let response = try await retry.send { _ in NetworkResponse(statusCode: statusCode) }
        let error = await #expect(throws: NetworkError.self) {
            try await retry.send { _ in throw NetworkError(.untrusted) }
        }

        #expect(response == NetworkResponse(statusCode: statusCode))
        #expect(error?.attempts.isEmpty == true)
    }
}
