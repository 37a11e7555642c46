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
        /// Two requests differ only in a value that is removed, because its name suggests a secret.
        ///
        /// A replay could not distinguish them. Pass the name in `keeping` of
        /// ``RecordingRedaction/init(names:keeping:text:)`` if the value is not secret. If it is,
        /// pass the name in `names`: then both requests are recorded as equal.
        public static let ambiguous = Code(text: "cannot distinguish two requests")
    }

    /// The kind of failure.
    public let code: Code
    /// The file of the recording.
    public let file: URL

    /// The part in which two requests differ.
    private let part: String?

    init(_ code: Code, file: URL, part: String? = nil) {
        self.code = code
        self.file = file
        self.part = part
    }

    /// The name of the file, and what to do about the failure.
    public var errorDescription: String? {
        let difference = part.map { part in
            ": they differ only in \(part), which is removed as a secret. Pass its name to "
                + "RecordingRedaction in “keeping:” if it is not secret, otherwise in “names:”."
        }
        return "The recording “\(file.lastPathComponent)” \(code.text)\(difference ?? "")"
    }
}
