import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An error that states whether the request that failed may have changed something on the server.
///
/// After an unsafe request, such as a `PUT`, failed with an error for which
/// ``mayHaveReachedServer`` is `true`, the outcome is unknown: view models send an opposite edit
/// that is waiting, and caches invalidate the stored responses.
///
/// An error of your own type counts as `true`. Conform the type if some of its cases prove the
/// opposite, such as the server's refusal:
///
/// ```swift
/// extension ShopError: RequestOutcomeError {
///     public var mayHaveReachedServer: Bool { self != .outOfStock }
/// }
/// ```
public protocol RequestOutcomeError: Error {
    /// Whether the server may have received and carried out the request.
    ///
    /// Return `false` only if the request was not sent, or if the server refused it.
    var mayHaveReachedServer: Bool { get }
}

extension NetworkError: RequestOutcomeError {
    /// Whether the server may have received and carried out the request, in any of its attempts.
    ///
    /// It depends on the ``code-swift.property``, the status code, the ``attempts`` and the cause,
    /// because the error of an adapter can have any code. If the status code of an attempt is 2xx
    /// or 5xx, the outcome is unknown, whatever the code is.
    public var mayHaveReachedServer: Bool {
        if code.mayHaveReachedServer || statusCode.map(Self.leavesOutcomeUnknown) ?? false {
            return true
        }
        if attempts.contains(where: \.mayHaveReachedServer) { return true }
        switch underlying {
        case let cause as any RequestOutcomeError: return cause.mayHaveReachedServer
        case let cause as URLError: return cause.mayHaveReachedServer
        default: return false
        }
    }

    /// Whether a status code is neither a redirection (3xx) nor a refusal (4xx).
    fileprivate static func leavesOutcomeUnknown(_ statusCode: Int) -> Bool {
        !(300..<500).contains(statusCode)
    }
}

extension NetworkAttempt {
    /// Whether the server may have received and carried out the request in this attempt.
    ///
    /// It is `true` if the attempt failed with an error that is not a ``NetworkError``.
    package var mayHaveReachedServer: Bool {
        if let failure { return failure.mayHaveReachedServer }
        guard let statusCode else { return true }
        return NetworkError.leavesOutcomeUnknown(statusCode)
            || NetworkError.Code(statusCode: statusCode).mayHaveReachedServer
    }
}

extension ProductError: RequestOutcomeError {
    /// Whether the server may have carried out the request: `false` for ``notFound(_:)``.
    public var mayHaveReachedServer: Bool {
        if case .notFound = self { return false }
        return true
    }
}

extension ListError: RequestOutcomeError {
    /// `false`, because the server refused the request or none was sent.
    public var mayHaveReachedServer: Bool { false }
}

extension UnsupportedOperation: RequestOutcomeError {
    /// `false`, because no request was sent.
    public var mayHaveReachedServer: Bool { false }
}

extension Error {
    /// Whether the server may have received and carried out the request that failed.
    ///
    /// It is `true` for cancellation and for errors of unknown types.
    package var mayHaveReachedServer: Bool {
        switch self {
        case let error as any RequestOutcomeError: error.mayHaveReachedServer
        case let error as URLError: NetworkError.Code(error.code).mayHaveReachedServer
        case is EncodingError: false
        default: true
        }
    }
}
