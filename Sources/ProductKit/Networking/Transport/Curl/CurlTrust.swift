#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
import Foundation

/// Calls the closure of a transport for the server of each new TLS connection.
///
/// libcurl has verified the server's certificate before. It reports the certificate only for a new
/// connection, so the servers of open connections are remembered.
final class CurlTrust {
    private let isTrusted: @Sendable (ServerIdentity) -> Bool
    private var trustedServers: Set<String> = []

    init(_ isTrusted: @escaping @Sendable (ServerIdentity) -> Bool) {
        self.isTrusted = isTrusted
    }

    /// Decides whether a request may be sent over a connection.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - certificate: The server's own certificate in DER form.
    ///   - isOpen: Whether an earlier request has opened the connection.
    /// - Returns: Whether the request may be sent.
    func isTrusted(_ url: URL, certificate: Data?, isOpen: Bool) -> Bool {
        let host = url.host ?? ""
        let server = "\(host):\(url.port ?? 443)"
        if isOpen { return trustedServers.contains(server) }
        guard let certificate,
            isTrusted(ServerIdentity(host: host, certificates: [certificate]))
        else { return false }
        trustedServers.insert(server)
        return true
    }
}
#endif
