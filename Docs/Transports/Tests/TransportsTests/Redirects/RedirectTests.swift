import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Rule: security/redirect-needs-http-scheme (7); security/redirect-drops-url-credentials (9)
/// The targets of redirects.
@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
    @Test(
        arguments: TransportUnderTest.allCases,
        ["/v2", "v2", "/v1/", "../a%20b/v2?q=1#part", "//127.0.0.1:port/v2"]
    )
    func `a redirect to the same origin is followed with all fields`(
        transport: TransportUnderTest,
        location: String
    ) async throws {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            let port = request.header("Host")?.split(separator: ":").last ?? ""
            let target = location.replacing("port", with: port)
            try await connection.respond(301, headers: ["Location: \(target)"])
        }) { server, url in
            var request = URLRequest.to(url)
            request.setValue("Bearer token", forHTTPHeaderField: "Authorization")

            let response = try await transport.make().response(for: request)

            #expect(response.statusCode == 200)
            #expect(
                server.requests.map { $0.header("Authorization") } == [
                    "Bearer token", "Bearer token",
                ]
            )
        }
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            "ftp://127.0.0.1/file", "javascript:alert(1)", "http://shop.example/v1", "http://",
            "file:///etc/hosts",
        ]
    )
    func `a redirect to a forbidden URL is an error`(
        transport: TransportUnderTest,
        location: String
    ) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond(302, headers: ["Location: \(location)"])
        }) { server, url in
            let error = await #expect(throws: NetworkError.self) {
                try await transport.make().response(for: .to(url))
            }

            #expect(error?.code == .redirect)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a user name and password in a redirect are dropped`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            let host = request.header("Host") ?? ""
            try await connection.respond(302, headers: ["Location: http://user:secret@\(host)/v2"])
        }) { server, url in
            let response = try await transport.make().response(for: .to(url))

            #expect(response.statusCode == 200)
            #expect(server.requests.map { $0.header("Authorization") } == [nil, nil])
        }
    }
}
