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
        try await withSmallDisk { url, _ in try await body(url) }
    }

    /// Runs a test with such a disk and a closure that makes it read-only, or writable again.
    static func withSmallDisk(
        _ body: (URL, _ setReadOnly: (Bool) throws -> Void) async throws -> Void
    ) async throws {
        let disk = try #require(try open())
        defer { disk.close() }
        try await body(disk.url, disk.setReadOnly)
    }

    private struct Holder {
        let process: Process
        let input: FileHandle
        let output: FileHandle
        let url: URL

        func setReadOnly(_ isReadOnly: Bool) throws {
            try input.write(contentsOf: Data((isReadOnly ? "ro\n" : "rw\n").utf8))
            try #require(output.reportsSuccess, "The disk could not be mounted again.")
        }

        func close() {
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// Starts the child process; returns `nil` if this machine does not permit the disk.
    ///
    /// The disk cannot become read-only while a file is open for writing. A child process of another
    /// test has a copy of each open file for some milliseconds, between `fork` and `exec`. So the child
    /// process tries again, for at least a minute.
    private static func open() throws -> Holder? {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = [
            "--map-root-user", "--mount", "sh", "-c",
            """
            mount -t tmpfs -o size=256k none /mnt && echo ready || exit 1
            while read mode; do
                tries=0
                until mount -o remount,$mode none /mnt; do
                    tries=$((tries + 1))
                    [ $tries -lt 6000 ] || exit 1
                    sleep 0.01
                done
                echo ready
            done
            """,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let reading = output.fileHandleForReading
        guard reading.reportsSuccess else {
            process.waitUntilExit()
            return nil
        }
        return Holder(
            process: process,
            input: input.fileHandleForWriting,
            output: reading,
            url: URL(filePath: "/proc/\(process.processIdentifier)/root/mnt")
        )
    }
}

extension FileHandle {
    /// Waits for a line of the child process, and returns whether it reports a success.
    ///
    /// Returns `false` if the process has ended.
    fileprivate var reportsSuccess: Bool {
        var line = Data()
        while line.last != UInt8(ascii: "\n"), let byte = try? read(upToCount: 1), !byte.isEmpty {
            line += byte
        }
        return line == Data("ready\n".utf8)
    }
}
