import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the same JSON to everybody until the standard input ends.
///
/// The port is told in the first line of the standard output.
///
/// - Throws: The system's reason, when no port could be opened.
func serve() async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.configureHTTPServerPipeline()
                try pipeline.addHandler(Serving())
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    let port = listener.localAddress?.port ?? 0
    FileHandle.standardOutput.write(Data("\(port)\n".utf8))
    while readLine() != nil {}
    try await listener.close()
}

/// Answers every request alike, and keeps the connection.
final class Serving: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// What is answered: some 1.1 kB of JSON.
    static let body =
        #"{"id": "boots", "name": "Boots", "description": ""#
        + String(repeating: "Good for walking. ", count: 58) + #""}"#

    private let bytes = ByteBuffer(string: Serving.body)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "Content-Length": "\(bytes.readableBytes)",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
