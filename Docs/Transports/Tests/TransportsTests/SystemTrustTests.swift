import Foundation
import NIOSSL
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whom `URLSessionTransport` believes: the system's roots, which know no authority of a test.
@Suite(.timeLimit(.minutes(1))) struct SystemTrustTests {
    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: TestServer.allCases, ["GET", "PUT", "POST"])
    func `an unknown server is told nothing and asked once`(
        kind: TestServer,
        method: String
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)

        try await expectSilence(towards: security, as: .untrusted) { address in
            var request = URLRequest(url: address)
            request.httpMethod = method
            return try await URLSessionTransport(deadline: .seconds(20)).response(for: request)
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: TestServer.allCases)
    func `an unknown server is not asked again by the library either`(
        kind: TestServer
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)

        let error = try await expectSilence(towards: security, as: .untrusted) { address in
            let service = ProductService(
                baseURL: address,
                localUser: LocalUser(currency: "EUR"),
                networking: URLSessionTransport()
            ) { "token" }
            return try await service.loader.loadProduct(withID: "boots")
        }

        #expect(error?.attempts.isEmpty == true)
    }

    @Test func `a server without TLS gets no request over https`() async throws {
        try await expectSilence(towards: nil, as: .untrusted, ask)
    }

    @Test func `a server with TLS answers no plain request`() async throws {
        let security = try TestAuthority().configuration(for: .sound)

        try await expectSilence(towards: security, over: "http", as: .connectionLost, ask)
    }

    #if !canImport(Security)
    // Rule: security/trust-check-must-be-possible (25)
    @Test func `a question about trust that cannot be asked is refused unsent`() async throws {
        let security = try TestAuthority().configuration(for: .sound)

        try await expectSilence(towards: security, as: .untrusted, connections: 0) { address in
            try await URLSessionTransport(isTrusted: { _ in true })
                .response(for: URLRequest(url: address))
        }
    }
    #endif

    private func ask(_ address: URL) async throws -> NetworkResponse {
        try await URLSessionTransport().response(for: URLRequest(url: address))
    }
}
