import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// A small HTTP server, with or without TLS, that counts connections and requests.
package final class SecuredServer: Sendable {
    private let counts = Mutex((connections: 0, requests: 0))

    /// The number of connections that clients have opened.
    package var connectionCount: Int { counts.withLock(\.connections) }

    /// The number of HTTP requests that the server could read.
    package var requestCount: Int { counts.withLock(\.requests) }

    fileprivate func countConnection() {
        counts.withLock { $0.connections += 1 }
    }

    fileprivate func countRequest() {
        counts.withLock { $0.requests += 1 }
    }
}

/// Serves JSON on a free local port while the body runs.
///
/// - Parameters:
///   - security: The TLS configuration; `nil` for a server without TLS.
///   - json: The body of each response.
///   - body: Uses the server and its port.
/// - Returns: The result of the body.
/// - Throws: Any error of the body, or the error of the system if it cannot open a port.
package func withSecuredServer<Value>(
    _ security: TLSConfiguration?,
    json: String = #"{"id": "boots"}"#,
    _ body: (SecuredServer, Int) async throws -> Value
) async throws -> Value {
    let context = try security.map { try NIOSSLContext(configuration: $0) }
    let server = SecuredServer()
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                server.countConnection()
                let pipeline = channel.pipeline.syncOperations
                if let context {
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                }
                try pipeline.configureHTTPServerPipeline()
                try pipeline.addHandler(Responder(server, json))
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    defer { listener.close(promise: nil) }
    return try await body(server, listener.localAddress?.port ?? 0)
}

/// Sends the same response to every request.
private final class Responder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: SecuredServer
    private let body: ByteBuffer

    init(_ server: SecuredServer, _ json: String) {
        self.server = server
        body = ByteBuffer(string: json)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        server.countRequest()
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
