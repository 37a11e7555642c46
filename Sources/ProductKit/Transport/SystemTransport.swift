#if canImport(FoundationNetworking)
import Foundation
#else
public import Foundation
#endif

/// The default networking: the best transport for the platform.
///
/// On Linux it sends requests through `CurlTransport`, where that can be used. Otherwise, and on
/// Apple platforms, it sends them through ``URLSessionTransport``. Both limit the time of a request
/// and the size of a response. They follow redirects without sending secrets to another origin.
/// Between requests they keep open connections, but no cookies, cached responses or credentials. See <doc:Transports>.
///
/// ```swift
/// let patient = SystemTransport(maximumBodySize: 64 << 20, deadline: .seconds(20))
/// ```
///
/// Most apps use the shared transport, `.system`. To choose one yourself, pass a
/// ``URLSessionTransport`` or a `CurlTransport` instead, or set the environment variable
/// `PRODUCTKIT_TRANSPORT` to `URLSession`.
public struct SystemTransport: Networking, CustomStringConvertible {
    /// The name of the transport that sends the requests, and on Linux why it is `URLSession`.
    public let description: String
    private let transport: any Networking

    /// Creates a transport with its own connections.
    ///
    /// - Parameters:
    ///   - maximumBodySize: The maximum size of a response body in bytes, after decompression;
    ///     16 MiB by default. A larger body throws an error with code
    ///     ``NetworkError/Code-swift.struct/tooLarge``.
    ///   - deadline: The maximum time for a response including its redirects. It may be less than a
    ///     second. A shorter `timeoutInterval` of the request takes precedence.
    ///   - maximumRequestsPerOrigin: The maximum number of requests in flight to one origin (RFC 6454), at least 1.
    ///     The others wait, up to their deadlines. With 32, the default, and responses after 100 ms, your server sends
    ///     at most 320 requests a second to one API. Each request in flight needs a file handle, of which a process
    ///     often has only 1,024. The limit is that of ``CurlTransport``: where ``URLSessionTransport`` sends the
    ///     requests, the system decides.
    ///   - allowsInsecureHTTP: Whether http without TLS is allowed to other computers. It is always
    ///     allowed to this computer.
    ///   - isTrusted: Returns whether to connect to a server whose certificate the system trusts.
    ///     Called on any thread, for each TLS connection; on Apple platforms, for each one that resumes no session.
    ///     If it returns `false`, the request is not sent and fails with code
    ///     ``NetworkError/Code-swift.struct/untrusted``. On Linux it receives only the server's own certificate, and
    ///     with ``URLSessionTransport`` every https request fails with this code.
    public init(
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60),
        maximumRequestsPerOrigin: Int = 32,
        allowsInsecureHTTP: Bool = false,
        isTrusted: (@Sendable (ServerIdentity) -> Bool)? = nil
    ) {
        self.init(
            environment: ProcessInfo.processInfo.environment,
            makeCurlTransport: {
                #if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
                let transport = try CurlTransport(
                    maximumBodySize: maximumBodySize,
                    deadline: deadline,
                    maximumRequestsPerOrigin: maximumRequestsPerOrigin,
                    allowsInsecureHTTP: allowsInsecureHTTP,
                    isTrusted: isTrusted
                )
                return (transport, transport.libraryVersion)
                #else
                return nil
                #endif
            },
            makeURLSessionTransport: {
                URLSessionTransport(
                    maximumBodySize: maximumBodySize,
                    deadline: deadline,
                    allowsInsecureHTTP: allowsInsecureHTTP,
                    isTrusted: isTrusted
                )
            }
        )
    }

    /// Creates a transport from one of two, of which the first may be unavailable.
    package init(
        environment: [String: String],
        makeCurlTransport: () throws -> (transport: any Networking, version: String)?,
        makeURLSessionTransport: () -> any Networking
    ) {
        var reason: String?
        do {
            if environment["PRODUCTKIT_TRANSPORT"]?.lowercased() == "urlsession" {
                reason = "The environment variable PRODUCTKIT_TRANSPORT selects it."
            } else if let curl = try makeCurlTransport() {
                description = "CurlTransport (libcurl \(curl.version))"
                transport = curl.transport
                return
            }
        } catch {
            reason = error.localizedDescription
        }
        description = ["URLSessionTransport", reason].compactMap(\.self).joined(separator: ". ")
        transport = makeURLSessionTransport()
    }

    /// Sends a request and follows redirects.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try await transport.response(for: request)
    }
}

extension SystemTransport {
    /// The shared transport.
    ///
    /// On Linux it reports once if `URLSession` is used, because its guarantees are weaker there.
    fileprivate static let shared: SystemTransport = {
        let transport = SystemTransport()
        #if canImport(FoundationNetworking)
        if transport.transport is URLSessionTransport {
            FileHandle.standardError.write(Data("ProductKit uses \(transport)\n".utf8))
        }
        #endif
        return transport
    }()
}

extension Networking where Self == SystemTransport {
    /// The transport that the whole program shares, so that all requests share connections.
    public static var system: SystemTransport { .shared }
}
