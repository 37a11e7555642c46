#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// The properties of a request that follow from its method (RFC 9110 §9.2), and from its
/// declaration as a read by ``NetworkRequest/reading(as:)``.
///
/// Methods are case-sensitive. A method that is not listed here is neither safe nor idempotent.
extension URLRequest {
    /// The request method; `GET` unless another one is set.
    var method: String { httpMethod ?? "GET" }

    /// Whether the method itself is safe (RFC 9110 §9.2.1), whatever the request declares.
    var hasSafeMethod: Bool { method == "GET" || Self.safeMethods.contains(method) }

    /// Whether the request is safe: it does not request a change on the server.
    ///
    /// Its method is safe, or it is declared to be a read.
    package var isSafe: Bool { hasSafeMethod || isDeclaredRead }

    /// Whether sending the request twice has the same effect as sending it once
    /// (RFC 9110 §9.2.2).
    package var isIdempotent: Bool { isSafe || ["PUT", "DELETE"].contains(method) }

    /// Whether the request may be sent again although the server may have received it.
    ///
    /// It is idempotent, or has an `Idempotency-Key`, which the author of the backend sets if the server
    /// recognizes duplicates by it.
    var isRepeatable: Bool {
        isIdempotent
            || !Self.keysAreIgnored && value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    /// Whether an `Idempotency-Key` makes no request of the current task repeatable, because duplicates
    /// are recognized in another way.
    @TaskLocal static var keysAreIgnored = false

    /// Whether equal requests get the same response, which may be shared and stored: a `GET`, or a
    /// request that is declared to be a read.
    var isRead: Bool { method == "GET" || isDeclaredRead }

    /// Whether the system may send the request a second time by itself.
    ///
    /// An unsafe request must be idempotent and have no body: the system may repeat it without one.
    var isResendable: Bool {
        hasSafeMethod || isIdempotent && (httpBody ?? Data()).isEmpty && httpBodyStream == nil
    }

    /// The safe methods (RFC 9110 §9.2.1).
    static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE"]
}
