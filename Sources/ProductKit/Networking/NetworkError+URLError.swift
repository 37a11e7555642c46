import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError {
    /// Translates the system's error.
    ///
    /// What of the answer came before tells whether the request was carried out; an informational
    /// answer (RFC 9110 §15.2) does not.
    init(_ error: URLError, request: URLRequest, response: URLResponse? = nil) {
        let code = Code(error.code)
        let hadAnswer = (response as? HTTPURLResponse).map { $0.statusCode >= 200 } ?? false
        self.init(
            code == .connectionLost && hadAnswer ? .incomplete : code,
            request: request,
            underlying: error
        )
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
