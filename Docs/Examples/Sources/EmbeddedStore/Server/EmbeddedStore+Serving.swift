import FlyingFox
import FlyingSocks
public import Foundation

/// Opens a store, serves it on a free port of this machine for as long as a body runs, and stops.
///
/// - Parameters:
///   - configuration: What the store sells and to whom.
///   - intercept: What happens between the wire and the store; nothing by default.
///   - body: What is done meanwhile, with the store and the base URL of its contract.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or ``PortFailure``.
public func withEmbeddedStore<Value>(
    _ configuration: EmbeddedStore.Configuration = .init(),
    intercept: @escaping EmbeddedStore.Interceptor = { _, handle in await handle() },
    _ body: (EmbeddedStore, URL) async throws -> Value
) async throws -> Value {
    let store = EmbeddedStore(configuration: configuration, intercept: intercept)
    return try await store.serve { try await body(store, $0) }
}

extension EmbeddedStore {
    /// Serves on 127.0.0.1 for as long as a body runs, then closes every connection.
    ///
    /// It may be called again when it has returned, on the same port or another.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for any that is free.
    ///   - body: What is done meanwhile, with the base URL of the contract.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``PortFailure``.
    public func serve<Value>(
        port: UInt16 = 0,
        _ body: (URL) async throws -> Value
    ) async throws -> Value {
        let server = try HTTPServer(
            config: HTTPServer.Configuration(
                address: .inet(ip4: "127.0.0.1", port: port),
                timeout: 600,
                pool: PromptSocketPool(),
                logger: .disabled
            ),
            handler: ClosureHTTPHandler { [self] in try await answer($0) }
        )
        let (openings, continuation) = AsyncThrowingStream.makeStream(of: URL.self)
        async let _ = Self.run(server, at: port, reportingFailureTo: continuation)
        async let _ = Self.announce(server, at: port, to: continuation)
        for try await baseURL in openings {
            return try await body(baseURL)
        }
        throw CancellationError()
    }

    /// Serves on 127.0.0.1 until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for any that is free.
    ///   - whenListening: What is done as soon as clients may come, with the contract's base URL.
    /// - Throws: `CancellationError` at the end, or ``PortFailure``.
    public func run(port: UInt16 = 0, whenListening: (URL) async throws -> Void) async throws {
        try await serve(port: port) { baseURL in
            try await whenListening(baseURL)
            let (forever, continuation) = AsyncStream.makeStream(of: Never.self)
            defer { continuation.finish() }
            for await _ in forever {}
            try Task.checkCancellation()
        }
    }

    private typealias Openings = AsyncThrowingStream<URL, any Error>.Continuation

    private static func run(
        _ server: HTTPServer,
        at port: UInt16,
        reportingFailureTo openings: Openings
    ) async {
        do {
            try await server.run()
        } catch {
            openings.finish(throwing: PortFailure.named(error, at: port))
        }
    }

    private static func announce(
        _ server: HTTPServer,
        at port: UInt16,
        to openings: Openings
    ) async {
        do {
            try await server.waitUntilListening()
        } catch {
            return openings.finish(throwing: PortFailure.named(error, at: port))
        }
        guard
            case .ip4(_, let port) = await server.listeningAddress,
            let baseURL = URL(string: "http://127.0.0.1:\(port)/v1")
        else { return openings.finish() }
        openings.yield(baseURL)
    }

    private func answer(_ incoming: HTTPRequest) async throws -> HTTPResponse {
        let request = try await StoreRequest(incoming, limit: configuration.maximumBodySize)
        return await HTTPResponse(response(to: request))
    }
}
