import Foundation
import NIOSSL
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whom `AsyncHTTPClientNetworking` believes.
@Suite(.timeLimit(.minutes(1))) struct TrustTests {
    @Test
    func `a server that the authority vouches for is believed`() async throws {
        let authority = try TestAuthority()
        let security = try authority.configuration(for: .sound)
        try await withSecuredServer(security) { server, port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))

            let response = try await withClient(trusting: authority) { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"id": "boots"}"#)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 1)
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: [TestServer.expired, .ofAnotherHost, .selfSigned])
    func `any other server is told nothing and asked once`(kind: TestServer) async throws {
        let authority = try TestAuthority()
        let security = try authority.configuration(for: kind)

        try await expectSilence(towards: security, as: .untrusted) { address in
            try await withClient(trusting: authority) { networking in
                try await networking.response(for: URLRequest(url: address))
            }
        }
    }

    @Test func `an authority that nobody trusts vouches for nobody`() async throws {
        let security = try TestAuthority().configuration(for: .sound)

        try await expectSilence(towards: security, as: .untrusted, ask)
    }

    @Test func `a server without TLS gets no request over https`() async throws {
        try await expectSilence(towards: nil, as: .untrusted, ask)
    }

    @Test func `a server with TLS answers no plain request`() async throws {
        let security = try TestAuthority().configuration(for: .sound)

        try await expectSilence(towards: security, over: "http", as: .connectionLost, ask)
    }

    private func ask(_ address: URL) async throws -> NetworkResponse {
        try await withClient { networking in
            try await networking.response(for: URLRequest(url: address))
        }
    }
}
