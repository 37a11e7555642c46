#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// Throws if an HTTP client would change the request, drop parts of it, or crash on it.
    ///
    /// The transports of the library call this method first. Call it in your own transport, too. A
    /// valid request has:
    ///
    /// - an http or https URL with a host, and without a user name and password
    /// - a method and header fields that HTTP allows (RFC 9110 §5.6.2)
    /// - a body only if its method allows one, together with a `Content-Type`
    /// - no header field that contradicts the length of the body (RFC 9112 §6)
    /// - a timeout of more than 0 and at most 10⁹ seconds.
    ///
    /// - Throws: ``NetworkError`` with code ``NetworkError/Code-swift.struct/invalidRequest``, or
    ///   with code ``NetworkError/Code-swift.struct/notCached`` for a request with
    ///   ``FetchPolicy/cacheOnly``, which must not reach a transport.
    public func validate() throws {
        try validateParts()
        for (name, value) in allHTTPHeaderFields ?? [:] { try checkField(name: name, value: value) }
    }

    /// Throws if a part of the request other than its header fields is not valid.
    func validateParts() throws {
        func invalid(_ reason: String) -> NetworkError {
            NetworkError(.invalidRequest, request: self, reason: reason)
        }
        guard cachePolicy != .returnCacheDataDontLoad else {
            throw NetworkError(.notCached, request: self)
        }
        guard let url, ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
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

    /// Throws if the field describes the length of the body, which is up to the HTTP client
    /// (RFC 9112 §6).
    ///
    /// With a wrong length the server would read the rest of the body as the next request, or wait
    /// for bytes that are never sent. With `Expect` it could wait, too.
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
            reason: "The header field “\(name)” is not valid. Remove it: the HTTP client sends it."
        )
    }
}

extension URLRequest {
    /// The request with the scheme of its URL in lowercase.
    ///
    /// Schemes are case-insensitive (RFC 3986 §3.1), but `URLSession` on Linux accepts only
    /// lowercase.
    var withLowercaseScheme: URLRequest {
        guard let url, let scheme = url.scheme, scheme != scheme.lowercased() else { return self }
        var request = self
        let rest = url.absoluteString.dropFirst(scheme.count)
        request.url = URL(string: scheme.lowercased() + rest)
        return request
    }

    /// Throws if HTTP does not allow a header field, or if the request may not have it.
    func checkField(name: String, value: String) throws {
        guard name.isHTTPToken else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "The name of a header field, “\(name.httpTokenPrefix)…”, contains a "
                    + "character that is not allowed. Use letters, digits and hyphens."
            )
        }
        guard value.isFieldValue else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "The value of the header field “\(name)” contains a line break or control "
                    + "character. Remove it."
            )
        }
        try checkFraming(name: name, value: value)
    }
}

extension String {
    /// Whether HTTP allows the text as the value of a header field: it has no line break and no other
    /// control character (RFC 9110 §5.5).
    var isFieldValue: Bool {
        unicodeScalars.allSatisfy { $0 == "\t" || ($0 >= " " && $0 != "\u{7F}") }
    }
}
