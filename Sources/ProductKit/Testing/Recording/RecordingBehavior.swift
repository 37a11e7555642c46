public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A behavior that records exchanges in a file, for ``RecordedNetworking``.
///
/// It belongs innermost, at the end of the list of behaviors. There it records each attempt of
/// ``RetryBehavior`` and each request of ``TokenBehavior``. To record all requests of a backend, whatever its
/// behaviors are, use ``RecordedNetworking/init(_:recordingFrom:comparing:redaction:otherwise:)``.
///
/// ```swift
/// let client = NetworkClient(
///     baseURL: api,
///     networking: server,
///     behaviors: [RetryBehavior(), try RecordingBehavior(to: file)]
/// )
/// ```
///
/// The file is replaced atomically by an empty recording when the behavior is created, and after
/// each exchange. Exchanges are in the order in which their requests started, but consecutive reads
/// are sorted by URL, compared header fields and body, because they are often sent at the same time:
/// `GET`, `HEAD`, and requests with ``NetworkRequest/reading(as:)``. A request that is
/// cancelled, or fails with an error of another type than ``NetworkError`` and `URLError`, leaves
/// nothing in the file. Two behaviors must not use the same file.
///
/// Outside of a cache or of retries, it throws ``RecordingError`` with code
/// ``RecordingError/Code-swift.struct/misplaced`` when it gets a stored response or one after
/// several attempts.
public struct RecordingBehavior: RequestBehavior {
    private let recording: Recording

    /// Creates a behavior, and replaces the file by an empty recording.
    ///
    /// - Parameters:
    ///   - file: The file for the exchanges of one test. Its folder is created if needed.
    ///   - comparing: The names of the request header fields that are recorded and must be equal in
    ///     a replay.
    ///   - redaction: The rules by which secrets are removed.
    /// - Throws: ``RecordingError`` if the file cannot be written.
    public init(
        to file: URL,
        comparing: Set<String> = [],
        redaction: RecordingRedaction = RecordingRedaction()
    ) throws {
        recording = try Recording(file: file, comparedNames: comparing, redaction: redaction)
    }

    /// Records an exchange.
    ///
    /// - Throws: The error of `next`; ``NetworkError`` with code
    ///   ``NetworkError/Code-swift.struct/invalidRequest`` if the request has an `httpBodyStream`; and
    ///   ``RecordingError`` if the file cannot be written, the behavior is not the innermost one, or
    ///   the request differs from a former one only in a value that is removed.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try request.validateForRecording()
        let index = recording.begin()
        do {
            let response = try await next(request)
            guard response.source == .network, response.attempts.isEmpty else {
                throw recording.misplaced
            }
            try recording.end(index, request, .success(response))
            return response
        } catch let error where !error.isCancellation {
            if let failure = RecordedFailure(error) {
                let hasAttempts = (error as? NetworkError)?.attempts.isEmpty == false
                guard !hasAttempts else { throw recording.misplaced }
                try recording.end(index, request, .failure(failure))
            }
            throw error
        }
    }
}
