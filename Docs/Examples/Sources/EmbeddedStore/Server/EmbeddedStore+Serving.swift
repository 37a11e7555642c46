import FlyingFox
import FlyingSocks
public import Foundation

/// Runs a store on a free local port while a closure runs.
///
/// - Parameters:
///   - configuration: The products and users.
///   - intercept: The closure that intercepts requests. By default, the store handles them all.
///   - body: The closure, which receives the store and the base URL of its API.
/// - Returns: The value that the closure returns.
/// - Throws: The error of the closure, or ``PortError``.
public func withEmbeddedStore<Value>(
    _ configuration: EmbeddedStore.Configuration = .init(),
    intercept: @escaping EmbeddedStore.Interceptor = { _, handle in await handle() },
    _ body: (EmbeddedStore, URL) async throws -> Value
) async throws -> Value {
    let store = EmbeddedStore(configuration: configuration, intercept: intercept)
    return try await store.serve { try await body(store, $0) }
}

extension EmbeddedStore {
    /// Serves on 127.0.0.1 while a closure runs, then closes all connections.
    ///
    /// After it returns, you can call it again, with the same port or another.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for any free port.
    ///   - body: The closure, which receives the base URL of the store's API.
    /// - Returns: The value that the closure returns.
    /// - Throws: The error of the closure, or ``PortError``.
    public func serve<Value>(
        port: UInt16 = 0,
        _ body: (URL) async throws -> Value
    ) async throws -> Value {
        try await serve(port: port) { baseURL, _ in try await body(baseURL) }
    }

    /// Serves while a closure runs, which can also wait until the server fails.
    private func serve<Value>(
        port: UInt16,
        _ body: (URL, _ waitForFailure: () async throws -> Void) async throws -> Value
    ) async throws -> Value {
        let server = try HTTPServer(
            config: HTTPServer.Configuration(
                address: .inet(ip4: "127.0.0.1", port: port),
                timeout: 600,
                pool: NoDelaySocketPool(),
                logger: .disabled
            ),
            handler: ClosureHTTPHandler { [self] in try await handle($0) }
        )
        let (baseURLs, continuation) = AsyncThrowingStream.makeStream(of: URL.self)
        async let _ = Self.run(server, reportingFailureTo: continuation)
        async let _ = Self.yieldBaseURL(of: server, to: continuation)
        var baseURL: URL?
        do {
            for try await url in baseURLs {
                baseURL = url
                break
            }
        } catch {
            throw PortError.replacing(error, at: port)
        }
        guard let baseURL else { throw CancellationError() }
        return try await body(baseURL) { for try await _ in baseURLs {} }
    }

    /// Serves on 127.0.0.1 until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for any free port.
    ///   - whenListening: A closure that is called once the store accepts connections, with the
    ///     base URL of its API.
    /// - Throws: `CancellationError` when the task is cancelled, ``PortError``, or the error with which the
    ///   server fails later, such as one for too many open files.
    public func run(port: UInt16 = 0, whenListening: (URL) async throws -> Void) async throws {
        try await serve(port: port) { baseURL, waitForFailure in
            try await whenListening(baseURL)
            do { try await waitForFailure() } catch {
                // The cancellation also ends the server with an error.
                try Task.checkCancellation()
                throw error
            }
            throw CancellationError()
        }
    }

    private typealias BaseURLContinuation = AsyncThrowingStream<URL, any Error>.Continuation

    private static func run(
        _ server: HTTPServer,
        reportingFailureTo continuation: BaseURLContinuation
    ) async {
        do {
            try await server.run()
        } catch {
            continuation.finish(throwing: error)
        }
    }

    private static func yieldBaseURL(
        of server: HTTPServer,
        to continuation: BaseURLContinuation
    ) async {
        do {
            try await server.waitUntilListening(timeout: 120)
        } catch {
            return continuation.finish(throwing: error)
        }
        guard
            case .ip4(_, let port) = await server.listeningAddress,
            let baseURL = URL(string: "http://127.0.0.1:\(port)/v1")
        else { return continuation.finish() }
        continuation.yield(baseURL)
    }

    private func handle(_ incoming: HTTPRequest) async throws -> HTTPResponse {
        let request = try await StoreRequest(incoming, limit: configuration.maximumBodySize)
        return await HTTPResponse(response(to: request))
    }
}

/// An error for a port that the store cannot listen on.
public struct PortError: LocalizedError {
    /// The port, or 0 if any free port was requested.
    public let port: UInt16
    /// The reason that the system states.
    public let reason: String

    /// A message for the user of the program.
    public var errorDescription: String? {
        "The store cannot be started at port \(port): \(reason). Choose another port."
    }

    /// Returns a ``PortError`` for a socket error that occurs before the server listens, and any
    /// other error unchanged.
    fileprivate static func replacing(_ error: any Error, at port: UInt16) -> any Error {
        guard case SocketError.failed(_, _, let reason) = error else { return error }
        return PortError(port: port, reason: reason)
    }
}

/// A socket pool that sets `TCP_NODELAY` on each socket.
///
/// The server writes the header and the body of a response separately. Without the option, the
/// system holds the body back until the client acknowledges the header, which can take 40
/// milliseconds.
private struct NoDelaySocketPool: AsyncSocketPool {
    private let pool: any AsyncSocketPool = HTTPServer.defaultPool()

    func prepare() async throws {
        try await pool.prepare()
    }

    func run() async throws {
        try await pool.run()
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let noDelay = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
        try? socket.setValue(true, for: noDelay)
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
