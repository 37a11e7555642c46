#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Dispatch
public import Foundation

/// Networking over libcurl, for Linux.
///
/// It uses the `libcurl.so.4` that FoundationNetworking has loaded, version 7.80 or later, and HTTP/1.1. It has
/// the guarantees of ``URLSessionTransport`` and costs less. No response of a server ends the process or
/// stops the requests to other servers.
///
/// ```swift
/// let patient = try CurlTransport(maximumBodySize: 64 << 20, deadline: .seconds(20))
/// ```
///
/// The shared transport, `.system`, uses it where it is available. Each transport has a thread and its own
/// connections. <doc:Transports> describes proxies, certificate authorities and what to consider with `fork()`.
public final class CurlTransport: Networking {
    // How the types of this folder work together:
    //
    // 1. Each request is a `CurlExchange`, which is created, ended and cancelled like a `SessionExchange` of
    //    `URLSessionTransport`.
    // 2. The exchange sends commands to the `CurlEventLoop`: a thread that waits for sockets.
    // 3. On that thread, `CurlMultiHandle` performs all transfers, and keeps exchanges that wait for
    //    others to the same origin in `WaitingExchanges`. A `CurlTransfer` sets the options for a
    //    request. Its callbacks read the `ResponseHead` and collect the body.
    // 4. `CurlLibrary` calls libcurl, and `CurlOption` has the numbers of its options. All that the
    //    compiler cannot check about libcurl is in these two files.

    /// The version of libcurl, such as 7.88.1.
    package let libraryVersion: String
    private let eventLoop: CurlEventLoop
    private let deadlines = Deadlines()
    private let configuration: TransportConfiguration

    /// Creates a transport with its own connections.
    ///
    /// The parameters are those of
    /// ``SystemTransport/init(maximumBodySize:deadline:maximumRequestsPerOrigin:allowsInsecureHTTP:isTrusted:)``.
    /// `isTrusted` receives only the server's own certificate. It is called on the thread of the transport, and all
    /// requests wait for it. Throws ``Unavailable`` if the process has no libcurl that can be used.
    public init(
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60),
        maximumRequestsPerOrigin: Int = 32,
        allowsInsecureHTTP: Bool = false,
        isTrusted: (@Sendable (ServerIdentity) -> Bool)? = nil
    ) throws(Unavailable) {
        let library = try CurlLibrary.loaded.get()
        libraryVersion = library.version
        configuration = TransportConfiguration(
            maximumBodySize: maximumBodySize,
            deadline: deadline,
            maximumRequestsPerOrigin: min(max(1, maximumRequestsPerOrigin), 1 << 20),
            allowsInsecureHTTP: allowsInsecureHTTP,
            isTrusted: isTrusted
        )
        eventLoop = try CurlEventLoop(library, configuration)
    }

    deinit {
        eventLoop.send(.end)
    }

    /// Sends a request and follows redirects.
    ///
    /// A request with an `httpBodyStream` is not valid here: use `httpBody`.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try await configuration.response(for: request, send)
    }

    private func send(
        _ request: URLRequest,
        before end: DispatchTime
    ) async throws -> NetworkResponse {
        guard request.httpBodyStream == nil else {
            throw NetworkError(
                .invalidRequest,
                request: request,
                details: "CurlTransport cannot send the body of a stream. Use httpBody."
            )
        }
        let exchange = CurlExchange(request, deadline: end, on: eventLoop)
        defer { deadlines.remove(exchange) }
        return try await withCancellableCompletion { finish in
            exchange.start(finish)
            // The deadline may be over already, so this must follow.
            deadlines.add(exchange)
            return { exchange.cancel() }
        }
    }
}

extension CurlTransport {
    /// The reason why ``CurlTransport`` cannot be used in this process.
    public struct Unavailable: LocalizedError, Hashable {
        /// The reason, such as an old version of libcurl.
        package let reason: String

        init(_ reason: String) {
            self.reason = reason
        }

        /// The reason, and what to do about it.
        public var errorDescription: String? {
            "CurlTransport cannot be used. \(reason) Use URLSessionTransport or another Networking."
        }
    }
}
#endif
