#if canImport(Glibc)
import CInterposition
import Foundation
import Glibc
import Loads
import SecuredServer

/// A local HTTPS server that sends the same response to every request.
enum SecuredStore {
    private static let command = "serve-secured"

    /// The store, for benchmarks.
    static let store = Store(command: command, origin: "https://localhost")

    /// Serves until standard input ends, and then exits, if this is the first argument.
    ///
    /// Call this in `main()`, before any request. Without the argument, it makes this process trust
    /// only the stores that it starts.
    ///
    /// - Throws: The error of the system if it cannot open a port or write a file.
    static func serveIfRequested() async throws {
        guard CommandLine.arguments.dropFirst().first == command else {
            return replace_certificate_authorities(authorityFile(ofProcess: getpid()))
        }
        let authority = try TestAuthority()
        let file = authorityFile(ofProcess: getppid())
        try authority.pem.write(toFile: file, atomically: true, encoding: .utf8)
        let security = try authority.configuration(for: .valid)
        try await withSecuredServer(security, json: Sample.json) { _, port in
            try FileHandle.standardOutput.write(contentsOf: Data("\(port)\n".utf8))
            _ = try FileHandle.standardInput.readToEnd()
        }
        try FileManager.default.removeItem(atPath: file)
        exit(0)
    }

    /// The file with the certificate of the authority that a process trusts.
    private static func authorityFile(ofProcess number: pid_t) -> String {
        FileManager.default.temporaryDirectory.appending(path: "authority-\(number).pem").path
    }
}
#endif
