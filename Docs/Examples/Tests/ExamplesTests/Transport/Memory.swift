#if canImport(Glibc) && !THREAD_SANITIZER
import CMalloc
import FaultServer
import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What this process takes of the machine, as the kernel counts it.
enum Memory {
    /// The most bytes that were in use at once so far.
    static func peak() throws -> Int { try bytes("VmHWM") }

    /// The bytes in use now, without what the heap keeps for later.
    static func current() throws -> Int {
        malloc_trim(0)
        return try bytes("VmRSS")
    }

    /// How many files and sockets are open.
    static func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// How many files and sockets are open once the last ones, which close in the background, have.
    ///
    /// What has leaked does not settle; it is counted after two seconds.
    static func openFiles(settlingAt limit: Int) async throws -> Int {
        for _ in 1...100 {
            guard try openFiles() > limit else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try openFiles()
    }

    /// How many bytes more than before were in use while a fault was answered with an error.
    static func peak(of fault: Fault) async throws -> Int {
        let transport = URLSessionTransport(deadline: .seconds(5))
        try await withFaultServer({ _, connection in try await connection.answer() }) { _, url in
            _ = try await transport.response(for: .to(url))
        }
        return try await withFaultServer(fault) { _, url in
            let before = try peak()
            _ = try? await transport.response(for: .to(url))
            return try peak() - before
        }
    }

    private static func bytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
#endif
