import Foundation
import NIOSSL
import ProductKit
import Testing

/// Expects that a server is refused, sees no request, and is asked once at most.
///
/// - Parameters:
///   - security: How the server secures its connections; `nil` when it does not.
///   - scheme: How it is addressed.
///   - code: What becomes of it.
///   - connections: How many connections it sees.
///   - ask: Sends a request to an address.
/// - Returns: What was thrown.
/// - Throws: The system's reason why no port could be opened.
@discardableResult func expectSilence(
    towards security: TLSConfiguration?,
    over scheme: String = "https",
    as code: NetworkError.Code,
    connections: Int = 1,
    _ ask: (URL) async throws -> some Any
) async throws -> NetworkError? {
    try await withSecuredServer(security) { server, port in
        let address = try #require(URL(string: "\(scheme)://localhost:\(port)/v1"))

        let error = await #expect(throws: NetworkError.self) { _ = try await ask(address) }

        #expect(error?.code == code)
        #expect(server.connectionCount == connections)
        #expect(server.requestCount == 0)
        return error
    }
}
