public import AsyncHTTPClient
import NIOHTTPCompression

extension HTTPClient.Configuration {
    /// The client configuration for ``AsyncHTTPClientNetworking``.
    ///
    /// The client does not follow redirects, decompresses at most 16 MiB, and reports a failed
    /// connection immediately. With its default settings, the client retries until the connect timeout
    /// has passed, even if the server's certificate is not trusted.
    public static var productKit: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            decompression: .enabled(limit: .size(16 << 20))
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
