import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError {
    /// Converts an error of the client.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - request: The request that failed.
    ///   - head: The response without its body; `nil` if its head was not received. If it was, a lost
    ///     connection means that the body is incomplete.
    init(_ error: any Error, request: URLRequest, head: NetworkResponse?) {
        var code = Code(error)
        if code == .connectionLost, head != nil { code = .incomplete }
        // After a success, the server has carried out the request, although its response is unusable.
        let isOfResponse = [.incomplete, .tooLarge, .unreadable].contains(code)
        self.init(
            code,
            request: request,
            response: isOfResponse ? head : nil,
            underlying: error
        )
    }
}

extension NetworkError.Code {
    fileprivate init(_ error: any Error) {
        self =
            switch error {
            case is NIOConnectionError, is SocketAddressError, ChannelError.connectTimeout:
                .unreachable
            case let error as IOError: Self(error)
            case NIOSSLError.handshakeFailed, NIOSSLError.noCertificateToValidate,
                NIOSSLError.unableToValidateCertificate, is NIOSSLExtraError:
                .untrusted
            case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit,
                HTTPParserError.headerOverflow:
                .tooLarge
            // The client reports these errors when the connection closes in the middle of a body.
            case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: .connectionLost
            case is HTTPParserError, is NIOHTTPDecompression.DecompressionError,
                is NIOHTTPDecompression.ExtraDecompressionError:
                .unreadable
            case let error as HTTPClientError: Self(error)
            default: .connectionLost
            }
    }

    private init(_ error: IOError) {
        self =
            switch error.errnoCode {
            case ECONNREFUSED, ENETDOWN, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: .unreachable
            default: .connectionLost
            }
    }

    private init(_ error: HTTPClientError) {
        self =
            switch error {
            case .connectTimeout, .tlsHandshakeTimeout: .unreachable
            case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
                .timedOut
            case .redirectLimitReached, .redirectCycleDetected: .redirect
            case .invalidURL, .emptyHost, .traceRequestWithBody: .invalidRequest
            default: .connectionLost
            }
    }
}
