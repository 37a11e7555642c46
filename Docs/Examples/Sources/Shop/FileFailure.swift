import Foundation

/// A file that cannot be read or written.
struct FileFailure: LocalizedError {
    private let file: String
    private let cause: any Error

    /// Does something with a file, and names the file in the error.
    static func naming<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw FileFailure(file: file, cause: error) }
    }

    var errorDescription: String? {
        "“\(file)” cannot be used: \(cause.localizedDescription) Check that it is a file "
            + "and that there is room and permission for it."
    }
}
