#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))

/// A failure of libcurl.
package struct CurlFailure: Error, CustomStringConvertible {
    /// The number of the failure (`CURLcode`).
    let code: CInt
    /// The description by libcurl; possibly empty.
    let text: String

    /// Creates a failure without the address of a proxy, which may contain a password.
    package init(code: CInt, text: String) {
        self.code = code
        self.text = text.hasPrefix("Unsupported proxy") ? "Unsupported proxy" : text
    }

    /// The failure to start a transfer, for example without memory (`CURLE_FAILED_INIT`).
    static let notStarted = CurlFailure(code: 2, text: "")

    package var description: String {
        "libcurl error \(code)" + (text.isEmpty ? "" : ": \(text)")
    }
}

extension NetworkError {
    /// Creates an error from a failure of libcurl.
    init(_ failure: CurlFailure, request: URLRequest, head: ResponseHead, hasArrived: Bool) {
        let code = Code(failure, hasArrived: hasArrived)
        let hasReason = code == .untrusted && !failure.text.isEmpty
        self.init(
            code,
            request: FailedRequest(request),
            head: head.response,
            underlying: failure,
            details: hasReason ? "The system reports: \(failure.text)." : nil
        )
    }
}

extension NetworkError.Code {
    fileprivate init(_ failure: CurlFailure, hasArrived: Bool) {
        self =
            switch failure.code {
            // URL_MALFORMAT, BAD_FUNCTION_ARGUMENT: a text of more than 8 MB, or a malformed response
            case 3, 43: hasArrived ? .connectionLost : .invalidRequest
            // FAILED_INIT, NOT_BUILT_IN, UNKNOWN_OPTION: libcurl refuses an option, and nothing is sent
            case 2, 4, 48: .unreachable
            // COULDNT_RESOLVE_PROXY, COULDNT_RESOLVE_HOST, COULDNT_CONNECT, PROXY
            case 5, 6, 7, 97: .unreachable
            // UNSUPPORTED_PROTOCOL (HTTP/0.9), WEIRD_SERVER_REPLY, and, from libcurl 8.23 on,
            // BAD_CONTENT_ENCODING: a transfer coding that was not requested
            case 1, 8, 61: .unreadable
            // PARTIAL_FILE
            case 18: .incomplete
            // OUT_OF_MEMORY and TOO_LARGE: a header field of more than 100 KiB, of the response or
            // of the request
            case 27, 100: hasArrived ? .tooLarge : .invalidRequest
            // OPERATION_TIMEDOUT
            case 28: .timedOut
            // SSL_CONNECT_ERROR: a connection that closes during the handshake has received nothing
            case 35: failure.isBrokenHandshake ? .unreachable : .untrusted
            // SSL_ENGINE_NOTFOUND to SSL_CACERT_BADFILE, SSL_CRL_BADFILE to SSL_CLIENTCERT
            case 53, 54, 58, 59, 60, 64, 66, 77, 82, 83, 90, 91, 98: .untrusted
            default: .connectionLost
            }
    }
}

extension CurlFailure {
    /// Whether the connection was closed during the TLS handshake.
    fileprivate var isBrokenHandshake: Bool {
        text.contains("SSL_ERROR_SYSCALL") || text.contains("reset by peer")
    }
}
#endif
