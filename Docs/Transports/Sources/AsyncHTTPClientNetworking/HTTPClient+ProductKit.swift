public import AsyncHTTPClient
import NIOHTTPCompression

extension HTTPClient.Configuration {
    /// How a client should behave under ``AsyncHTTPClientNetworking``.
    ///
    /// It follows no redirect, unpacks at most 16 MiB, and reports a connection that cannot be made
    /// at once: with the client's own settings it tries again, untrusted servers included, until its
    /// time for connecting is up.
    public static var productKit: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            decompression: .enabled(limit: .size(16 << 20))
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
