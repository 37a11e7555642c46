import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Makes sure that the system sends what the request says, and nothing else.
    ///
    /// - Throws: ``NetworkError`` with code `invalidRequest`, for what would crash the system's
    ///   session, be dropped silently, or arrive as something else.
    func validate() throws {
        func refuse(_ reason: String) -> NetworkError {
            NetworkError(.invalidRequest, request: self, reason: reason)
        }
        guard let url, ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { throw refuse("The address is no http address; use one that begins with https.") }
        guard (httpMethod ?? "GET").isHTTPToken else {
            throw refuse("The method is no token; use one like GET or PUT.")
        }
        guard timeoutInterval.isFinite, timeoutInterval > 0, timeoutInterval <= 1e9 else {
            throw refuse("A timeout of \(timeoutInterval) s cannot be kept; use 0.001 to 1e9 s.")
        }
        guard isMutation || (httpBody ?? Data()).isEmpty && httpBodyStream == nil else {
            throw refuse("A \(httpMethod ?? "GET") cannot carry a body; use PUT, POST or PATCH.")
        }
        guard httpBody?.isEmpty ?? true || value(forHTTPHeaderField: "Content-Type") != nil else {
            throw refuse("The body has no Content-Type; the system would call it a form.")
        }
        for (name, value) in allHTTPHeaderFields ?? [:] {
            try checkHeader(name: name, value: value)
        }
    }

    /// Whether the method may change something on the server (RFC 9110 §9.2.1).
    var isMutation: Bool {
        !["GET", "HEAD", "OPTIONS", "TRACE"].contains(httpMethod ?? "GET")
    }
}
