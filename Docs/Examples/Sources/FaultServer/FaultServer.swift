import FlyingSocks
public import Foundation
import Synchronization

/// A server on raw sockets that sends any bytes as its response and records the requests.
///
/// It shares no code with any HTTP client or server, so it can break every rule of HTTP.
public final class FaultServer: Sendable {
    /// A closure that responds to a request.
    ///
    /// The connection stays open if the closure returns, and is closed if it throws.
    public typealias Handler = @Sendable (Request, Connection) async throws -> Void

    private struct State {
        var requests: [Request] = []
        var requestCount = 0
        var opened = 0
        var closed = 0
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    private let handler: Handler
    private let recordsRequests: Bool
    private let state = Mutex(State())

    init(recordsRequests: Bool, handler: @escaping Handler) {
        self.recordsRequests = recordsRequests
        self.handler = handler
    }

    /// The requests received completely, in order.
    public var requests: [Request] {
        state.withLock(\.requests)
    }

    /// The number of connections opened so far.
    public var connectionCount: Int {
        state.withLock(\.opened)
    }

    /// Waits until the given number of requests has been received completely.
    ///
    /// - Throws: ``WaitTimeoutError`` after two minutes.
    public func waitForRequests(_ count: Int) async throws {
        try await wait { $0.requestCount >= count }
    }

    /// Waits until the given number of connections has been closed, by client or server.
    ///
    /// - Throws: ``WaitTimeoutError`` after two minutes.
    public func waitForClosedConnections(_ count: Int) async throws {
        try await wait { $0.closed >= count }
    }

    private func wait(until isDone: @escaping @Sendable (State) -> Bool) async throws {
        let (changes, watcher) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.watchers.append(watcher) }
        watcher.yield()
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask {
                for await _ in changes where self.state.withLock({ isDone($0) }) { return }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(120))
                throw WaitTimeoutError()
            }
            try await group.next()
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let watchers = state.withLock { state in
            body(&state)
            return state.watchers
        }
        for watcher in watchers { watcher.yield() }
    }

    func serve(_ listener: AsyncSocket) async {
        await withDiscardingTaskGroup { group in
            while let socket = try? await listener.accept() {
                group.addTask { await self.handleRequests(on: socket) }
            }
            group.cancelAll()
        }
        try? listener.close()
    }

    private func handleRequests(on socket: AsyncSocket) async {
        let number = state.withLock { state in
            state.opened += 1
            return state.opened
        }
        let connection = Connection(socket, number: number)
        var isFirst = true
        while let request = try? await connection.nextRequest(isFirst: isFirst) {
            isFirst = false
            change { state in
                state.requestCount += 1
                if recordsRequests { state.requests.append(request) }
            }
            guard (try? await handler(request, connection)) != nil else { break }
        }
        try? socket.close()
        change { $0.closed += 1 }
    }
}

/// A condition that a test waited for was not met in time.
public struct WaitTimeoutError: Error {
    /// Creates the error.
    public init() {}
}

/// Runs a server on a free local port while a closure runs.
///
/// - Parameters:
///   - handler: The closure that responds to each request.
///   - recordsRequests: Whether ``FaultServer/requests`` is filled. Pass `false` to keep memory use
///     constant.
///   - body: The closure, which receives the server and its base URL.
/// - Returns: The value that the closure returns.
/// - Throws: The error of the closure, or a socket error if no port can be opened.
public func withFaultServer<Value>(
    _ handler: @escaping FaultServer.Handler,
    recordsRequests: Bool = true,
    _ body: (FaultServer, URL) async throws -> Value
) async throws -> Value {
    let socket = try Socket(domain: AF_INET, type: .stream)
    try socket.setValue(true, for: .localAddressReuse)
    let url = try socket.bindToFreePort()
    try socket.listen()
    let listener = try await AsyncSocket(socket: socket, pool: .client)
    let server = FaultServer(recordsRequests: recordsRequests, handler: handler)
    async let _ = server.serve(listener)
    return try await body(server, url)
}

/// Runs a server with a fault on a free local port while a closure runs.
///
/// - Parameters:
///   - fault: The defect of each response.
///   - body: The closure, which receives the server and its base URL.
/// - Returns: The value that the closure returns.
/// - Throws: The error of the closure, or a socket error if no port can be opened.
public func withFaultServer<Value>(
    _ fault: Fault,
    _ body: (FaultServer, URL) async throws -> Value
) async throws -> Value {
    try await withFaultServer(fault.handler, body)
}

/// Reserves a local port on which nothing listens while a closure runs.
///
/// The port of a server that has ended is not suitable: another server may already use it.
///
/// - Parameter body: The closure, which receives a base URL with the port.
/// - Returns: The value that the closure returns.
/// - Throws: The error of the closure, or a socket error if no port can be reserved.
public func withClosedPort<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let socket = try Socket(domain: AF_INET, type: .stream)
    defer { try? socket.close() }
    return try await body(try socket.bindToFreePort())
}

extension Socket {
    /// Binds the socket to a free local port and returns a base URL with that port.
    fileprivate func bindToFreePort() throws -> URL {
        try bind(to: .inet(ip4: "127.0.0.1", port: 0))
        guard case .ip4(_, let port) = try sockname(),
            let url = URL(string: "http://127.0.0.1:\(port)/v1")
        else { throw CancellationError() }
        return url
    }
}
