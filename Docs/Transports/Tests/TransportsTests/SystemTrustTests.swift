import Foundation
import NIOSSL
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSessionTransport` trusts the certificate authorities of the system, not that of the test.
@Suite(.timeLimit(.minutes(1))) struct SystemTrustTests {
    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: TestServer.allCases, ["GET", "PUT", "POST"])
    func `an untrusted server gets one connection and no request`(
        kind: TestServer,
        method: String
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)

        try await SecuredServer.expectNoRequest(
            with: security,
            failingWith: .untrusted
        ) { address in
            var request = URLRequest(url: address)
            request.httpMethod = method
            return try await URLSessionTransport(deadline: .seconds(20)).response(for: request)
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: TestServer.allCases)
    func `a ProductService does not retry a request to an untrusted server`(
        kind: TestServer
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)

        let error = try await SecuredServer.expectNoRequest(
            with: security,
            failingWith: .untrusted
        ) { address in
            let service = ProductService(
                baseURL: address,
                localUser: LocalUser(currency: "EUR"),
                networking: URLSessionTransport()
            ) { "token" }
            return try await service.loader.loadProduct(withID: "boots")
        }

        #expect(error?.attempts.isEmpty == true)
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

    #if !canImport(Security)
    // Rule: security/trust-check-must-be-possible (25)
    @Test func `a request is not sent if the platform cannot check a certificate with a closure`()
        async throws
    {
        let security = try TestAuthority().configuration(for: .valid)

        try await SecuredServer.expectNoRequest(
            with: security,
            failingWith: .untrusted,
            connections: 0
        ) { address in
            try await URLSessionTransport(isTrusted: { _ in true })
                .response(for: URLRequest(url: address))
        }
    }
    #endif

    private func send(_ address: URL) async throws -> NetworkResponse {
        try await URLSessionTransport().response(for: URLRequest(url: address))
    }
}
