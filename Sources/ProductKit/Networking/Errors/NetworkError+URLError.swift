import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError {
    /// Translates the system's error.
    ///
    /// What came of the answer before tells whether the request was carried out; an informational
    /// answer (RFC 9110 §15.2) does not.
    init(_ error: URLError, request: URLRequest, response: URLResponse? = nil) {
        if request.url?.scheme == "https", let text = error.handshakeText {
            let code = Code.untrusted
            self.init(
                code,
                request: request,
                underlying: error,
                reason: "\(code.problem) The system says: \(text). \(code.advice)"
            )
            return
        }
        let code = Code(error.code)
        let hadAnswer = (response as? HTTPURLResponse).map { $0.statusCode >= 200 } ?? false
        self.init(
            code == .connectionLost && hadAnswer ? .incomplete : code,
            request: request,
            underlying: error
        )
    }

    /// Translates whatever the system's session failed with.
    init(system error: any Error, request: URLRequest, response: URLResponse?) {
        if let error = error as? URLError {
            self.init(error, request: request, response: response)
        } else {
            self.init(.connectionLost, request: request, underlying: error)
        }
    }
}

extension NetworkError.Code {
    fileprivate init(_ code: URLError.Code) {
        self =
            switch code {
            case .badURL, .dataLengthExceedsMaximum: .invalidRequest
            // The address was checked before; on Linux this is what an answer of garbage becomes.
            case .unsupportedURL, .cannotParseResponse, .cannotDecodeContentData,
                .cannotDecodeRawData:
                .unreadable
            case .appTransportSecurityRequiresSecureConnection: .insecure
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .dataNotAllowed, .callIsActive:
                .unreachable
            case .timedOut: .timedOut
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
                .clientCertificateRejected, .clientCertificateRequired:
                .untrusted
            case .httpTooManyRedirects, .redirectToNonExistentLocation: .redirect
            // On Linux a body that breaks off is `unknown`, and no answer at all `badServerResponse`.
            default: .connectionLost
            }
    }
}

extension URLError {
    /// Why the server could not prove who it is, so that nothing was sent; `nil` for other failures.
    ///
    /// On Linux that is `unknown`, as a body that breaks off is, and only the text tells them apart:
    /// libcurl's for a certificate, or what OpenSSL or GnuTLS says while the connection is secured.
    /// Once it is secured, libcurl's texts begin with the name of the call that failed.
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
    /// Whether it says, in our words or the system's, that the calling task was cancelled.
    var isCancellation: Bool {
        self is CancellationError || (self as? URLError)?.code == .cancelled && Task.isCancelled
    }
}
