import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryBehaviorTests {
    private let retry = RetryBehavior(effects: .skippingDelays)
    private let sends = Counter()

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test(
        arguments: [
            ("GET", nil, 3), ("HEAD", nil, 3), ("OPTIONS", nil, 3), ("TRACE", nil, 3),
            ("PUT", nil, 3), ("DELETE", nil, 3), ("POST", nil, 1), ("PATCH", nil, 1),
            ("POST", "7", 3), ("PATCH", "7", 3),
        ] as [(String, String?, Int)]
    )
    func `idempotent methods and requests with an Idempotency-Key are retried`(
        method: String,
        key: String?,
        expected: Int
    ) async {
        var request = OutgoingRequest(method)
        request.headers["idempotency-key"] = key

        #expect(await retry.sends(of: request) { _ in .init(statusCode: 503) } == expected)
        for code in [NetworkError.Code.connectionLost, .timedOut] {
            #expect(await retry.sends(of: request) { _ in throw NetworkError(code) } == expected)
        }
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
        #expect(await retry.sends(of: OutgoingRequest(method)) { _ in throw error } == 3)
    }

    // Rule: retry/retried-status-codes (2)
    @Test func `eight status codes are retried and no others`() async {
        var retried: [Int] = []

        for statusCode in 100...599 {
            let sends = await RetryBehavior(effects: .skippingDelays)
                .sends { _ in NetworkResponse(statusCode: statusCode) }
            if sends > 1 { retried.append(statusCode) }
        }

        #expect(retried == [408, 421, 425, 429, 500, 502, 503, 504])
    }

    // Rule: retry/three-attempts (3)
    @Test(arguments: 1...5)
    func `it makes at most the given number of attempts`(attempts: Int) async {
        let retry = RetryBehavior(attempts: attempts, effects: .skippingDelays)

        #expect(await retry.sends { _ in throw NetworkError(.timedOut) } == attempts)
    }

    // Rule: retry/three-attempts (3)
    @Test(arguments: 1...3)
    func `a success ends the attempts`(number: Int) async {
        let sends = await retry.sends { NetworkResponse(statusCode: $0 < number ? 503 : 200) }

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
    @Test(
        arguments: [
            ("GET", nil, 3), ("HEAD", nil, 1), ("OPTIONS", nil, 1), ("PUT", nil, 1),
            ("DELETE", nil, 1), ("POST", "7", 1),
        ] as [(String, String?, Int)]
    )
    func `an incomplete response is retried for GET only`(
        method: String,
        key: String?,
        expected: Int
    ) async {
        var request = OutgoingRequest(method)
        request.headers["Idempotency-Key"] = key

        #expect(await retry.sends(of: request) { _ in throw NetworkError(.incomplete) } == expected)
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
