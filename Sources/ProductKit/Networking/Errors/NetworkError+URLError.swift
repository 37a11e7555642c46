import Foundation

extension NetworkError {
    /// Creates an error from a `URLError`.
    init(_ error: URLError, request: FailedRequest, response: URLResponse? = nil) {
        let isHTTPS = request.url?.scheme?.lowercased() == "https"
        let handshakeText = isHTTPS ? error.handshakeText : nil
        self.init(
            handshakeText == nil ? error.networkCode : .untrusted,
            request: request,
            head: NetworkResponse(headOf: response),
            underlying: error,
            details: handshakeText.map { "The system reports: \($0)." }
        )
    }

    /// Creates an error from any error of `URLSession`.
    ///
    /// Apple's session sends an idempotent request again if its connection is lost. If it finds no server that it
    /// trusts then, the first one may have carried out the request, which `wasSent` states.
    package init(
        system error: any Error,
        request: URLRequest,
        response: URLResponse?,
        wasSent: Bool = false
    ) {
        guard let error = error.urlError else {
            self.init(.connectionLost, request: request, underlying: error)
            return
        }
        let failed = FailedRequest(request)
        self.init(error, request: failed, response: response)
        guard wasSent, !request.isSafe, [.unreachable, .untrusted].contains(code) else { return }
        let head = NetworkResponse(headOf: response)
        self.init(.connectionLost, request: failed, head: head, underlying: error)
    }
}

extension URLError {
    /// The code of a ``NetworkError`` with this cause.
    ///
    /// On Apple platforms, a connection closed during a TLS handshake has the code of an invalid certificate, but an
    /// error of Secure Transport: `errSSLClosedGraceful`, `errSSLClosedAbort` or `errSSLClosedNoNotify`.
    var networkCode: NetworkError.Code {
        let streamError = userInfo["_kCFStreamErrorCodeKey"] as? Int ?? 0
        return switch code {
        case .badURL, .dataLengthExceedsMaximum: .invalidRequest
        // The URL has been validated. On Linux this is the code of a malformed response.
        case .unsupportedURL, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
            .unreadable
        case .appTransportSecurityRequiresSecureConnection: .insecure
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed, .callIsActive:
            .unreachable
        case .timedOut: .timedOut
        case .secureConnectionFailed where [-9805, -9806, -9816].contains(streamError): .unreachable
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            .untrusted
        case .userAuthenticationRequired, .userCancelledAuthentication: .unauthorized
        case .httpTooManyRedirects, .redirectToNonExistentLocation: .redirect
        // On Linux an incomplete body is `unknown`, and no response at all is `badServerResponse`.
        default: .connectionLost
        }
    }

    /// The system's text about a failed TLS handshake; `nil` for other failures.
    ///
    /// On Linux the code of a failed handshake is `unknown`, as for an incomplete body. Only the text is different: it
    /// comes from libcurl for a certificate, and from OpenSSL or GnuTLS for the handshake. Later, the texts of libcurl
    /// begin with the name of the call that failed.
    fileprivate var handshakeText: String? {
        guard code == .unknown, let text = userInfo[NSLocalizedDescriptionKey] as? String,
            handshakeTexts.contains(where: text.hasPrefix)
        else { return nil }
        return text
    }
}

private let handshakeTexts = [
    "SSL certificate problem: ", "SSL: ", "SSL peer certificate", "SSL connect error",
    "server certificate verification failed", "gnutls_handshake() ", "TLS connect error: ",
    "error:", "OpenSSL/",
]

extension Error {
    /// Whether the error means that the calling task was cancelled.
    ///
    /// If the system reports a cancellation, and the task is not cancelled, the connection was lost.
    var isCancellation: Bool {
        self is CancellationError || urlError?.code == .cancelled && Task.isCancelled
    }
}
