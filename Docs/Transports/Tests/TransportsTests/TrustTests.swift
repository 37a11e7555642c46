import Foundation
import NIOSSL
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The certificates that `AsyncHTTPClientNetworking` trusts.
@Suite(.timeLimit(.minutes(1))) struct TrustTests {
    @Test func `a server with a certificate of the trusted authority gets the request`()
        async throws
    {
        let authority = try TestAuthority()
        let security = try authority.configuration(for: .valid)
        try await withSecuredServer(security) { server, port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))

            let response = try await TestClient.run(trusting: authority) { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"id": "boots"}"#)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 1)
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: [TestServer.expired, .wrongHost, .selfSigned])
    func `any other server gets one connection and no request`(kind: TestServer) async throws {
        let authority = try TestAuthority()
        let security = try authority.configuration(for: kind)

        try await SecuredServer.expectNoRequest(
            with: security,
            failingWith: .untrusted
        ) { address in
            try await TestClient.run(trusting: authority) { networking in
                try await networking.response(for: URLRequest(url: address))
            }
        }
    }

    @Test func `a certificate of an untrusted authority is not trusted`() async throws {
        let security = try TestAuthority().configuration(for: .valid)

        try await SecuredServer.expectNoRequest(with: security, failingWith: .untrusted, send)
    }

    @Test func `an https request to a server without TLS is not sent`() async throws {
        try await SecuredServer.expectNoRequest(with: nil, failingWith: .untrusted, send)
    }

    @Test func `an http request to a server with TLS fails`() async throws {
        let security = try TestAuthority().configuration(for: .valid)

        try await SecuredServer.expectNoRequest(
            with: security,
            over: "http",
            failingWith: .connectionLost,
            send
        )
    }

    private func send(_ address: URL) async throws -> NetworkResponse {
        try await TestClient.run { networking in
            try await networking.response(for: URLRequest(url: address))
        }
    }
}
