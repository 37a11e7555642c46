import Foundation
import Testing

/// A disk of 256 KiB.
///
/// It is a file system in memory, mounted by a child process in a namespace of its own. Other
/// processes reach it below `/proc`. It requires Linux, and not every machine permits it.
enum SmallDisk {
    /// Whether this machine permits such a disk.
    static let isPermitted = (try? open())?.close() != nil

    /// Runs a test with such a disk, and unmounts it afterwards.
    static func withSmallDisk(_ body: (URL) async throws -> Void) async throws {
        let disk = try #require(try open())
        defer { disk.close() }
        try await body(disk.url)
    }

    private struct Holder {
        let process: Process
        let url: URL

        func close() {
            process.terminate()
            process.waitUntilExit()
        }
    }

    private static func open() throws -> Holder? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = [
            "--map-root-user", "--mount", "sh", "-c",
            "mount -t tmpfs -o size=256k none /mnt && echo ready && exec sleep 60",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard String(decoding: line, as: UTF8.self) == "ready\n" else {
            process.waitUntilExit()
            return nil
        }
        return Holder(
            process: process,
            url: URL(filePath: "/proc/\(process.processIdentifier)/root/mnt")
        )
    }
}
