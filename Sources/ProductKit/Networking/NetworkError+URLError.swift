import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError {
    /// Translates the system's error.
    init(_ error: URLError, request: URLRequest) {
        self.init(Code(error.code), request: request, underlying: error)
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
