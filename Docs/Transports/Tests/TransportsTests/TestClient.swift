import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Foundation
import NIOPosix
import NIOSSL
import ProductKit

/// A client that exists only while a test uses it.
enum TestClient {
    /// Creates a client, passes a transport with it to the body, and shuts the client down.
    ///
    /// - Parameters:
    ///   - authority: The only trusted certificate authority; `nil` to trust those of the system.
    ///   - maximumBodySize: The maximum size of a response body, in bytes.
    ///   - deadline: The maximum time of an exchange.
    ///   - body: Uses the transport.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body.
    static func run<Value>(
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
}
