public import Foundation

/// An error of an ``Outbox``: an edit is not saved, or a change cannot be discarded.
public struct OutboxError: LocalizedError, Hashable {
    /// The kind of failure.
    ///
    /// Later versions may add codes: give every `switch` over them a `default`.
    public struct Code: Hashable, Sendable {
        package let rawValue: String
        /// A text for users of the app: the problem, and the advice.
        let text: String
        /// Sentences for developers: the cause, and what to correct; `nil` if the text says it.
        let hint: String?

        private init(_ rawValue: String, _ text: String, hint: String? = nil) {
            self.rawValue = rawValue
            self.text = text
            self.hint = hint
        }

        /// Another process, or another outbox of this one, has opened the file.
        public static let inUse = Code(
            "inUse",
            "Your saved changes cannot be used at the moment. Close this app, open it again, and try again.",
            hint:
                "Another process or another outbox has the file of this user. Create one outbox for each "
                + "user, and give an extension of the app another directory."
        )
        /// The file was written by a later version of the library, and is left as it is.
        public static let newerVersion = Code(
            "newerVersion",
            "The saved changes are from a later version of this app. Update the app."
        )
        /// The file contains the changes of another user, and is left as it is.
        public static let otherUser = Code(
            "otherUser",
            "The changes saved on this device belong to another account. Contact the shop.",
            hint:
                "The file names another user: it was copied, or the names of two users have the same "
                + "checksum. Use another directory for one of them."
        )
        /// The storage failed, for example because the disk is full.
        public static let storageFailed = Code(
            "storageFailed",
            "Changes could not be read, saved or removed on this device. Check its free storage, and try "
                + "again."
        )
        /// As many changes wait as the outbox can save.
        public static let full = Code(
            "full",
            "Too many changes wait to be sent. Connect to the internet, sign in, and try again later."
        )
        /// The identifiers and the name of the edit have more than 64 KiB together.
        public static let tooLarge = Code(
            "tooLarge",
            "The change is too large to be saved. Use a shorter name.",
            hint: "The identifiers and the name have more than 64 KiB together."
        )
        /// The edit has an empty identifier, or a name that is empty or consists of white space.
        public static let invalidEdit = Code(
            "invalidEdit",
            "The change is not complete, so it was not saved. Check it, and try again.",
            hint:
                "An identifier is empty, or the name has only white space. Check both before you save the "
                + "edit."
        )
        /// The change was discarded before it was sent.
        public static let discarded = Code(
            "discarded",
            "The change was discarded and is not sent. Make it again if you need it."
        )
        /// The change cannot be discarded, because its request is in flight: the server may carry it out.
        public static let inFlight = Code(
            "inFlight",
            "The change is being sent now and cannot be discarded. Wait a moment, and change it again."
        )
        /// The session has ended: the user has signed out, the app has ended it, or another user has started.
        public static let notStarted = Code(
            "notStarted",
            "Your session has ended, so this was not done. Sign in, and try again.",
            hint:
                "The session has ended: its user has signed out, stop() or removeAll() was called, or "
                + "another user has started with this outbox, which has one user at a time. Use the "
                + "current service or session."
        )
    }

    /// The kind of failure.
    public let code: Code
    /// The operation of the storage that failed, such as `append`; empty if none did.
    public let operation: String
    /// The system's error number (`errno`); 0 if there is none.
    public let number: Int32

    /// Creates an error.
    public init(_ code: Code, operation: String = "", number: Int32 = 0) {
        self.code = code
        self.operation = operation
        self.number = number
    }

    /// The problem in two sentences that can be shown to the user.
    public var errorDescription: String? { code.text }
}

extension OutboxError: CustomDebugStringConvertible {
    /// The code, the operation of the storage, the system's error number and what to do, for developers.
    public var debugDescription: String {
        let failure = operation.isEmpty ? "" : " (\(operation), errno \(number))"
        let hint = code.hint.map { "\ndetails: \($0)" } ?? ""
        return "OutboxError.\(code.rawValue): \(code.text)\(failure)\(hint)"
    }
}

extension OutboxError: RequestOutcomeError {
    /// `true` for ``Code/inFlight``, because the server may carry the change out; otherwise `false`,
    /// because nothing was sent.
    public var mayHaveReachedServer: Bool { code == .inFlight }
}

extension OutboxError.Code: CustomStringConvertible {
    /// The name of the code, such as `full`.
    public var description: String { rawValue }
}
