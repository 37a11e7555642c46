import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Foundation
import NIOPosix
import ProductKit
import Testing

/// The transports that the same tests check.
enum TransportUnderTest: String, CaseIterable, Codable, CustomTestStringConvertible {
    case urlSession
    #if os(Linux) && canImport(Glibc)
    case curl
    #endif
    case asyncHTTPClient

    var testDescription: String { rawValue }

    /// Creates a transport with connections of its own, which close when it is released.
    ///
    /// - Parameters:
    ///   - maximumBodySize: The maximum size of a response body, in bytes.
    ///   - deadline: The maximum time of an exchange.
    ///   - allowsInsecureHTTP: Whether http without TLS is allowed to other computers.
    ///   - isTrusted: Checks the certificates of a server. Only for transports that have such a check.
    /// - Returns: A transport that follows redirects.
    /// - Throws: An error if this transport cannot be created here, or has no check of certificates.
    func make(
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60),
        allowsInsecureHTTP: Bool = false,
        isTrusted: (@Sendable (ServerIdentity) -> Bool)? = nil
    ) throws -> any Networking {
        switch self {
        case .urlSession:
            return URLSessionTransport(
                maximumBodySize: maximumBodySize,
                deadline: deadline,
                allowsInsecureHTTP: allowsInsecureHTTP,
                isTrusted: isTrusted
            )
        #if os(Linux) && canImport(Glibc)
        case .curl:
            return try CurlTransport(
                maximumBodySize: maximumBodySize,
                deadline: deadline,
                allowsInsecureHTTP: allowsInsecureHTTP,
                isTrusted: isTrusted
            )
        #endif
        case .asyncHTTPClient:
            try #require(isTrusted == nil, "The client checks certificates by its configuration.")
            let client = OwnedClient()
            let networking = AsyncHTTPClientNetworking(
                client.client,
                maximumBodySize: maximumBodySize,
                deadline: deadline
            )
            let owning: any Networking = .closure { request in
                defer { withExtendedLifetime(client) {} }
                return try await networking.response(for: request)
            }
            return owning.followingRedirects(allowsInsecureHTTP: allowsInsecureHTTP)
        }
    }
}

/// A client that is shut down when it is released.
private final class OwnedClient: Sendable {
    let client = HTTPClient(
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        configuration: .productKit
    )

    deinit {
        client.shutdown { _ in }
    }
}
