#if canImport(FoundationNetworking)
import Foundation
#else
public import Foundation
#endif

extension URLRequest {
    /// Throws if an HTTP client would change the request, drop parts of it, or crash on it.
    ///
    /// The transports of the library call this method first. Call it in your own transport, too. A valid request has:
    ///
    /// - an http or https URL with a host, and without a user name and password
    /// - a method and header fields that HTTP allows (RFC 9110 §5.6.2)
    /// - a body only if its method allows one, together with a `Content-Type`
    /// - no header field that contradicts the length of the body (RFC 9112 §6)
    /// - a timeout of more than 0 and at most 10⁹ seconds.
    ///
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/invalidRequest``, or with code
    ///   ``NetworkError/Code-swift.struct/notCached`` for a request whose `cachePolicy` allows only a stored response.
    public func validate() throws {
        try validateParts()
        let bodySize = httpBodyStream == nil ? httpBody?.count ?? 0 : nil
        for (name, value) in allHTTPHeaderFields ?? [:] {
            let problem = NetworkHeaders.problem(name: name, value: value, bodySize: bodySize)
            if let problem { throw NetworkError(.invalidRequest, request: self, details: problem) }
        }
    }

    /// Validates everything except the header fields.
    func validateParts() throws {
        func invalid(_ details: String) -> NetworkError {
            NetworkError(.invalidRequest, request: self, details: details)
        }
        guard cachePolicy != .returnCacheDataDontLoad else {
            throw NetworkError(.notCached, request: self)
        }
        guard let url, url.isHTTP else {
            throw invalid(
                "The address of the request is not valid. Use a URL with a host that begins with "
                    + "https://."
            )
        }
        guard url.user == nil, url.password == nil else {
            throw invalid(
                "The address of the request contains a user name or password. Send them in a "
                    + "header field."
            )
        }
        guard method.isHTTPToken else {
            throw invalid("The request method is not valid. Use a method such as GET or PUT.")
        }
        guard timeoutInterval.isFinite, timeoutInterval > 0, timeoutInterval <= 1e9 else {
            throw invalid("A timeout of \(timeoutInterval) s is not valid. Use 0.001 to 1e9 s.")
        }
        guard !isSafe || (httpBody ?? Data()).isEmpty && httpBodyStream == nil else {
            throw invalid("A \(method) request cannot have a body. Use PUT, POST or PATCH.")
        }
        guard httpBody?.isEmpty ?? true || value(forHTTPHeaderField: "Content-Type") != nil else {
            throw invalid(
                "The request body has no Content-Type. Set one, or the system sends the type of a "
                    + "form."
            )
        }
    }

    /// The request with the scheme of its URL in lowercase (RFC 3986 §3.1), as `URLSession` on Linux requires.
    var withLowercaseScheme: URLRequest {
        guard let url, let scheme = url.scheme, scheme != scheme.lowercased() else { return self }
        var request = self
        let rest = url.absoluteString.dropFirst(scheme.count)
        request.url = URL(string: scheme.lowercased() + rest)
        return request
    }
}

extension NetworkHeaders {
    /// Returns the reason why a request may not have a header field, for developers; `nil` if it may.
    ///
    /// The length of the body is up to the HTTP client (RFC 9112 §6). With a wrong length the server would
    /// read the rest of the body as the next request, or wait for bytes that are never sent. With
    /// `Expect` it could wait, too. The size of the body is `nil` for a stream.
    static func problem(name: String, value: String, bodySize: Int?) -> String? {
        guard name.isHTTPToken else {
            return
                "The name of a header field, “\(name.httpTokenPrefix)…”, contains a character that is "
                + "not allowed. Use letters, digits and hyphens."
        }
        guard value.isFieldValue else {
            return
                "The value of the header field “\(name)” contains a line break or control character. "
                + "Remove it."
        }
        let isWrong =
            switch name.lowercased() {
            case "content-length": bodySize.map { value != "\($0)" } ?? false
            case "transfer-encoding", "expect": true
            default: false
            }
        guard isWrong else { return nil }
        return "The header field “\(name)” is not valid. Remove it: the HTTP client sends it."
    }
}
