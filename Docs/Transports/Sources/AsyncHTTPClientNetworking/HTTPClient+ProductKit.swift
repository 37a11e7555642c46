public import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL

extension HTTPClient.Configuration {
    /// The client configuration for ``AsyncHTTPClientNetworking``.
    ///
    /// The client requires TLS 1.2, does not follow redirects, decompresses at most 16 MiB, and reports
    /// a failed connection immediately. With its default settings, the client retries until the connect
    /// timeout has passed, even if the server's certificate is not trusted.
    ///
    /// A response with an invalid status code, such as `HTTP/1.1 000`, is an error. With another
    /// configuration, AsyncHTTPClient 1.37 terminates the process after such a response. The handlers
    /// that refuse it are added by the debug initializers of the configuration, so do not replace
    /// these.
    public static var productKit: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            decompression: .enabled(limit: .size(16 << 20))
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.minimumTLSVersion = .tlsv12
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(
                    type: ByteToMessageHandler<HTTPResponseDecoder>.self
                )
                try pipeline.addHandler(StatusCodeHandler(), position: .after(decoder))
            }
        }
        configuration.http2StreamChannelDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    StreamStatusCodeHandler(),
                    position: .first
                )
            }
        }
        return configuration
    }
}
