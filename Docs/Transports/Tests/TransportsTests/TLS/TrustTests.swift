#if canImport(Glibc) && !THREAD_SANITIZER
import Foundation
import NIOSSL
import ProductKit
import SecuredServer
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The servers that each transport trusts.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TrustTests {
    @Test(arguments: TransportUnderTest.allCases, ["GET", "PUT"])
    func `a server with a certificate of a trusted authority gets the request`(
        transport: TransportUnderTest,
        method: String
    ) async throws {
        let security = try TestAuthority.trusted().configuration(for: .valid)
        try await withSecuredServer(security) { server, port in
            let url = try #require(URL(string: "https://localhost:\(port)/v1"))

            let response = try await transport.make().response(for: .to(url, method))

            #expect(response.statusCode == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"id": "boots"}"#)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 1)
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(
        arguments: TransportUnderTest.allCases,
        [TestServer.expired, .wrongHost, .selfSigned]
    )
    func `any other server gets one connection and no request`(
        transport: TransportUnderTest,
        kind: TestServer
    ) async throws {
        let security = try TestAuthority.trusted().configuration(for: kind)

        try await expectNoRequest(with: security, failingWith: .untrusted, over: transport)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a server that supports only TLS 1.0 gets no request`(
        transport: TransportUnderTest
    ) async throws {
        var security = try TestAuthority.trusted().configuration(for: .valid)
        security.minimumTLSVersion = .tlsv1
        security.maximumTLSVersion = .tlsv1

        try await expectNoRequest(with: security, failingWith: .untrusted, over: transport)
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: TransportUnderTest.allCases)
    func `a certificate of an untrusted authority is not trusted`(
        transport: TransportUnderTest
    ) async throws {
        let security = try TestAuthority().configuration(for: .valid)

        try await expectNoRequest(with: security, failingWith: .untrusted, over: transport)
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: TransportUnderTest.allCases, TestServer.allCases)
    func `a ProductService does not retry a request to an untrusted server`(
        transport: TransportUnderTest,
        kind: TestServer
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)

        let error = try await SecuredServer.expectNoRequest(
            with: security,
            failingWith: .untrusted
        ) { url in
            let service = ProductService(
                baseURL: url,
                localUser: LocalUser(currency: "EUR"),
                user: .signedIn("anna") { "token" },
                networking: try transport.make()
            )
            return try await service.loader.loadProduct(withID: "boots")
        }

        #expect(error?.attempts.isEmpty == true)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an https request to a server without TLS is not sent`(
        transport: TransportUnderTest
    ) async throws {
        try await expectNoRequest(with: nil, failingWith: .untrusted, over: transport)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an http request to a server with TLS fails`(transport: TransportUnderTest) async throws {
        let security = try TestAuthority.trusted().configuration(for: .valid)

        try await SecuredServer.expectNoRequest(
            with: security,
            over: "http",
            failingWith: .connectionLost
        ) { url in try await transport.make().response(for: .to(url)) }
    }

    /// Expects that neither a read nor a write reaches the server.
    private func expectNoRequest(
        with security: TLSConfiguration?,
        failingWith code: NetworkError.Code,
        over transport: TransportUnderTest
    ) async throws {
        for method in ["GET", "PUT", "POST"] {
            try await SecuredServer.expectNoRequest(
                with: security,
                failingWith: code
            ) { url in
                try await transport.make().response(for: .to(url, method))
            }
        }
    }
}
#endif
