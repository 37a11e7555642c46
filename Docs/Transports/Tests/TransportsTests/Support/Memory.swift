#if canImport(Glibc) && !THREAD_SANITIZER
import CMalloc
import FaultServer
import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The memory and the open files of this process.
enum Memory {
    /// The maximum of resident memory so far, in bytes.
    static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// The heap memory in use by all threads, in bytes.
    ///
    /// Unlike resident memory, it excludes free memory that the allocator has not yet returned to the
    /// system, so that a leak is visible.
    static func inUse() -> Int {
        // `mallinfo2()` would create an empty structure of this name instead of calling the function.
        let function: @convention(c) () -> mallinfo2 = mallinfo2
        let heap = function()
        return Int(heap.uordblks) + Int(heap.hblkhd)
    }

    /// Makes this process overwrite freed memory, so that using it again has an effect.
    static func overwriteFreedMemory() {
        mallopt(M_PERTURB, 0x5A)
    }

    /// The number of open files and sockets.
    static func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Returns a number of files or bytes, after waiting for those that are freed in the background.
    ///
    /// Waits at most a minute for the number to reach the limit. Leaked files and bytes stay.
    static func wait(for number: () throws -> Int, atMost limit: Int) async throws -> Int {
        for _ in 1...3_000 {
            guard try number() > limit else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try number()
    }

    /// The growth of the maximum resident memory during a request to a server with a fault.
    static func peak(
        of fault: Fault,
        over transport: TransportUnderTest
    ) async throws -> Int {
        let networking = try transport.make()
        return try await withFaultServer(.validResponse) { _, validURL in
            _ = try await networking.response(for: .to(validURL))
            return try await withFaultServer(fault) { _, url in
                let before = try peak()
                _ = try? await networking.response(for: .to(url))
                // This response arrives only after the session has finished the previous request.
                _ = try await transport.make().response(for: .to(validURL))
                return try peak() - before
            }
        }
    }
}
#endif
