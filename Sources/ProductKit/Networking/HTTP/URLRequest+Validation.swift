#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// Makes sure that what is sent is what the request says, and nothing else.
    ///
    /// The library's own transports do this first; let yours do it too. A request that passes
    /// has an http address with a host and without a name or password, a method and header fields
    /// that break no rule of HTTP (RFC 9110 §5.6.2), no body where none may be, a `Content-Type` for
    /// the one it has, nothing that contradicts its length (RFC 9112 §6), and a timeout between 0
    /// and 10⁹ seconds.
    ///
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/invalidRequest``, for
    ///   what a client would drop silently, send as something else, or crash on; with code
    ///   ``NetworkError/Code-swift.struct/notCached``, for what only a cache was to answer.
    public func validate() throws {
        func refuse(_ reason: String) -> NetworkError {
            NetworkError(.invalidRequest, request: self, reason: reason)
        }
        guard cachePolicy != .returnCacheDataDontLoad else {
            throw NetworkError(.notCached, request: self)
        }
        guard let url, ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
            throw refuse("The address is no http address; use one that begins with https://.")
        }
        guard url.user == nil, url.password == nil else {
            throw refuse("The address holds a name or password; send them in a header.")
        }
        guard method.isHTTPToken else {
            throw refuse("The method is no token; use one like GET or PUT.")
        }
        guard timeoutInterval.isFinite, timeoutInterval > 0, timeoutInterval <= 1e9 else {
            throw refuse("A timeout of \(timeoutInterval) s cannot be kept; use 0.001 to 1e9 s.")
        }
        guard !isSafe || (httpBody ?? Data()).isEmpty && httpBodyStream == nil else {
            throw refuse("A \(method) cannot carry a body; use PUT, POST or PATCH.")
        }
        guard httpBody?.isEmpty ?? true || value(forHTTPHeaderField: "Content-Type") != nil else {
            throw refuse("The body has no Content-Type; the system would call it a form.")
        }
        for (name, value) in allHTTPHeaderFields ?? [:] {
            try checkHeader(name: name, value: value)
            try checkFraming(name: name, value: value)
        }
    }

    /// Makes sure that only the HTTP client says where the body ends (RFC 9112 §6).
    ///
    /// With a length of the caller's own the server would take what follows for the next request,
    /// or wait for bytes that never come; so it would for the permission that `Expect` asks for.
    private func checkFraming(name: String, value: String) throws {
        let isWrong =
            switch name.lowercased() {
            case "content-length": httpBodyStream == nil && value != "\(httpBody?.count ?? 0)"
            case "transfer-encoding", "expect": true
            default: false
            }
        guard isWrong else { return }
        throw NetworkError(
            .invalidRequest,
            request: self,
            reason: "Header “\(name)” is for the HTTP client to send; remove it."
        )
    }
}

extension URLRequest {
    /// Adds fields that the request does not have yet; the ones it has stay.
    ///
    /// - Throws: ``NetworkError`` with code `invalidRequest` for a name or value that may not be
    ///   sent: the system drops such a field silently, or worse, sends it.
    mutating func add(_ headers: NetworkHeaders) throws {
        for (name, value) in headers {
            try checkHeader(name: name, value: value)
            if self.value(forHTTPHeaderField: name) == nil {
                setValue(value, forHTTPHeaderField: name)
            }
        }
    }

    /// Refuses a name or value that may not be sent.
    func checkHeader(name: String, value: String) throws {
        guard name.isHTTPToken else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "A header is named “\(name.httpTokenPrefix)” and more that may not stand "
                    + "in a name; use letters, digits and hyphens only."
            )
        }
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0 >= " " && $0 != "\u{7F}") })
        else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "The value of header “\(name)” holds a line break or control character; "
                    + "remove it."
            )
        }
    }
}
