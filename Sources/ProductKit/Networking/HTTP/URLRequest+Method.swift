import Foundation

/// The properties of methods (RFC 9110 §9.2).
///
/// Methods are case-sensitive. One that is not listed here is neither safe nor idempotent.
extension String {
    /// Whether requests with this method do not request a change on the server (§9.2.1).
    var isSafeMethod: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(self) }

    /// Whether sending a request with this method twice has the same effect as sending it once (§9.2.2).
    var isIdempotentMethod: Bool { isSafeMethod || ["PUT", "DELETE"].contains(self) }
}

extension URLRequest {
    /// The request method; `GET` unless another one is set.
    var method: String { httpMethod ?? "GET" }

    /// Whether the method is safe (RFC 9110 §9.2.1).
    var isSafe: Bool { method.isSafeMethod }

    /// Whether the system may send the request a second time by itself.
    ///
    /// An unsafe request must be idempotent and have no body: the system may repeat it without one.
    var isResendable: Bool {
        isSafe
            || method.isIdempotentMethod && (httpBody ?? Data()).isEmpty && httpBodyStream == nil
    }
}
