import FlyingFox
import FlyingSocks
import Foundation

/// The server's own pool of sockets, which also tells each of them not to wait before sending.
///
/// The server writes header and body one after the other. Without this the system holds the body
/// back until the client has confirmed the header, which clients like to do 40 milliseconds late.
struct PromptSocketPool: AsyncSocketPool {
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
