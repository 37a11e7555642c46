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
/// A redirect leads nothing astray.
@Suite(.timeLimit(.minutes(1))) struct RedirectSecrecyTests {
    @Test func `another port is another origin, which learns nothing`() async throws {
        try await withTwoServers { here, there in
            _ = try await URLSessionTransport().response(for: confidential(here))

            let request = try #require(there().first)
            let harmless: Set = ["accept", "accept-language", "user-agent"]
            let own: Set = ["host", "connection", "accept-encoding"]
            #expect(Set(request.headers.keys).isSubset(of: harmless.union(own)))
            #expect(request.header("Accept") == "application/json")
            #expect(request.header("Accept-Language") == "de-AT")
            #expect(request.header("User-Agent") == "Shop/1")
            #expect(!request.head.contains("canary"))
        }
    }

    @Test func `another name of the same machine is another origin, which learns nothing`()
        async throws
    {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            let port = request.header("Host")?.split(separator: ":").last ?? ""
            try await connection.respond(302, headers: ["Location: http://localhost:\(port)/v2"])
        }) { server, url in
            let answer = try await URLSessionTransport().response(for: confidential(url))

            #expect(answer.url?.host == "localhost")
            #expect(server.requests.map(\.target) == ["/v1", "/v2"])
            #expect(server.requests.last?.head.contains("canary") == false)
        }
    }

    @Test func `the same origin keeps everything, in whatever case it is written`() async throws {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            let host = request.header("Host") ?? ""
            try await connection.respond(308, headers: ["Location: HTTP://\(host)/v2"])
        }) { server, url in
            _ = try await URLSessionTransport().response(for: confidential(url))

            #expect(server.requests.last?.header("Authorization") == "Bearer canary")
            #expect(server.requests.last?.header("Idempotency-Key") == "canary")
        }
    }

    @Test func `what was dropped stays dropped when it leads back`() async throws {
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
            _ = try await URLSessionTransport().response(for: confidential(url))

            #expect(server.requests.map(\.target) == ["/v1", "/b", "/c"])
            #expect(server.requests.last?.head.contains("canary") == false)
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["PUT", "POST", "DELETE"])
    func `a write is not led on: the redirect is the answer, with its body`(
        status: Int,
        method: String
    ) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond(
                status,
                headers: ["Location: /v2"],
                body: Data("moved".utf8)
            )
        }) { server, url in
            let answer = try await URLSessionTransport().response(for: .to(url, method))

            #expect(answer.statusCode == status)
            #expect(answer.headers["Location"] == "/v2")
            #expect(answer.body == Data("moved".utf8))
            #expect(server.requests.map(\.target) == ["/v1"])
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["GET", "HEAD"])
    func `a read is led on with its method`(status: Int, method: String) async throws {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else {
                return try await connection.respond(204, body: Data())
            }
            try await connection.respond(status, headers: ["Location: /v2"], body: Data())
        }) { server, url in
            let answer = try await URLSessionTransport().response(for: .to(url, method))

            #expect(answer.statusCode == 204)
            #expect(server.requests.map(\.method) == [method, method])
        }
    }

    @Test(arguments: [19, 20, 21, 25])
    func `twenty hops are followed, and not one more`(hops: Int) async throws {
        try await withFaultServer({ request, connection in
            let number = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            guard number < hops else { return try await connection.respond(204, body: Data()) }
            try await connection.respond(302, headers: ["Location: /\(number + 1)"], body: Data())
        }) { server, url in
            let transport = URLSessionTransport()
            if hops <= 20 {
                let answer = try await transport.response(for: .to(url))
                #expect(answer.statusCode == 204)
            } else {
                let error = await #expect(throws: NetworkError.self) {
                    try await transport.response(for: .to(url))
                }
                #expect(error?.code == .redirect)
                #expect(server.requests.count == 21)
            }
        }
    }

    @Test func `a redirect without a target is the answer`() async throws {
        try await withFaultServer({ _, connection in try await connection.respond(302, headers: []) }
        ) {
            _,
            url in
            let answer = try await URLSessionTransport().response(for: .to(url))

            #expect(answer.statusCode == 302)
        }
    }

    /// A request whose every secret is called canary.
    private func confidential(_ url: URL) -> URLRequest {
        var request = URLRequest.to(url)
        request.allHTTPHeaderFields = [
            "Authorization": "Bearer canary", "Cookie": "id=canary", "X-Api-Key": "canary",
            "Idempotency-Key": "canary", "Proxy-Authorization": "canary", "Referer": "canary",
            "Accept": "application/json", "accept-language": "de-AT", "USER-AGENT": "Shop/1",
        ]
        return request
    }

    private func withTwoServers(
        _ body: (_ here: URL, _ there: () -> [FaultServer.Request]) async throws -> Void
    ) async throws {
        try await withFaultServer(.validResponse) { there, target in
            try await withFaultServer({ _, connection in
                try await connection.respond(302, headers: ["Location: \(target)"])
            }) { _, here in
                try await body(here) { there.requests }
            }
        }
    }
}
