#if canImport(Glibc) && !THREAD_SANITIZER
import CInterposition
import Foundation
import SecuredServer
import Testing

extension TestAuthority {
    /// An authority that the clients of this process trust, in addition to those of the system.
    ///
    /// A client that has read the authorities of the system before does not trust it.
    static func trusted() throws -> TestAuthority {
        try shared.get()
    }

    private static let shared = Result {
        let authority = try TestAuthority()
        let system = try String(
            contentsOfFile: "/etc/ssl/certs/ca-certificates.crt",
            encoding: .utf8
        )
        let file = FileManager.default.temporaryDirectory
            .appending(path: "authorities-\(UUID().uuidString).crt")
        try (system + authority.pem + "\n").write(to: file, atomically: true, encoding: .utf8)
        replace_certificate_authorities(file.path)
        return authority
    }
}
#endif
