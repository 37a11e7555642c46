import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// Refuses HTTP/1.1 responses with a status code of less than 100, which is not valid (RFC 9110 §15),
/// and with 101, because no request has an `Upgrade` field (RFC 9110 §15.2.2).
///
/// Without it, the client waits for a second head as after an informational response, and traps at
/// the end of the body.
final class StatusCodeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data),
            head.status.code < 100 || head.status == .switchingProtocols
        {
            hasRefused = true
            // The client closes the connection after an error.
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        } else {
            context.fireChannelRead(data)
        }
    }
}

/// Refuses HTTP/2 responses whose `:status` is not a status code (RFC 9113 §8.3.2).
///
/// It must be the first handler of a stream: the next one traps if the number is negative, and the
/// client traps if it is less than 100.
final class StreamStatusCodeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .headers(let frame) = unwrapInboundIn(data),
            let status = frame.headers.first(name: ":status"), !isStatusCode(status)
        {
            hasRefused = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        } else {
            context.fireChannelRead(data)
        }
    }

    private func isStatusCode(_ text: String) -> Bool {
        Int(text).map { (100...999).contains($0) } ?? false
    }
}
