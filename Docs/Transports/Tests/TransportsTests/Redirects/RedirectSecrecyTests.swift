import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Rule: security/redirect-drops-authorization (1); security/redirect-drops-other-fields (2)
// Rule: security/redirect-drops-cookies (3); security/redirect-drops-idempotency-key (4)
// Rule: security/no-redirect-to-plain-http (5); security/redirect-needs-http-scheme (7)
// Rule: security/unsafe-request-follows-no-redirect (8)
// Rule: security/redirect-drops-url-credentials (9)
/// The header fields and methods of redirected requests.
@Suite(.timeLimit(.minutes(5))) struct RedirectSecrecyTests {
    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect to another port drops confidential header fields`(
        transport: TransportUnderTest
    ) async throws {
        try await withTwoServers { url, redirectedRequests in
            _ = try await transport.make().response(for: confidential(url))

            let request = try #require(redirectedRequests().first)
            let allowed: Set = ["accept", "accept-language", "user-agent"]
            let added: Set = ["host", "connection", "accept-encoding"]
            #expect(Set(request.headers.keys).isSubset(of: allowed.union(added)))
            #expect(request.header("Accept") == "application/json")
            #expect(request.header("Accept-Language") == "de-AT")
            #expect(request.header("User-Agent") == "Shop/1")
            #expect(!request.head.contains("canary"))
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect to another name of the host drops confidential header fields`(
        transport: TransportUnderTest
    )
        async throws
    {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            let port = request.header("Host")?.split(separator: ":").last ?? ""
            try await connection.respond(302, headers: ["Location: http://localhost:\(port)/v2"])
        }) { server, url in
            let response = try await transport.make().response(for: confidential(url))

            #expect(response.url?.host == "localhost")
            #expect(server.requests.map(\.target) == ["/v1", "/v2"])
            #expect(server.requests.last?.head.contains("canary") == false)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect to the same origin keeps all fields, whatever the case of the scheme`(
        transport: TransportUnderTest
    )
        async throws
    {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            let host = request.header("Host") ?? ""
            try await connection.respond(308, headers: ["Location: HTTP://\(host)/v2"])
        }) { server, url in
            _ = try await transport.make().response(for: confidential(url))

            #expect(server.requests.last?.header("Authorization") == "Bearer canary")
            #expect(server.requests.last?.header("Idempotency-Key") == "canary")
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `dropped fields stay dropped when a redirect returns to the first origin`(
        transport: TransportUnderTest
    )
        async throws
    {
        try await withFaultServer({ request, connection in
            let port = request.header("Host")?.split(separator: ":").last ?? ""
            switch request.target {
            case "/v1":
                try await connection.respond(302, headers: ["Location: http://localhost:\(port)/b"])
            case "/b":
                try await connection.respond(302, headers: ["Location: http://127.0.0.1:\(port)/c"])
            default: try await connection.respond()
            }
        }) { server, url in
            _ = try await transport.make().response(for: confidential(url))

            #expect(server.requests.map(\.target) == ["/v1", "/b", "/c"])
            #expect(server.requests.last?.head.contains("canary") == false)
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [301, 302, 303, 307, 308])
    func `a redirect of an unsafe request is returned as a response`(
        transport: TransportUnderTest,
        status: Int
    ) async throws {
        for method in ["PUT", "POST", "DELETE"] {
            try await withFaultServer({ _, connection in
                try await connection.respond(
                    status,
                    headers: ["Location: /v2"],
                    body: Data("moved".utf8)
                )
            }) { server, url in
                let response = try await transport.make().response(for: .to(url, method))

                #expect(response.statusCode == status)
                #expect(response.headers["Location"] == "/v2")
                #expect(response.body == Data("moved".utf8))
                #expect(server.requests.map(\.target) == ["/v1"])
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [301, 302, 303, 307, 308])
    func `a redirect of a safe request is followed with its method`(
        transport: TransportUnderTest,
        status: Int
    ) async throws {
        for method in ["GET", "HEAD"] {
            try await withFaultServer({ request, connection in
                guard request.target == "/v1" else {
                    return try await connection.respond(204, body: Data())
                }
                try await connection.respond(status, headers: ["Location: /v2"], body: Data())
            }) { server, url in
                let response = try await transport.make().response(for: .to(url, method))

                #expect(response.statusCode == 204)
                #expect(server.requests.map(\.method) == [method, method])
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [19, 20, 21, 25])
    func `at most twenty redirects are followed`(
        transport: TransportUnderTest,
        hops: Int
    ) async throws {
        try await withFaultServer({ request, connection in
            let number = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            guard number < hops else { return try await connection.respond(204, body: Data()) }
            try await connection.respond(302, headers: ["Location: /\(number + 1)"], body: Data())
        }) { server, url in
            let networking = try transport.make()
            if hops <= 20 {
                let response = try await networking.response(for: .to(url))
                #expect(response.statusCode == 204)
            } else {
                let error = await #expect(throws: NetworkError.self) {
                    try await networking.response(for: .to(url))
                }
                #expect(error?.code == .redirect)
                #expect(server.requests.count == 21)
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect without a Location field is returned as a response`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond(302, headers: [])
        }) { _, url in
            let response = try await transport.make().response(for: .to(url))

            #expect(response.statusCode == 302)
        }
    }

    /// A request whose confidential header fields all contain “canary”.
    private func confidential(_ url: URL) -> URLRequest {
        var request = URLRequest.to(url)
        request.allHTTPHeaderFields = [
            "Authorization": "Bearer canary", "Cookie": "id=canary", "X-Api-Key": "canary",
            "Idempotency-Key": "canary", "Proxy-Authorization": "canary", "Referer": "canary",
            "Accept": "application/json", "accept-language": "de-AT", "USER-AGENT": "Shop/1",
        ]
        return request
    }

    /// Runs a server that redirects to another server.
    ///
    /// The body receives the URL of the first and the requests of the second server.
    private func withTwoServers(
        _ body: (URL, _ redirectedRequests: () -> [FaultServer.Request]) async throws -> Void
    ) async throws {
        try await withFaultServer(.validResponse) { server, target in
            try await withFaultServer({ _, connection in
                try await connection.respond(302, headers: ["Location: \(target)"])
            }) { _, url in
                try await body(url) { server.requests }
            }
        }
    }
}
