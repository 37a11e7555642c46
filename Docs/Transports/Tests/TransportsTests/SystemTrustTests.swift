import Foundation
import NIOSSL
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whom `URLSessionTransport` believes: the system's roots, which know no authority of a test.
@Suite(.timeLimit(.minutes(1))) struct SystemTrustTests {
    @Test(arguments: TestServer.allCases, ["GET", "PUT", "POST"])
    func `an unknown server is told nothing and asked once`(
        kind: TestServer,
        method: String
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)
        try await withSecuredServer(security) { server, port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))
            var request = URLRequest(url: address)
            request.httpMethod = method

            let error = await #expect(throws: NetworkError.self) {
                try await URLSessionTransport(deadline: .seconds(20)).response(for: request)
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 0)
        }
    }

    @Test(arguments: TestServer.allCases)
    func `an unknown server is not asked again by the library either`(
        kind: TestServer
    ) async throws {
        let security = try TestAuthority().configuration(for: kind)
        try await withSecuredServer(security) { server, port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))
            let service = ProductService(
                baseURL: address,
                localUser: LocalUser(currency: "EUR"),
                networking: URLSessionTransport()
            ) { "token" }

            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "boots")
            }

            #expect(error?.code == .untrusted)
            #expect(error?.attempts.isEmpty == true)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 0)
        }
    }

    @Test func `a server without TLS gets no request over https`() async throws {
        try await withSecuredServer(nil) { server, port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))

            let error = await #expect(throws: NetworkError.self) {
                try await URLSessionTransport().response(for: URLRequest(url: address))
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 0)
        }
    }

    @Test func `a server with TLS answers no plain request`() async throws {
        let security = try TestAuthority().configuration(for: .sound)
        try await withSecuredServer(security) { server, port in
            let address = try #require(URL(string: "http://localhost:\(port)/v1"))

            let error = await #expect(throws: NetworkError.self) {
                try await URLSessionTransport().response(for: URLRequest(url: address))
            }

            #expect(error?.code == .connectionLost)
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 0)
        }
    }

    #if !canImport(Security)
    @Test func `a question about trust that cannot be asked is refused unsent`() async throws {
        let security = try TestAuthority().configuration(for: .sound)
        try await withSecuredServer(security) { server, port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))
            let transport = URLSessionTransport(isTrusted: { _ in true })

            let error = await #expect(throws: NetworkError.self) {
                try await transport.response(for: URLRequest(url: address))
            }

            #expect(error?.code == .untrusted)
            #expect(server.connectionCount == 0)
        }
    }
    #endif
}
