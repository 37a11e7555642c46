import Crypto
import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// A certificate authority that only the tests and benchmarks trust.
package struct TestAuthority {
    private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    private let name: DistinguishedName
    private let certificate: Certificate

    package init() throws {
        name = try DistinguishedName { CommonName("Authority of a test") }
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: Date() - halfYear,
            notValidAfter: Date() + halfYear,
            issuer: name,
            subject: name,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            },
            issuerPrivateKey: key
        )
    }

    /// The certificate of the authority as text (RFC 7468).
    package var pem: String {
        get throws { try certificate.serializeAsPEM().pemString }
    }

    /// Creates the TLS configuration of a server.
    package func configuration(for server: TestServer) throws -> TLSConfiguration {
        let serverKey = P256.Signing.PrivateKey()
        let serverPrivateKey = Certificate.PrivateKey(serverKey)
        let isSelfSigned = server == .selfSigned
        let subject = try DistinguishedName { CommonName("Server of a test") }
        let end = server == .expired ? -day : halfYear
        let host = server == .wrongHost ? "shop.example" : "localhost"
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: serverPrivateKey.publicKey,
            notValidBefore: Date() - halfYear,
            notValidAfter: Date() + end,
            issuer: isSelfSigned ? subject : name,
            subject: subject,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames([.dnsName(host)])
            },
            issuerPrivateKey: isSelfSigned ? serverPrivateKey : key
        )
        return .makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(certificate))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: [UInt8](serverKey.derRepresentation), format: .der)
            )
        )
    }
}

private let day: TimeInterval = 86_400
private let halfYear = 182 * day

/// The kind of a server's certificate.
package enum TestServer: CaseIterable {
    /// Signed by the authority for `localhost`, and valid today.
    case valid
    /// Signed by the authority for `localhost`, and valid until yesterday.
    case expired
    /// Signed by the authority for another host, and valid today.
    case wrongHost
    /// Self-signed for `localhost`, and valid today.
    case selfSigned
}

extension NIOSSLCertificate {
    fileprivate convenience init(_ certificate: Certificate) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        try self.init(bytes: serializer.serializedBytes, format: .der)
    }
}
