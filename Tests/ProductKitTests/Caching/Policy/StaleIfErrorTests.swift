import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StaleIfErrorTests {
    private let client = CachedClient()

    // Rule: cache/stale-if-error-causes (33)
    @Test(
        arguments: [
            NetworkError(.unreachable), NetworkError(.timedOut), NetworkError(.connectionLost),
            NetworkError(.incomplete), URLError(.notConnectedToInternet),
            URLError(.cannotFindHost), URLError(.dnsLookupFailed), URLError(.cannotConnectToHost),
            URLError(.timedOut), URLError(.networkConnectionLost),
            NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut),
            TokenError.refreshTimedOut, NetworkError(NetworkResponse(statusCode: 500)),
            NetworkError(NetworkResponse(statusCode: 503)),
        ] as [any Error]
    )
    func `a stale response is served when the server cannot be reached`(
        error: any Error
    ) async throws {
        try await client.storeStale()

        let response = try await client.send { _ in throw error }

        #expect(response.text == "old" && response.source.code == .staleIfError)
        let failure = response.source.failure as? NetworkError
        #expect(failure?.code == (error as? NetworkError)?.code)
    }

    // Rule: cache/stale-if-error-causes (33); security/bad-certificate-is-final (24)
    @Test(
        arguments: [
            NetworkError(.untrusted), NetworkError(.invalidRequest), NetworkError(.insecure),
            NetworkError(.redirect), NetworkError(.tooLarge), NetworkError(.unreadable),
            URLError(.serverCertificateUntrusted), URLError(.secureConnectionFailed),
            URLError(.badURL), URLError(.httpTooManyRedirects), URLError(.dataLengthExceedsMaximum),
            URLError(.cancelled), NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
            CancellationError(), Offline(), TokenError.sessionEnded, TokenError.tooManyRefreshes,
            NetworkError(NetworkResponse(statusCode: 501)),
            NetworkError(NetworkResponse(statusCode: 429)),
        ] as [any Error]
    )
    func `any other error is thrown`(error: any Error) async throws {
        try await client.storeStale()

        let thrown = await #expect(throws: (any Error).self) {
            try await client.send { _ in throw error }
        }

        #expect(thrown.map { type(of: $0) == type(of: error) } == true)
        #expect((thrown as? NetworkError)?.code == (error as? NetworkError)?.code)
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [
        (500, true), (502, true), (503, true), (504, true), (400, false), (401, false),
        (403, false), (404, false), (408, false), (429, false), (501, false), (505, false),
        (599, false),
    ])
    func `a stale response is served when the server returns 500, 502, 503 or 504`(
        status: Int,
        isServed: Bool
    ) async throws {
        try await client.storeStale()

        let response = try await client.send { _ in NetworkResponse(statusCode: status) }

        #expect(response.source.code == (isServed ? .staleIfError : .network))
        #expect(response.text == (isServed ? "old" : ""))
        let failure = response.source.failure as? NetworkError
        #expect((failure?.statusCode ?? response.statusCode) == status)
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
        client.cache.make(.invalidated)

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

        let headers = ["Cache-Control": requestDirectives]
        let result = try? await client.send(headers: headers, server: unreachable)

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

        try await expectServedOffline(for: 86_400)
        try await client.send { _ in NetworkResponse(statusCode: 304, headers: ["Date": sent]) }
        try await expectServedOffline(for: 86_400)
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test(arguments: [("30", 86_430), ("60", 86_400), ("600", 86_400)])
    func `a response that was old when it arrived is served for a day after its lifetime`(
        age: String,
        seconds: Int
    ) async throws {
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60", "Age": age]
        try await client.store("old", responseHeaders: headers)

        try await expectServedOffline(for: seconds)
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
        let headers: NetworkHeaders = ["Cache-Control": "max-age=60, stale-if-error=0"]
        try await client.store("old", responseHeaders: headers)

        let response = try await client.send(policy: .networkFirst, server: unreachable)
        #expect(response.source.code == .staleIfError)

        client.cache.make(.invalidated)
        await #expect(throws: NetworkError.self) {
            try await client.send(policy: .networkFirst, server: unreachable)
        }
    }

    // Rule: cache/stale-if-error-is-marked (35)
    @Test func `a stale response is marked with the failure, and dated to its last validation`()
        async throws
    {
        try await client.storeStale()
        try await client.send { _ in NetworkResponse(statusCode: 304) }
        let validatedAt = client.clock.date
        client.clock.advance(by: .seconds(100))

        let response = try await client.send(server: unreachable)

        let failure = NetworkError(.unreachable)
        #expect(response.source == .staleIfError(asOf: validatedAt, failure: failure))
        #expect((response.source.failure as? NetworkError)?.code == .unreachable)
        #expect(response.headers["Age"] == "100")
    }

    // Rule: cache/retries-come-first (37)
    @Test func `a stale response is served only after all retries have failed`() async throws {
        try await client.storeStale()
        let network = client.network(
            CoalescingBehavior { "" },
            RetryBehavior(effects: client.clock.effects()),
            server: unreachable
        )

        let response = try await network.send(
            NetworkRequest<NetworkResponse>.get("products", "boots")
        )

        #expect(response.text == "old" && client.requestCount == 4)
    }

    // Rule: cache/retries-come-first (37); cache/stale-if-error-causes (33)
    @Test func `a stale response is served if the delay that the server requires is too long`()
        async throws
    {
        try await client.storeStale()
        let network = client.network(RetryBehavior(effects: client.clock.effects())) { _ in
            NetworkResponse(statusCode: 503, headers: ["Retry-After": "120"])
        }

        let response = try await network.send(
            NetworkRequest<NetworkResponse>.get("products", "boots")
        )

        #expect(response.text == "old" && client.requestCount == 2)
        let failure = response.source.failure as? NetworkError
        #expect(failure?.debugDescription.contains("only 60.0 s are left") == true)
    }

    /// Expects that the stored response is served on error for a time, and not a second longer.
    private func expectServedOffline(for seconds: Int) async throws {
        client.clock.advance(by: .seconds(seconds))
        #expect(try await client.send(server: unreachable).text == "old")
        client.clock.advance(by: .seconds(1))
        await #expect(throws: NetworkError.self) { try await client.send(server: unreachable) }
    }
}
