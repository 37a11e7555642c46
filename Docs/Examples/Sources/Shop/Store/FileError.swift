import Foundation

/// An error for a file that cannot be read or written.
struct FileError: LocalizedError {
    let file: String
    /// The reason from the system or from this program, without a final period.
    let reason: String

    var errorDescription: String? {
        "“\(file)” cannot be read or written: \(reason). "
            + "Check the path, the permissions and the free disk space."
    }
}

extension FileError {
    /// Creates an error with the reason that the system stores in `errno`.
    init(systemErrorAt file: String) {
        self.init(file: file, reason: String(cString: strerror(errno)))
    }

    /// Runs a closure that uses a file, and replaces an error of Foundation by one that contains
    /// the file and the reason of the system.
    static func naming<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as CocoaError {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            guard let cause, cause.domain == NSPOSIXErrorDomain else { throw error }
            throw FileError(file: file, reason: String(cString: strerror(Int32(cause.code))))
        }
    }
}
