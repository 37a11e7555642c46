import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct StaleIfErrorTests {
    private let client = CachedClient()

    // Rule: cache/stale-if-error-causes (33); cache/stale-if-error-is-marked (35)
    @Test(arguments: [
        NetworkError.Code.unreachable, .timedOut, .connectionLost, .incomplete,
    ])
    func `a stale response is served when the server cannot be reached`(
        code: NetworkError.Code
    ) async throws {
        try await client.store("old")
        let stored = client.clock.date
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { _ in throw NetworkError(code) }

        #expect(response.text == "old" && response.headers["Age"] == "60")
        #expect(response.source == .staleIfError(asOf: stored, failure: NetworkError(code)))
        #expect((response.source.failure as? NetworkError)?.code == code)
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, true), (.cannotFindHost, true),
        (.dnsLookupFailed, true), (.cannotConnectToHost, true), (.timedOut, true),
        (.networkConnectionLost, true), (.serverCertificateUntrusted, false),
        (.secureConnectionFailed, false), (.badURL, false), (.httpTooManyRedirects, false),
        (.dataLengthExceedsMaximum, false), (.cancelled, false),
    ])
    func `a URLError counts as the NetworkError that it becomes`(
        code: URLError.Code,
        isServed: Bool
    ) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        let result = try? await client.send { _ in throw URLError(code) }
        let converted = try? await client.send { _ in
            throw NSError(domain: NSURLErrorDomain, code: code.rawValue)
        }

        #expect(result?.text == (isServed ? "old" : nil))
        #expect(converted?.text == (isServed ? "old" : nil))
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [500, 502, 503, 504])
    func `a stale response is served when the server returns 500, 502, 503 or 504`(
        status: Int
    ) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { _ in NetworkResponse(statusCode: status) }

        #expect(response.text == "old" && response.source.code == .staleIfError)
        #expect((response.source.failure as? NetworkError)?.statusCode == status)
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [400, 401, 403, 404, 408, 429, 501, 505, 599])
    func `a response with another status code is returned`(status: Int) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        let response = try await client.send { _ in NetworkResponse(statusCode: status) }

        #expect(response.statusCode == status && response.source == .network)
    }

    // Rule: cache/stale-if-error-causes (33); security/bad-certificate-is-final (24)
    @Test(arguments: [
        NetworkError.Code.untrusted, .invalidRequest, .insecure, .redirect, .tooLarge, .unreadable,
    ])
    func `any other error is thrown`(code: NetworkError.Code) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        let error = await #expect(throws: NetworkError.self) {
            try await client.send { _ in throw NetworkError(code) }
        }

        #expect(error?.code == code)
        await #expect(throws: Offline.self) { try await client.send { _ in throw Offline() } }
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test func `a cancelled request throws CancellationError`() async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await client.send { _ in throw CancellationError() }
        }
    }

    // Rule: cache/stale-if-error-causes (33); cache/six-policies (58)
    @Test(arguments: [
        (FetchPolicy.standard, true), (.cacheFirst, true), (.networkFirst, true),
        (.revalidate, false), (.reload, false),
    ])
    func `revalidate and reload serve no stored response on error`(
        policy: FetchPolicy,
        isServed: Bool
    ) async throws {
        try await client.store("old")
        client.cache.invalidate(.shop("products/boots"), partition: "")

        let offline = try? await client.send(policy: policy, server: unreachable)
        let failed = try await client.send(policy: policy) { _ in NetworkResponse(statusCode: 503) }

        #expect(offline?.text == (isServed ? "old" : nil))
        #expect(failed.statusCode == (isServed ? 200 : 503))
        #expect(failed.source.code == (isServed ? .staleIfError : .network))
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test(arguments: [
        ("", "", 86_460, true), ("", "", 86_461, false),
        (", stale-if-error=10", "", 70, true), (", stale-if-error=10", "", 71, false),
        (", stale-if-error=10", "stale-if-error=20", 71, false),
        ("", "stale-if-error=20", 80, true), ("", "stale-if-error=20", 81, false),
        (", stale-if-error=0", "", 60, false), ("", "stale-if-error=0", 60, false),
        (", stale-if-error=x", "", 86_460, true), (", stale-if-error=100000", "", 100_060, true),
        (", stale-if-error=10, must-revalidate", "", 60, false),
        ("", "no-cache", 60, false), ("", "max-age=0", 60, true), (", no-cache", "", 0, false),
    ])
    func `stale-if-error limits how stale a response may be`(
        responseDirectives: String,
        requestDirectives: String,
        age: Int,
        isServed: Bool
    ) async throws {
        try await client.store(
            "old",
            responseHeaders: ["Cache-Control": "max-age=60" + responseDirectives]
        )
        client.clock.advance(by: .seconds(age))

        let result = try? await client.send(
            headers: requestDirectives.isEmpty ? [:] : ["Cache-Control": requestDirectives],
            server: unreachable
        )

        #expect(result?.text == (isServed ? "old" : nil))
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test(arguments: [2.0, 30, 4_000])
    func `a clock ahead by days does not shorten the time for an outage`(days: Double) async throws
    {
        client.clock.date += days * 86_400
        let sent = "Sun, 06 Nov 1994 08:49:37 GMT"
        let headers: NetworkHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": sent,
        ]
        try await client.store("old", responseHeaders: headers)

        client.clock.advance(by: .seconds(86_400))
        #expect(try await client.send(server: unreachable).text == "old")
        client.clock.advance(by: .seconds(1))
        await #expect(throws: NetworkError.self) { try await client.send(server: unreachable) }
        try await client.send { _ in NetworkResponse(statusCode: 304, headers: ["Date": sent]) }

        client.clock.advance(by: .seconds(86_400))
        #expect(try await client.send(server: unreachable).text == "old")
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test(arguments: [("30", 86_430), ("60", 86_400), ("600", 86_400)])
    func `a response that was old when it arrived is served for a day after its lifetime`(
        age: String,
        seconds: Int
    ) async throws {
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60", "Age": age]
        try await client.store("old", responseHeaders: headers)

        client.clock.advance(by: .seconds(seconds))
        #expect(try await client.send(server: unreachable).text == "old")
        client.clock.advance(by: .seconds(1))
        await #expect(throws: NetworkError.self) { try await client.send(server: unreachable) }
    }

    // Rule: cache/clock-moved-back (16); cache/stale-if-error-limit (34)
    @Test(arguments: ["max-age=60", "max-age=60, stale-if-error=10"])
    func `no response is served on error if the clock was set back`(control: String) async throws {
        try await client.store("old", responseHeaders: ["Cache-Control": control])

        client.clock.date -= 1

        await #expect(throws: NetworkError.self) { try await client.send(server: unreachable) }
        client.clock.advance(by: .seconds(1))
        #expect(try await client.send(policy: .networkFirst, server: unreachable).text == "old")
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test func `the stale-if-error limit can be configured`() async throws {
        let client = CachedClient(staleIfErrorLimit: .seconds(5))
        try await client.store("old")

        client.clock.advance(by: .seconds(65))
        #expect(try await client.send(server: unreachable).text == "old")
        client.clock.advance(by: .seconds(1))
        #expect(try await client.send { _ in NetworkResponse(statusCode: 500) }.statusCode == 500)
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test func `a fresh response is served on error whatever the limit`() async throws {
        try await client.store(
            "old",
            responseHeaders: ["Cache-Control": "max-age=60, stale-if-error=0"]
        )

        let response = try await client.send(policy: .networkFirst, server: unreachable)
        #expect(response.source.code == .staleIfError)

        client.cache.invalidate(.shop("products/boots"), partition: "")
        await #expect(throws: NetworkError.self) {
            try await client.send(policy: .networkFirst, server: unreachable)
        }
    }

    // Rule: cache/stale-if-error-is-marked (35)
    @Test func `a stale response is dated to its last validation`() async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))
        try await client.send { _ in NetworkResponse(statusCode: 304) }
        let validatedAt = client.clock.date
        client.clock.advance(by: .seconds(100))

        let response = try await client.send(server: unreachable)

        #expect(response.source.asOf == validatedAt)
    }

    // Rule: cache/retries-come-first (37)
    @Test func `a stale response is served only after all retries have failed`() async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))
        let sends = Counter()
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sends.next()
                throw NetworkError(.unreachable)
            },
            behaviors: [
                client.behavior, CoalescingBehavior { "" },
                RetryBehavior(effects: client.clock.effects()),
            ]
        )

        let response = try await network.send(
            NetworkRequest<NetworkResponse>.get("products", "boots")
        )

        #expect(response.text == "old" && sends.count == 3)
    }
}
