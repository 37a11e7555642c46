import Foundation

/// Appends lines to a file, and waits until each survives a loss of power.
struct FileByHand {
    private static let line = [UInt8](repeating: UInt8(ascii: "x"), count: 96) + [0x0a]
    private let descriptor: Int32

    init(in directory: URL) throws {
        let path = directory.appending(path: "by-hand").path(percentEncoded: false)
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func append() throws {
        guard write(descriptor, Self.line, Self.line.count) == Self.line.count else {
            throw CocoaError(.fileWriteUnknown)
        }
        #if canImport(Darwin)
        let result = fcntl(descriptor, F_FULLFSYNC)
        #else
        let result = fdatasync(descriptor)
        #endif
        guard result == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func closeFile() {
        close(descriptor)
    }
}

extension FileManager {
    /// Creates an empty directory.
    func newTemporaryDirectory() throws -> URL {
        let directory = temporaryDirectory.appending(path: UUID().uuidString)
        try createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }
}
