#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// The properties of request methods (RFC 9110 §9.2).
///
/// Methods are case-sensitive. A method that is not listed here is neither safe nor idempotent.
extension URLRequest {
    /// The request method; `GET` unless another one is set.
    var method: String { httpMethod ?? "GET" }

    /// Whether the method is safe: it does not request a change on the server (RFC 9110 §9.2.1).
    package var isSafe: Bool { Self.safeMethods.contains(method) }

    /// Whether sending the request twice has the same effect as sending it once
    /// (RFC 9110 §9.2.2).
    package var isIdempotent: Bool { isSafe || ["PUT", "DELETE"].contains(method) }

    /// Whether the system may send the request a second time by itself.
    ///
    /// An unsafe request must be idempotent and have no body: the system may repeat it without one.
    var isResendable: Bool {
        isSafe || isIdempotent && (httpBody ?? Data()).isEmpty && httpBodyStream == nil
    }

    private static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE"]
}
