public import Foundation

/// A recording that cannot be read or written.
public struct RecordingError: LocalizedError, Hashable {
    /// The kind of failure.
    ///
    /// Later versions may add codes: give every `switch` over them a `default`.
    public struct Code: Hashable, Sendable {
        fileprivate let text: String

        /// There is no file, or it cannot be opened.
        public static let missing = Code(
            text: "cannot be read. Record it against the server first."
        )
        /// The file is not a recording, or a part of it is not valid.
        public static let damaged = Code(
            text: "is damaged. Restore it, or delete it and record it again."
        )
        /// The file was written by a newer version of the library.
        public static let newerVersion = Code(
            text: "was recorded by a newer version of ProductKit. Update ProductKit."
        )
        /// The file or its folder cannot be written.
        public static let notWritable = Code(
            text: "cannot be written. Choose a folder where files can be created."
        )
        /// A ``RecordingBehavior`` is outside of a cache or of retries.
        public static let misplaced = Code(
            text: "was given a stored response, or one after several attempts. Make "
                + "RecordingBehavior the last behavior."
        )
    }

    /// The kind of failure.
    public let code: Code
    /// The file of the recording.
    public let file: URL

    init(_ code: Code, file: URL) {
        self.code = code
        self.file = file
    }

    /// The name of the file, and what to do about the failure.
    public var errorDescription: String? {
        "The recording “\(file.lastPathComponent)” \(code.text)"
    }
}

/// The error of a request that a ``RecordedNetworking`` cannot find in its recording.
///
/// The request was not sent, and is not sent again by ``RequestBehavior`` types of the library.
public struct UnrecordedRequest: LocalizedError, RequestOutcomeError, Hashable {
    /// The method and the URL of the request, without secrets.
    public let request: String
    /// The method and the URL of the recorded request that is most similar, without secrets; `nil`
    /// if the recording is empty.
    public let nearest: String?
    /// The parts in which the request differs from the nearest one; empty if they are equal and
    /// all recorded responses were used.
    public let differences: [String]
    /// The file of the recording.
    public let file: URL

    /// The request, the nearest recorded one with up to five differences, and what to do.
    public var errorDescription: String? {
        let name = file.lastPathComponent
        guard let nearest else {
            return "“\(request)” is not in the recording “\(name)”, which is empty. Record again."
        }
        guard !differences.isEmpty else {
            return "“\(request)” was sent more often than it is in the recording “\(name)”. If "
                + "this is intended, record again."
        }
        let more = differences.count - 5
        let texts = differences.prefix(5) + (more > 0 ? ["\(more) more"] : [])
        return "“\(request)” is not in the recording “\(name)”. The nearest recorded request is "
            + "“\(nearest)”. Differences: \(texts.joined(separator: "; ")). If this is intended, "
            + "record again."
    }

    /// `false`, because no request was sent.
    public var mayHaveReachedServer: Bool { false }
}
