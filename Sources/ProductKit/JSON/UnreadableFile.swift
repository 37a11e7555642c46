public import Foundation

/// A file that could not be read, or not to its end.
public struct UnreadableFile: LocalizedError {
    /// The file.
    public let url: URL
    /// What the system said.
    public let underlying: any Error

    /// What happened, to which file, and what to do.
    public var errorDescription: String? {
        "The file “\(url.path(percentEncoded: false))” cannot be read: "
            + "\(underlying.localizedDescription) Check that it is a file and may be read."
    }

    /// Does something with a file, and names the file in the error.
    static func naming<Value>(_ url: URL, _ body: () throws -> Value) throws -> Value {
        do {
            guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            return try body()
        } catch {
            throw UnreadableFile(url: url, underlying: error)
        }
    }
}
