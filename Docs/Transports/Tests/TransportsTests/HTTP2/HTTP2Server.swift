import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// The frames with which an HTTP/2 server replies to a request (RFC 9113 §6).
enum HTTP2Reply: Sendable {
    /// A header section, a body, and optional trailer fields.
    case response(HPACKHeaders, body: String = "", trailers: HPACKHeaders? = nil)
    /// A header section, the beginning of a body, and the end of the stream with an error.
    case responseThenReset(HPACKHeaders, body: String)
    /// The end of the stream with an error.
    case reset(HTTP2ErrorCode)
    /// The end of the connection, with the information that the request was not processed.
    case goAway
    /// Nothing, while the stream stays open.
    case nothing

    /// A response with a status and a body, which may be invalid.
    static func status(_ status: String, _ body: String = "") -> HTTP2Reply {
        .response([":status": status], body: body)
    }
}

/// An HTTP/2 server that counts connections and requests.
final class HTTP2Server: Sendable {
    private let counts = Mutex((connections: 0, requests: 0))

    /// The number of connections that clients have opened.
    var connectionCount: Int { counts.withLock(\.connections) }
    /// The number of requests whose header section the server has received.
    var requestCount: Int { counts.withLock(\.requests) }

    fileprivate func countConnection() {
        counts.withLock { $0.connections += 1 }
    }

    /// Counts a request, and returns its number, from 1.
    fileprivate func countRequest() -> Int {
        counts.withLock { counts in
            counts.requests += 1
            return counts.requests
        }
    }
}

/// Serves HTTP/2 on a free local port while the body runs.
///
/// - Parameters:
///   - security: The TLS configuration, to which the protocol HTTP/2 is added.
///   - window: The number of bytes that a request body may have before the server permits more, which
///     it never does if the window is 0.
///   - repliesEarly: Whether the server replies before it has received the body of a request.
///   - reply: Returns the reply to a request with a number, from 1.
///   - body: Uses the server and its URL.
/// - Throws: Any error of the body, or the error of the system if it cannot open a port.
func withHTTP2Server(
    _ security: TLSConfiguration,
    window: Int = 65_535,
    repliesEarly: Bool = false,
    _ reply: @escaping @Sendable (Int) -> HTTP2Reply,
    _ body: (HTTP2Server, URL) async throws -> Void
) async throws {
    var security = security
    security.applicationProtocols = ["h2"]
    let context = try NIOSSLContext(configuration: security)
    let server = HTTP2Server()
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                server.countConnection()
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(NIOSSLServerHandler(context: context))
                var connection = NIOHTTP2Handler.ConnectionConfiguration()
                connection.initialSettings += [
                    HTTP2Setting(parameter: .initialWindowSize, value: window)
                ]
                var streams = NIOHTTP2Handler.StreamConfiguration()
                streams.targetWindowSize = window
                _ = try pipeline.configureHTTP2Pipeline(
                    mode: .server,
                    connectionConfiguration: connection,
                    streamConfiguration: streams
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        let responder = Responder(repliesEarly: repliesEarly) {
                            reply(server.countRequest())
                        }
                        try stream.pipeline.syncOperations.addHandler(responder)
                    }
                }
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    defer { listener.close(promise: nil) }
    guard let url = URL(string: "https://localhost:\(listener.localAddress?.port ?? 0)/v1") else {
        throw CancellationError()
    }
    try await body(server, url)
}

/// Sends the reply to the request of a stream.
private final class Responder: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let repliesEarly: Bool
    private let reply: () -> HTTP2Reply

    init(repliesEarly: Bool, _ reply: @escaping () -> HTTP2Reply) {
        self.repliesEarly = repliesEarly
        self.reply = reply
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isEnd =
            switch unwrapInboundIn(data) {
            case .headers(let frame): frame.endStream || repliesEarly
            case .data(let frame): frame.endStream && !repliesEarly
            default: false
            }
        guard isEnd else { return }
        switch reply() {
        case .response(let headers, let body, let trailers):
            send(headers, endsStream: body.isEmpty && trailers == nil, context)
            if !body.isEmpty { send(body, endsStream: trailers == nil, context) }
            if let trailers { send(trailers, endsStream: true, context) }
        case .responseThenReset(let headers, let body):
            send(headers, endsStream: false, context)
            send(body, endsStream: false, context)
            context.write(wrapOutboundOut(.rstStream(.internalError)), promise: nil)
        case .reset(let code): context.write(wrapOutboundOut(.rstStream(code)), promise: nil)
        case .goAway:
            let payload = HTTP2Frame.FramePayload.goAway(
                lastStreamID: .rootStream,
                errorCode: .noError,
                opaqueData: nil
            )
            let frame = HTTP2Frame(streamID: .rootStream, payload: payload)
            let connection = context.channel.parent
            connection?.writeAndFlush(frame).whenComplete { _ in connection?.close(promise: nil) }
        case .nothing: break
        }
        context.flush()
    }

    private func send(
        _ headers: HPACKHeaders,
        endsStream: Bool,
        _ context: ChannelHandlerContext
    ) {
        let frame = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: endsStream))
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    private func send(_ body: String, endsStream: Bool, _ context: ChannelHandlerContext) {
        let data = IOData.byteBuffer(ByteBuffer(string: body))
        let frame = HTTP2Frame.FramePayload.data(.init(data: data, endStream: endsStream))
        context.write(wrapOutboundOut(frame), promise: nil)
    }
}
