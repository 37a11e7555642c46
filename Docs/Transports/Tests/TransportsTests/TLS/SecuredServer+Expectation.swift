import Foundation
import NIOSSL
import ProductKit
import SecuredServer
import Testing

extension SecuredServer {
    /// Starts a server, and expects that a client fails without sending it an HTTP request.
    ///
    /// - Parameters:
    ///   - security: The TLS configuration of the server; `nil` for a server without TLS.
    ///   - scheme: The scheme of the server's URL.
    ///   - code: The expected error code.
    ///   - connections: The expected number of connections.
    ///   - send: Sends a request to the URL.
    /// - Returns: The error.
    /// - Throws: The error of the system if it cannot open a port.
    @discardableResult static func expectNoRequest(
        with security: TLSConfiguration?,
        over scheme: String = "https",
        failingWith code: NetworkError.Code,
        connections: Int = 1,
        _ send: (URL) async throws -> some Any
    ) async throws -> NetworkError? {
        try await withSecuredServer(security) { server, port in
            let url = try #require(URL(string: "\(scheme)://localhost:\(port)/v1"))

            let error = await #expect(throws: NetworkError.self) { _ = try await send(url) }

            #expect(error?.code == code)
            #expect(server.connectionCount == connections)
            #expect(server.requestCount == 0)
            return error
        }
    }
}
