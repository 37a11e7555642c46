public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Networking for integration tests that replays recorded responses, without a server.
///
/// Record a test once against your server, and commit the file. From then on the test replays it:
///
/// ```swift
/// let networking = try RecordedNetworking(file, recordingFrom: server)
/// ```
///
/// A replay is strict. A request matches a recorded one if its method, its URL and its body are
/// equal: items of a query or form may be in another order, JSON is compared by value with its
/// numbers as they are written, and other bodies byte by byte. Header fields are not compared unless
/// you choose them. Any other request throws ``UnrecordedRequest``, which names the nearest recorded
/// request and the differences.
///
/// Equal requests get their responses in the recorded order, and one more of them throws. Different
/// requests may be sent in any order, also at the same time. So concurrency has an effect only on
/// equal requests: the first one that is sent gets the first response.
///
/// The values of secrets are not recorded, so requests that differ only in them are equal; see
/// ``RecordingRedaction``. A request with an `httpBodyStream` is not valid: use `httpBody`.
public final class RecordedNetworking: Networking {
    private let file: URL
    private let redaction: RecordingRedaction
    private let contents: RecordingFile
    private let live: NetworkExchange?
    private let report: @Sendable (UnrecordedRequest) -> Void
    /// For each exchange whether it was replayed.
    private let used: Mutex<[Bool]>

    /// Creates networking that replays a recording, or creates one.
    ///
    /// - Parameters:
    ///   - file: The file with the exchanges of one test.
    ///   - server: The networking that sends the requests while they are recorded; `nil`, the
    ///     default, to replay the file. The file is replaced as ``RecordingBehavior`` describes.
    ///   - comparing: The names of the request header fields that are recorded and must be equal in
    ///     a replay. A replay uses the names in the file.
    ///   - redaction: The rules by which secrets are removed, the same for recording and replay.
    ///   - otherwise: Receives the error of each unexpected request before it is thrown. Use
    ///     `{ Issue.record($0) }` to fail a test even if the error is caught.
    /// - Throws: ``RecordingError`` if the file is missing, damaged, of a newer version or cannot be
    ///   written.
    public init(
        _ file: URL,
        recordingFrom server: (any Networking)? = nil,
        comparing: Set<String> = [],
        redaction: RecordingRedaction = RecordingRedaction(),
        otherwise: @escaping @Sendable (UnrecordedRequest) -> Void = { _ in }
    ) throws {
        self.file = file
        report = otherwise
        self.redaction = redaction
        if let server {
            let behavior = try RecordingBehavior(
                to: file,
                comparing: comparing,
                redaction: redaction
            )
            let exchange = NetworkExchange { try await server.response(for: $0) }
            live = NetworkExchange(behavior, next: exchange)
            contents = RecordingFile(comparedNames: [])
        } else {
            live = nil
            contents = try RecordingFile(contentsOf: file, redaction: redaction)
        }
        used = Mutex(contents.exchanges.map { _ in false })
    }

    /// The method and URL of each recorded request that was not replayed, in the recorded order;
    /// empty while recording.
    ///
    /// Expect it to be empty at the end of a test: otherwise the code under test sends fewer
    /// requests than before.
    public var unused: [String] {
        used.withLock { used in
            zip(contents.exchanges, used).filter { !$0.1 }.map(\.0.request.line)
        }
    }

    /// Returns the recorded response, or that of the server while recording.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled; ``NetworkError`` if the
    ///   request is not valid, or with the code of a recorded failure; ``UnrecordedRequest`` if no
    ///   response is left; and while recording, the errors of ``RecordingBehavior``.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try Task.checkCancellation()
        try request.validate()
        try request.validateForRecording()
        if let live { return try await live(request) }
        do {
            return try outcome(of: request).get().response(to: request)
        } catch let failure as RecordedFailure {
            throw NetworkError(failure.code, request: request)
        }
    }

    /// Uses the first exchange that matches and was not used, or throws.
    private func outcome(
        of request: URLRequest
    ) throws(UnrecordedRequest) -> Result<RecordedResponse, RecordedFailure> {
        let request = RecordedRequest(
            request,
            comparing: contents.comparedNames,
            redaction: redaction
        )
        let matches = contents.exchanges.map { request.matches($0.request) }
        let index = used.withLock { used in
            let index = used.indices.first { !used[$0] && matches[$0] }
            if let index { used[index] = true }
            return index
        }
        if let index { return contents.exchanges[index].outcome }
        let nearest = contents.exchanges.map(\.request).min {
            request.distance(from: $0) < request.distance(from: $1)
        }
        let error = UnrecordedRequest(
            request: request.line,
            nearest: nearest?.line,
            differences: nearest.map { request.differences(from: $0).map(\.text) } ?? [],
            file: file
        )
        report(error)
        throw error
    }
}
