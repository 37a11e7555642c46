#if canImport(Glibc) && !THREAD_SANITIZER
import Foundation
import NIOSSL
import ProductKit
import SecuredServer
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The closure that checks the certificate of a trusted server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PinningTests {
    private static let transports = TransportUnderTest.all(without: .cannotCheckTrust)
        .filter { !$0.has(.hasNoTrustCheck) }

    @Test(arguments: transports)
    func `the closure receives the host and the server's own certificate`(
        transport: TransportUnderTest
    ) async throws {
        let security = try TestAuthority.trusted().configuration(for: .valid)
        guard case .certificate(let leaf) = security.certificateChain.first else { return }
        let expected = Data(try leaf.toDERBytes())
        let seen = Mutex<[ServerIdentity]>([])
        try await withSecuredServer(security) { server, port in
            let url = try #require(URL(string: "https://localhost:\(port)/v1"))
            let networking = try transport.make { identity in
                seen.withLock { $0.append(identity) }
                return identity.certificates.first == expected
            }
            for method in ["GET", "GET", "PUT", "GET", "POST"] {
                let response = try await networking.response(for: .to(url, method))

                #expect(response.statusCode == 200)
            }

            #expect(server.requestCount == 5)
            let identities = seen.withLock(\.self)
            #expect(identities.count >= 1)
            #expect(identities.allSatisfy { $0.host == "localhost" })
            #expect(identities.allSatisfy { $0.certificates.first == expected })
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: transports)
    func `a server that the closure refuses never gets a request`(
        transport: TransportUnderTest
    ) async throws {
        let security = try TestAuthority.trusted().configuration(for: .valid)
        try await withSecuredServer(security) { server, port in
            let url = try #require(URL(string: "https://localhost:\(port)/v1"))
            let networking = try transport.make { _ in false }
            for method in ["GET", "PUT", "POST", "GET", "HEAD", "DELETE"] {
                let error = await #expect(throws: NetworkError.self) {
                    try await networking.response(for: .to(url, method))
                }

                #expect(error?.code == .untrusted)
            }
            let codes = await withTaskGroup(of: NetworkError.Code?.self) { group in
                for _ in 1...50 {
                    group.addTask {
                        try? await NetworkError.code {
                            try await networking.response(for: .to(url))
                        }
                    }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(codes == [.untrusted])
            #expect(server.requestCount == 0)
        }
    }

    @Test(arguments: transports)
    func `one transport accepts one server and refuses another at the same host`(
        transport: TransportUnderTest
    ) async throws {
        let authority = try TestAuthority.trusted()
        let security = try authority.configuration(for: .valid)
        guard case .certificate(let leaf) = security.certificateChain.first else { return }
        let pinned = Data(try leaf.toDERBytes())
        try await withSecuredServer(security) { server, port in
            try await withSecuredServer(authority.configuration(for: .valid)) { other, otherPort in
                let networking = try transport.make { $0.certificates.first == pinned }
                for _ in 1...3 {
                    let url = try #require(URL(string: "https://localhost:\(port)/v1"))
                    let otherURL = try #require(URL(string: "https://localhost:\(otherPort)/v1"))
                    let code = try await NetworkError.code {
                        try await networking.response(for: .to(url))
                    }
                    let otherCode = try await NetworkError.code {
                        try await networking.response(for: .to(otherURL))
                    }

                    #expect(code == nil)
                    #expect(otherCode == .untrusted)
                }
                #expect(server.requestCount == 3)
                #expect(other.requestCount == 0)
            }
        }
    }

    // Rule: security/bad-certificate-is-final (24)
    @Test(arguments: transports)
    func `the closure is not called for a server that the system does not trust`(
        transport: TransportUnderTest
    ) async throws {
        let security = try TestAuthority().configuration(for: .valid)
        try await SecuredServer.expectNoRequest(with: security, failingWith: .untrusted) { url in
            let networking = try transport.make { _ in
                Issue.record("The closure was called.")
                return true
            }
            return try await networking.response(for: .to(url))
        }
    }
}
#endif
