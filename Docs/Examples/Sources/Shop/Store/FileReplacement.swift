import Foundation

/// Writes a file through a temporary file in the same folder.
enum FileReplacement {
    /// Creates or replaces a file.
    ///
    /// It appears with its whole content, or not at all: if an error is thrown, the file and the
    /// folder stay as they were.
    ///
    /// - Parameters:
    ///   - path: The file. If it is a symbolic link, the file that it leads to is replaced.
    ///   - body: A closure that writes the content.
    /// - Throws: The error of the closure, or ``FileError``.
    static func write(to path: String, _ body: (FileHandle) throws -> Void) throws {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        let target = url.path(percentEncoded: false)
        guard isReplaceable(target) else {
            throw FileError(file: path, reason: "It is not a regular file")
        }
        let temporary =
            url.deletingLastPathComponent().path(percentEncoded: false)
            + ".\(UUID().uuidString).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(systemErrorAt: path) }
        do {
            try FileError.naming(path) {
                let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                try body(output)
                try output.synchronize()
                try output.close()
            }
            guard rename(temporary, target) == 0 else { throw FileError(systemErrorAt: path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Whether a path leads to a regular file or to nothing, and not to a device or a folder.
    private static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}
