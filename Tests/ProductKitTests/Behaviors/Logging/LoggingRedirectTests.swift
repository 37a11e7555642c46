import Foundation
import ProductKit
import Testing

/// The advice to avoid a redirect.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LoggingRedirectTests {
    // Rule: requests/avoidable-redirect-is-logged (8)
    @Test(
        arguments: [
            "https://a.example/goods/?q=1", "http://a.example/goods?q=1",
            "https://www.a.example/goods?q=1", "https://a.example:8443/goods?q=1",
            "http://b.example:80/goods/?q=1#top",
        ]
    )
    func `a redirect that the base URL could have avoided is logged with advice`(
        target: String
    ) async throws {
        let line = try await line(for: "https://a.example/goods?q=1", respondedBy: target)

        let url = target.replacing("#top", with: "")
        #expect(
            line == "GET https://a.example/goods?q=1 received status 200 and 0 bytes in 0.0 ms "
                + "after a redirect to \(url), which another base URL or appendsSlash avoids"
        )
    }

    // Rule: requests/avoidable-redirect-is-logged (8)
    @Test func `a slash that is too much is logged, too`() async throws {
        let line = try await line(for: "https://a.example/a/", respondedBy: "https://a.example/a")

        #expect(line.contains("after a redirect to https://a.example/a, which"))
    }

    @Test(
        arguments: [
            ("https://a.example/a", "https://a.example/a"),
            ("https://a.example/a", "HTTPS://A.example:443/a"),
            ("https://a.example", "https://a.example/"),
            ("https://a.example/a", "https://a.example/b"),
            ("https://a.example/a", "https://a.example/b/a/"),
            ("https://a.example/a", "https://a.example/a?page=1"),
            ("https://a.example/a%2F", "https://a.example/a"),
        ]
    )
    func `the same URL and another path are logged without advice`(
        address: String,
        target: String
    ) async throws {
        let line = try await line(for: address, respondedBy: target)

        #expect(line == "GET \(address) received status 200 and 0 bytes in 0.0 ms")
    }

    @Test func `an unsafe request is logged without advice`() async throws {
        let line = try await line(
            for: "https://a.example/a",
            respondedBy: "https://a.example/a/",
            method: "POST"
        )

        #expect(!line.contains("redirect"))
    }

    // Rule: security/no-url-secrets-in-text (16)
    @Test func `the target of a redirect is logged without secrets`() async throws {
        let line = try await line(
            for: "https://a.example/a?token=canary",
            respondedBy: "https://canary:canary@a.example/a/?token=canary#canary"
        )

        #expect(line.contains("after a redirect to https://a.example/a/?token=redacted, which"))
        #expect(!line.contains("canary"))
    }

    private func line(
        for address: String,
        respondedBy target: String,
        method: String = "GET"
    ) async throws -> String {
        let lines = Lines()
        let time = ManualClock(skipsDelays: true)
        let logging = LoggingBehavior(effects: time.effects()) { lines.add($0.description) }
        let request = OutgoingRequest(method, try #require(URL(string: address)))
        let url = try #require(URL(string: target))
        _ = try await logging.intercept(
            request,
            next: NetworkExchange { _ in
                NetworkResponse(url: url)
            }
        )
        return try #require(lines.all.last)
    }
}
