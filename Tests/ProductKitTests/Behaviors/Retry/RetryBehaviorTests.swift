import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryBehaviorTests {
    private let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
    private let sends = Counter()

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])
    func `idempotent methods are retried`(method: String) async {
        let sends = await retry.sends(of: OutgoingRequest(method)) { _ in
            NetworkResponse(statusCode: 503)
        }

        #expect(sends == 3)
    }

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test(arguments: ["POST", "PATCH"], [nil, NetworkError.Code.connectionLost, .timedOut])
    func `POST and PATCH are not retried`(method: String, code: NetworkError.Code?) async {
        let sends = await retry.sends(of: OutgoingRequest(method)) { _ in
            guard let code else { return NetworkResponse(statusCode: 503) }
            throw NetworkError(code)
        }

        #expect(sends == 1)
    }

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test(arguments: ["POST", "PATCH"], [nil, NetworkError.Code.connectionLost, .timedOut])
    func `POST and PATCH with an Idempotency-Key are retried`(
        method: String,
        code: NetworkError.Code?
    ) async {
        let request = OutgoingRequest(method, headers: ["idempotency-key": "7"])

        let sends = await retry.sends(of: request) { _ in
            guard let code else { return NetworkResponse(statusCode: 503) }
            throw NetworkError(code)
        }

        #expect(sends == 3)
    }

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test(
        arguments: ["GET", "PUT", "POST", "PATCH"],
        [
            URLError(.cannotConnectToHost),
            NSError(domain: NSURLErrorDomain, code: URLError.cannotConnectToHost.rawValue),
        ] as [any Error]
    )
    func `a request without a connection is retried with any method`(
        method: String,
        error: any Error
    ) async {
        let sends = await retry.sends(of: OutgoingRequest(method)) { _ in throw error }

        #expect(sends == 3)
    }

    // Rule: retry/retried-status-codes (2)
    @Test func `seven status codes are retried and no others`() async {
        var retried: [Int] = []

        for statusCode in 100...599 {
            let sends = await RetryBehavior(effects: ManualClock(skipsDelays: true).effects()).sends
            { _ in
                NetworkResponse(statusCode: statusCode)
            }
            if sends > 1 { retried.append(statusCode) }
        }

        #expect(retried == [408, 425, 429, 500, 502, 503, 504])
    }

    // Rule: retry/retried-status-codes (2)
    @Test(arguments: [(409, NetworkError.Code.conflict), (422, .rejected)])
    func `a conflict is a NetworkError after one attempt`(
        statusCode: Int,
        code: NetworkError.Code
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse(statusCode: statusCode) },
            behaviors: [retry]
        )

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await client.send(.boots) }
        )

        #expect(error.code == code)
        #expect(error.attempts.isEmpty)
    }

    // Rule: retry/three-attempts (3)
    @Test(arguments: 1...5)
    func `it makes at most the given number of attempts`(attempts: Int) async {
        let retry = RetryBehavior(
            attempts: attempts,
            effects: ManualClock(skipsDelays: true).effects()
        )

        #expect(await retry.sends { _ in throw NetworkError(.timedOut) } == attempts)
    }

    // Rule: retry/three-attempts (3)
    @Test(arguments: 1...3)
    func `a success ends the attempts`(number: Int) async {
        let sends = await retry.sends { sent in
            NetworkResponse(statusCode: sent < number ? 503 : 200)
        }

        #expect(sends == number)
    }

    // Rule: retry/permanent-failure-is-final (10)
    @Test(arguments: [
        NetworkError.Code.untrusted, .invalidRequest, .insecure, .redirect, .tooLarge, .unreadable,
        .unexpected,
    ])
    func `a permanent error is not retried`(code: NetworkError.Code) async {
        #expect(await retry.sends { _ in throw NetworkError(code) } == 1)
    }

    // Rule: retry/permanent-failure-is-final (10)
    @Test(arguments: [
        URLError.Code.serverCertificateUntrusted, .secureConnectionFailed, .badURL, .unsupportedURL,
        .httpTooManyRedirects, .userAuthenticationRequired, .userCancelledAuthentication,
    ])
    func `a permanent URLError becomes a NetworkError`(code: URLError.Code) async throws {
        await #expect(throws: NetworkError.self) {
            try await retry.send { _ in
                sends.next()
                throw URLError(code)
            }
        }

        #expect(sends.count == 1)
    }

    // Rule: retry/permanent-failure-is-final (10)
    @Test func `an unreadable response is not retried`() async {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sends.next()
                return .webPage
            },
            behaviors: [retry]
        )

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        #expect(sends.count == 1)
    }

    // Rule: retry/permanent-failure-is-final (10)
    @Test(arguments: [("GET", 3), ("HEAD", 1), ("OPTIONS", 1), ("PUT", 1), ("DELETE", 1)])
    func `an incomplete response is retried for GET only`(
        method: String,
        expected: Int
    ) async {
        let sends = await retry.sends(of: OutgoingRequest(method)) { _ in
            throw NetworkError(.incomplete)
        }

        #expect(sends == expected)
    }

    // Rule: retry/permanent-failure-is-final (10)
    @Test func `an incomplete response is not retried for a POST with an Idempotency-Key`() async {
        let request = OutgoingRequest("POST", headers: ["Idempotency-Key": "7"])

        #expect(await retry.sends(of: request) { _ in throw NetworkError(.incomplete) } == 1)
    }

    @Test func `an error of another type is not retried and is thrown unchanged`() async {
        await #expect(throws: UnsupportedOperation("search")) {
            try await retry.send { _ in
                sends.next()
                throw UnsupportedOperation("search")
            }
        }

        #expect(sends.count == 1)
    }
}
