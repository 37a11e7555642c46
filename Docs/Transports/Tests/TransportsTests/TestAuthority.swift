import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority of a test's own, whom nobody else knows.
struct TestAuthority {
    private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    private let name: DistinguishedName
    private let certificate: Certificate

    init() throws {
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

    /// The authority's own certificate, for a client to trust.
    var root: NIOSSLCertificate {
        get throws { try NIOSSLCertificate(certificate) }
    }

    /// What a server needs to show itself as what it is.
    func configuration(for server: TestServer) throws -> TLSConfiguration {
        let serverKey = P256.Signing.PrivateKey()
        let own = Certificate.PrivateKey(serverKey)
        let isSelfSigned = server == .selfSigned
        let subject = try DistinguishedName { CommonName("Server of a test") }
        let end = server == .expired ? -day : halfYear
        let host = server == .ofAnotherHost ? "shop.example" : "localhost"
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: own.publicKey,
            notValidBefore: Date() - halfYear,
            notValidAfter: Date() + end,
            issuer: isSelfSigned ? subject : name,
            subject: subject,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames([.dnsName(host)])
            },
            issuerPrivateKey: isSelfSigned ? own : key
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

/// What a server's certificate is like.
enum TestServer: CaseIterable {
    /// Signed by the authority, for this machine, valid today.
    case sound
    /// Signed by the authority, for this machine, valid until yesterday.
    case expired
    /// Signed by the authority, valid today, for another machine.
    case ofAnotherHost
    /// For this machine, valid today, signed by nobody but itself.
    case selfSigned
}

extension NIOSSLCertificate {
    fileprivate convenience init(_ certificate: Certificate) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        try self.init(bytes: serializer.serializedBytes, format: .der)
    }
}
