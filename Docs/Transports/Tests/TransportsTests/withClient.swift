import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Foundation
import NIOPosix
import NIOSSL
import ProductKit

/// Offers networking over a client of its own for as long as a body runs.
///
/// - Parameters:
///   - authority: Whom the client trusts, and nobody else; the system's roots when it is `nil`.
///   - maximumBodySize: The most bytes an answer may have.
///   - deadline: The most time an exchange may take.
///   - body: What is done meanwhile.
/// - Returns: What the body returns.
/// - Throws: Any error of `make`.
func withClient<Value>(
    trusting authority: TestAuthority? = nil,
    maximumBodySize: Int = 16 << 20,
    deadline: Duration = .seconds(10),
    _ body: (any Networking) async throws -> Value
) async throws -> Value {
    var configuration = HTTPClient.Configuration.productKit
    if let authority {
        var security = TLSConfiguration.makeClientConfiguration()
        security.trustRoots = .certificates([try authority.root])
        configuration.tlsConfiguration = security
    }
    return try await HTTPClient.withHTTPClient(
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        configuration: configuration
    ) { client in
        try await body(
            AsyncHTTPClientNetworking(
                client,
                maximumBodySize: maximumBodySize,
                deadline: deadline
            )
        )
    }
}
