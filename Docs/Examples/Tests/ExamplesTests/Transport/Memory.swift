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
    static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// The bytes of the heap that are in use now, by whatever thread: what leaks stays in use.
    ///
    /// What the process holds beyond that, the heap keeps for later in pieces of chance sizes.
    static func inUse() -> Int {
        let heap = mallinfo2()
        return Int(heap.uordblks) + Int(heap.hblkhd)
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
        return try await withFaultServer(.validResponse) { _, sound in
            _ = try await transport.response(for: .to(sound))
            return try await withFaultServer(fault) { _, url in
                let before = try peak()
                _ = try? await transport.response(for: .to(url))
                // This is answered when the session has done with the other one.
                _ = try await URLSessionTransport().response(for: .to(sound))
                return try peak() - before
            }
        }
    }
}
#endif
