import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StandInTests {
    private let client = CachedClient()

    // Rule: cache/stale-if-error-causes (33); cache/stale-if-error-is-marked (35)
    @Test(arguments: [
        NetworkError.Code.unreachable, .timedOut, .connectionLost, .incomplete,
    ])
    func `what is stored stands in for a server that cannot be reached`(
        code: NetworkError.Code
    ) async throws {
        try await client.store("old")
        let stored = client.timeline.now
        client.timeline.move(by: .seconds(60))

        let answer = try await client.send { _ in throw NetworkError(code) }

        #expect(answer.text == "old" && answer.headers["Age"] == "60")
        #expect(answer.source == .staleIfError(asOf: stored, failure: NetworkError(code)))
        #expect((answer.source.failure as? NetworkError)?.code == code)
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, true), (.cannotFindHost, true),
        (.dnsLookupFailed, true), (.cannotConnectToHost, true), (.timedOut, true),
        (.networkConnectionLost, true), (.serverCertificateUntrusted, false),
        (.secureConnectionFailed, false), (.badURL, false), (.httpTooManyRedirects, false),
        (.dataLengthExceedsMaximum, false), (.cancelled, false),
    ])
    func `what the system says is understood`(code: URLError.Code, standsIn: Bool) async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        let result = try? await client.send { _ in throw URLError(code) }

        #expect(result?.text == (standsIn ? "old" : nil))
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [500, 502, 503, 504])
    func `what is stored stands in for a server that fails`(status: Int) async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        let answer = try await client.send { _ in NetworkResponse(statusCode: status) }

        #expect(answer.text == "old" && answer.source.code == .staleIfError)
        #expect((answer.source.failure as? NetworkError)?.statusCode == status)
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test(arguments: [400, 401, 403, 404, 408, 429, 501, 505, 599])
    func `another status is the server's word`(status: Int) async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        let answer = try await client.send { _ in NetworkResponse(statusCode: status) }

        #expect(answer.statusCode == status && answer.source == .network)
    }

    // Rule: cache/stale-if-error-causes (33); security/bad-certificate-is-final (24)
    @Test(arguments: [
        NetworkError.Code.untrusted, .invalidRequest, .insecure, .redirect, .tooLarge, .unreadable,
    ])
    func `another failure is thrown`(code: NetworkError.Code) async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        let error = await #expect(throws: NetworkError.self) {
            try await client.send { _ in throw NetworkError(code) }
        }

        #expect(error?.code == code)
        await #expect(throws: Offline.self) { try await client.send { _ in throw Offline() } }
    }

    // Rule: cache/stale-if-error-causes (33)
    @Test func `a cancellation stays one`() async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await client.send { _ in throw CancellationError() }
        }
    }

    // Rule: cache/stale-if-error-causes (33); cache/six-policies (58)
    @Test(arguments: [
        (FetchPolicy.standard, true), (.cacheFirst, true), (.networkFirst, true),
        (.revalidate, false), (.reload, false),
    ])
    func `nothing stands in for the server's word`(
        policy: FetchPolicy,
        standsIn: Bool
    ) async throws {
        try await client.store("old")
        client.cache.invalidate(.shop("products/boots"))

        let offline = try? await client.send(policy: policy, server: unreachable)
        let failed = try await client.send(policy: policy) { _ in NetworkResponse(statusCode: 503) }

        #expect(offline?.text == (standsIn ? "old" : nil))
        #expect(failed.statusCode == (standsIn ? 200 : 503))
        #expect(failed.source.code == (standsIn ? .staleIfError : .network))
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
    func `an answer may be so stale and no more`(
        answer: String,
        question: String,
        age: Int,
        standsIn: Bool
    ) async throws {
        try await client.store("old", responseHeaders: ["Cache-Control": "max-age=60" + answer])
        client.timeline.move(by: .seconds(age))

        let result = try? await client.send(
            headers: question.isEmpty ? [:] : ["Cache-Control": question],
            server: unreachable
        )

        #expect(result?.text == (standsIn ? "old" : nil))
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test func `the limit can be chosen`() async throws {
        let client = CachedClient(staleIfErrorLimit: .seconds(5))
        try await client.store("old")

        client.timeline.move(by: .seconds(65))
        #expect(try await client.send(server: unreachable).text == "old")
        client.timeline.move(by: .seconds(1))
        #expect(try await client.send { _ in NetworkResponse(statusCode: 500) }.statusCode == 500)
    }

    // Rule: cache/stale-if-error-limit (34)
    @Test func `what is fresh stands in whatever the limit`() async throws {
        try await client.store(
            "old",
            responseHeaders: ["Cache-Control": "max-age=60, stale-if-error=0"]
        )

        let answer = try await client.send(policy: .networkFirst, server: unreachable)
        #expect(answer.source.code == .staleIfError)

        client.cache.invalidate(.shop("products/boots"))
        await #expect(throws: NetworkError.self) {
            try await client.send(policy: .networkFirst, server: unreachable)
        }
    }

    // Rule: cache/stale-if-error-is-marked (35)
    @Test func `it is as of the last time the server vouched for it`() async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))
        try await client.send { _ in NetworkResponse(statusCode: 304) }
        let confirmed = client.timeline.now
        client.timeline.move(by: .seconds(100))

        let answer = try await client.send(server: unreachable)

        #expect(answer.source.asOf == confirmed)
    }

    // Rule: cache/retries-come-first (37)
    @Test func `the cache falls back only after retries have given up`() async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))
        let sends = Counter()
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sends.next()
                throw NetworkError(.unreachable)
            },
            behaviors: [
                client.behavior, CoalescingBehavior(),
                RetryBehavior(effects: client.timeline.effects()),
            ]
        )

        let answer = try await network.send(
            NetworkRequest<NetworkResponse>.get("products", "boots")
        )

        #expect(answer.text == "old" && sends.count == 3)
    }
}
