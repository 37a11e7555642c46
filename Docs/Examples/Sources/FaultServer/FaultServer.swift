import FlyingSocks
public import Foundation
import Synchronization

/// A server on raw sockets that answers with whatever bytes it is told to, and remembers what came.
///
/// It shares no code with any HTTP client or server, so that it can break every rule of HTTP.
public final class FaultServer: Sendable {
    /// What is sent back for a request; the connection stays open when it returns.
    public typealias Answer = @Sendable (Request, Connection) async throws -> Void

    private struct State {
        var requests: [Request] = []
        var requestCount = 0
        var opened = 0
        var closed = 0
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    private let answer: Answer
    private let remembersRequests: Bool
    private let state = Mutex(State())

    init(remembersRequests: Bool, answer: @escaping Answer) {
        self.remembersRequests = remembersRequests
        self.answer = answer
    }

    /// The requests that came, in the order in which they were read whole.
    public var requests: [Request] {
        state.withLock(\.requests)
    }

    /// How many connections clients have opened so far.
    public var connectionCount: Int {
        state.withLock(\.opened)
    }

    /// Waits until that many requests have been read whole.
    ///
    /// - Throws: ``TookTooLong`` after ten seconds.
    public func requestsArrived(_ count: Int) async throws {
        try await wait { $0.requestCount >= count }
    }

    /// Waits until that many connections have been closed, by whichever side.
    ///
    /// - Throws: ``TookTooLong`` after ten seconds.
    public func connectionsClosed(_ count: Int) async throws {
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
                try await Task.sleep(for: .seconds(10))
                throw TookTooLong()
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
                group.addTask { await self.talk(over: socket) }
            }
            group.cancelAll()
        }
        try? listener.close()
    }

    private func talk(over socket: AsyncSocket) async {
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
                if remembersRequests { state.requests.append(request) }
            }
            guard (try? await answer(request, connection)) != nil else { break }
        }
        try? socket.close()
        change { $0.closed += 1 }
    }
}

/// What a test waited for did not come.
public struct TookTooLong: Error {
    /// Creates the error.
    public init() {}
}

/// Serves on a free port of this machine for as long as a body runs.
///
/// - Parameters:
///   - answer: What is sent back for each request.
///   - remembersRequests: Whether ``FaultServer/requests`` fills; a test of memory says no.
///   - body: What is done meanwhile, with the server and its address.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or the system's reason why no port could be opened.
public func withFaultServer<Value>(
    _ answer: @escaping FaultServer.Answer,
    remembersRequests: Bool = true,
    _ body: (FaultServer, URL) async throws -> Value
) async throws -> Value {
    let socket = try Socket(domain: AF_INET, type: .stream)
    try socket.setValue(true, for: .localAddressReuse)
    try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
    try socket.listen()
    guard case .ip4(_, let port) = try socket.sockname(),
        let url = URL(string: "http://127.0.0.1:\(port)/v1")
    else { throw CancellationError() }
    let listener = try await AsyncSocket(socket: socket, pool: .client)
    let server = FaultServer(remembersRequests: remembersRequests, answer: answer)
    async let _ = server.serve(listener)
    return try await body(server, url)
}

/// Serves a fault on a free port of this machine for as long as a body runs.
///
/// - Parameters:
///   - fault: What goes wrong with every answer.
///   - body: What is done meanwhile, with the server and its address.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or the system's reason why no port could be opened.
public func withFaultServer<Value>(
    _ fault: Fault,
    _ body: (FaultServer, URL) async throws -> Value
) async throws -> Value {
    try await withFaultServer(fault.answer, body)
}
