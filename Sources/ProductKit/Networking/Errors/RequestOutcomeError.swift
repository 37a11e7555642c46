import Foundation

/// An error that states whether the request that failed may have changed something on the server.
///
/// If ``mayHaveReachedServer`` is `true` after an unsafe request, such as a `PUT`, the outcome is unknown: view models
/// send an opposite edit that is waiting, and caches invalidate the stored responses.
///
/// An error of another type counts as `true`, unless no request was sent, as after an ``UnsupportedOperation`` or an
/// `EncodingError`. So does a ``ProductError``: an earlier attempt may have been carried out although its response was
/// lost. Conform your own error if some of its cases prove the opposite, such as the server's refusal:
///
/// ```swift
/// extension ShopError: RequestOutcomeError {
///     var mayHaveReachedServer: Bool { self != .outOfStock }
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
    /// It depends on the ``code-swift.property``, the status code, the ``attempts`` and the cause, because the error of
    /// an adapter can have any code. If the status code of an attempt is 2xx or 5xx, it is `true` with any code, and
    /// also if a closure of a ``ProductLoader`` or a ``ListManager`` has failed after one of its requests had written.
    public var mayHaveReachedServer: Bool {
        if code.mayHaveReachedServer || followsWrite { return true }
        if let statusCode, !(300..<500).contains(statusCode) { return true }
        if attempts.contains(where: \.mayHaveReachedServer) { return true }
        let cause = underlying as? any RequestOutcomeError
        return cause?.mayHaveReachedServer ?? underlying?.urlError?.mayHaveReachedServer ?? false
    }
}

extension NetworkAttempt {
    /// Whether the server may have carried out the request; `true` if the error was not a ``NetworkError``.
    package var mayHaveReachedServer: Bool { code?.mayHaveReachedServer ?? true }

    fileprivate var code: NetworkError.Code? { failure ?? statusCode.map(NetworkError.Code.init) }
}

extension Error {
    /// Whether the server may have carried out the request; `true` for cancellation and errors of unknown types.
    package var mayHaveReachedServer: Bool {
        switch self as any Error {
        case let error as any RequestOutcomeError: error.mayHaveReachedServer
        // No request was sent.
        case is EncodingError, is InvalidIdentifier, ListError.reservedName: false
        case is UnimplementedAction, is UnsupportedOperation: false
        default: urlError?.networkCode.mayHaveReachedServer ?? true
        }
    }

    /// Returns the error of the last of several attempts, with the reports of all of them.
    ///
    /// An error of another type has no reports. If it states that no request reached the server,
    /// although an earlier attempt may have, it becomes the cause of a ``NetworkError``.
    func adding(_ attempts: [NetworkAttempt]) -> any Error {
        guard !attempts.isEmpty, var error = self as? NetworkError ?? replaced(after: attempts)
        else { return self }
        error.attempts = attempts
        return error
    }

    private func replaced(after attempts: [NetworkAttempt]) -> NetworkError? {
        guard !mayHaveReachedServer else { return nil }
        return attempts.last(where: \.mayHaveReachedServer).map { attempt in
            NetworkError(attempt.code ?? .connectionLost, underlying: self)
        }
    }
}
