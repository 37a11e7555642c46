import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Serves HTTP/2 responses without a body on a free local port while the body runs.
///
/// - Parameters:
///   - security: The TLS configuration, to which the protocol HTTP/2 is added.
///   - status: The `:status` of each response, which may be invalid.
///   - body: Uses the port.
/// - Throws: Any error of the body, or the error of the system if it cannot open a port.
func withHTTP2Server(
    _ security: TLSConfiguration,
    status: String,
    _ body: (Int) async throws -> Void
) async throws {
    var security = security
    security.applicationProtocols = ["h2"]
    let context = try NIOSSLContext(configuration: security)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(NIOSSLServerHandler(context: context))
                _ = try pipeline.configureHTTP2Pipeline(
                    mode: .server,
                    connectionConfiguration: .init(),
                    streamConfiguration: .init()
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandler(StatusResponder(status))
                    }
                }
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    defer { listener.close(promise: nil) }
    try await body(listener.localAddress?.port ?? 0)
}

/// Sends the same `:status` to every request.
private final class StatusResponder: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let status: String

    init(_ status: String) {
        self.status = status
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers = unwrapInboundIn(data) else { return }
        let headers = HPACKHeaders([(":status", status)])
        let frame = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: true))
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
