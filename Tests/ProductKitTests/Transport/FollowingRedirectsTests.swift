import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests the rules for redirects without a network; `URLSessionTransport` follows the same rules.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FollowingRedirectsTests {
    // Rule: security/redirect-drops-authorization (1); security/redirect-drops-other-fields (2)
    // Rule: security/redirect-drops-cookies (3); security/redirect-drops-idempotency-key (4)
    @Test(arguments: [
        ("https://127.0.0.1/v1", "https://127.0.0.1:8443/v2"),
        ("https://127.0.0.1/v1", "https://localhost/v2"),
        ("https://127.0.0.1/v1", "//elsewhere.example/v2"),
        ("https://127.0.0.1/v1", "https://127.0.0.1.example/v2"),
        ("http://127.0.0.1:81/v1", "http://127.0.0.1/v2"),
        ("http://127.0.0.1:80/v1", "https://127.0.0.1:80/v2"),
        ("http://127.0.0.1:80/v1", "https://127.0.0.1/v2"),
    ])
    func `another scheme, host or port receives no secrets`(
        start: String,
        location: String
    ) async throws {
        let sent = try await requests(from: start, redirectedTo: location)

        // Apple's `URLRequest` changes the case of names that it knows.
        let names = sent.last?.allHTTPHeaderFields?.keys.map { $0.lowercased() } ?? []
        #expect(Set(names) == ["accept", "accept-language", "user-agent"])
        #expect(sent.count == 2)
    }

    @Test(arguments: [
        "/v2", "v2", "?page=2", "/v1/", "https://API.example.com/v2",
        "HTTPS://api.example.com:443/v2", "//api.example.com/v2",
    ])
    func `the same origin receives all header fields`(location: String) async throws {
        let sent = try await requests(from: "https://api.example.com/v1", redirectedTo: location)

        #expect(sent.last?.value(forHTTPHeaderField: "Authorization") == "Bearer canary")
        #expect(sent.last?.url?.scheme == "https")
        #expect(sent.count == 2)
    }

    // Rule: security/no-redirect-to-plain-http (5); security/redirect-needs-http-scheme (7)
    @Test(arguments: [
        "http://api.example.com/v1", "http://127.0.0.1/v1", "HTTP://api.example.com/",
        "ftp://api.example.com/", "file:///etc/hosts", "javascript:alert(1)", "data:,x",
        "https://", "https:///v1", "",
    ])
    func `a redirect from https to anything else is not followed`(location: String) async {
        let error = await #expect(throws: NetworkError.self) {
            try await requests(from: "https://api.example.com/v1", redirectedTo: location)
        }

        #expect(error?.code == .redirect)
    }

    // Rule: security/redirect-length-is-limited (42)
    @Test(arguments: [("", true), ("a", false), (String(repeating: "a", count: 1 << 20), false)])
    func `a redirect to more than 8 KiB is not followed`(
        rest: String,
        isFollowed: Bool
    ) async throws {
        // With the 24 bytes before it, the path has 8 KiB.
        let path = String(repeating: "a", count: 8_168)
        func requests() async throws -> [URLRequest] {
            try await self.requests(
                from: "https://api.example.com/",
                redirectedTo: "/\(path)\(rest)"
            )
        }

        guard isFollowed else {
            await expectNetworkError(.redirect) { try await requests() }
            return
        }
        #expect(try await requests().count == 2)
    }

    // Rule: security/plain-http-is-refused (6)
    @Test(arguments: [
        "http://shop.example/v1", "http://127.0.0.08/", "http://127.0.0.256/", "http://127.1/",
        "http://127.0.0.1.example/", "http://10.0.0.1/",
    ])
    func `a redirect to insecure http on another host must be allowed`(
        location: String
    ) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await requests(from: "http://127.0.0.1/v1", redirectedTo: location)
        }
        #expect(error?.code == .redirect)

        let sent = try await requests(
            from: "http://127.0.0.1/v1",
            redirectedTo: location,
            allowsInsecureHTTP: true
        )
        #expect(sent.count == 2)
    }

    // Rule: security/redirect-drops-url-credentials (9)
    @Test func `a user name and password are removed`() async throws {
        let sent = try await requests(
            from: "https://api.example.com/v1",
            redirectedTo: "https://shop:secret@api.example.com/v2"
        )

        #expect(sent.last?.url?.absoluteString == "https://api.example.com/v2")
    }

    // Rule: security/unsafe-request-follows-no-redirect (8)
    @Test(arguments: [301, 302, 303, 307, 308], ["PUT", "POST", "PATCH", "DELETE"])
    func `a redirect of an unsafe request is returned`(status: Int, method: String) async throws {
        #expect(try await statusCode(of: method, redirectedWith: status) == status)
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 404])
    func `a response that is not a redirect is returned`(status: Int) async throws {
        #expect(try await statusCode(of: "GET", redirectedWith: status) == status)
    }

    /// The status code of the response if the server responds to all requests in this way.
    private func statusCode(of method: String, redirectedWith status: Int) async throws -> Int {
        let networking: any Networking = .closure { _ in
            NetworkResponse(statusCode: status, headers: ["Location": "/v2"])
        }
        .followingRedirects()
        var request = URLRequest(url: .api)
        request.httpMethod = method
        return try await networking.response(for: request).statusCode
    }

    /// The requests that are sent when the response to the first one is a redirect.
    private func requests(
        from start: String,
        redirectedTo location: String,
        allowsInsecureHTTP: Bool = false
    ) async throws -> [URLRequest] {
        var request = URLRequest(url: try #require(URL(string: start)))
        request.allHTTPHeaderFields = [
            "Authorization": "Bearer canary", "Cookie": "canary", "X-Api-Key": "canary",
            "Idempotency-Key": "canary", "Accept": "*/*", "accept-language": "de",
            "User-Agent": "x",
        ]
        let sent = Mutex<[URLRequest]>([])
        let networking: any Networking = .closure { request in
            let count = sent.withLock { sent in
                sent.append(request)
                return sent.count
            }
            guard count == 1 else { return NetworkResponse() }
            return NetworkResponse(statusCode: 302, headers: ["Location": location])
        }
        .followingRedirects(allowsInsecureHTTP: allowsInsecureHTTP)
        _ = try await networking.response(for: request)
        return sent.withLock(\.self)
    }
}
