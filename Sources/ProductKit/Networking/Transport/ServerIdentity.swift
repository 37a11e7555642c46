public import Foundation

/// Who a server shows itself to be when a connection is secured (RFC 8446 §4.4.2).
///
/// A transport that is given `isTrusted` hands one over for each server that the system trusts, so
/// that a program can pin what it knows:
///
/// ```swift
/// let pinned = URLSessionTransport(isTrusted: { server in
///     server.certificates.contains(authority)
/// })
/// ```
public struct ServerIdentity: Hashable, Sendable {
    /// The name that the program connects to.
    public let host: String
    /// The certificates in DER form (RFC 5280 §4.1), the server's own first.
    public let certificates: [Data]

    /// Creates an identity, as a test of a program's `isTrusted` does.
    public init(host: String, certificates: [Data]) {
        self.host = host
        self.certificates = certificates
    }
}
