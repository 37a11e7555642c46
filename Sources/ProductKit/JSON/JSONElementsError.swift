public import Foundation

/// Why an array of JSON could not be read to its end.
///
/// An element that cannot be read is no error; it stands in ``JSONElements/Batch/rejected``.
public struct JSONElementsError: LocalizedError, Hashable {
    /// What was wrong with the text.
    public let reason: Reason
    /// How many elements were complete by then; an unfinished one does not count.
    public let index: Int
    /// The byte at which this was found, counted from 0, a byte order mark included.
    public let offset: Int

    init(_ reason: Reason, index: Int, offset: Int) {
        self.reason = reason
        self.index = index
        self.offset = offset
    }

    /// What happened, where, and what to do, for a person.
    public var errorDescription: String? {
        "\(reason.problem) (at byte \(offset), complete elements before it: \(index)). "
            + reason.advice
    }
}

extension JSONElementsError {
    /// What can be wrong with a text around the elements of its array.
    ///
    /// More reasons may come with later versions: give every `switch` over them a `default`.
    public struct Reason: Hashable, Sendable {
        /// The name, as it stands in the code.
        public let rawValue: String
        fileprivate let problem: String
        fileprivate let advice: String

        private init(_ rawValue: String, _ problem: String, _ advice: String) {
            self.rawValue = rawValue
            self.problem = problem
            self.advice = advice
        }

        /// There is no array where one was due.
        public static let noArray = Reason(
            "noArray",
            "There is no JSON array where one was due",
            "Check the file, and the members that lead to the array."
        )
        /// Nothing stands before a comma or between a comma and the end: `[1,]`, `[,1]`.
        public static let emptyElement = Reason(
            "emptyElement",
            "There is nothing where an element was due",
            "Remove the comma."
        )
        /// A bracket closes what another kind of bracket opened, or nothing at all.
        public static let wrongBracket = Reason(
            "wrongBracket",
            "A closing bracket does not match the one that is open",
            "Correct what wrote the text."
        )
        /// More than 64 brackets are open at once.
        public static let tooDeep = Reason(
            "tooDeep",
            "More than \(JSONNesting.maximumDepth) brackets are open at once",
            "Do not read this text: nothing that is meant well is so deep."
        )
        /// An element, or what stands around the array, is larger than allowed.
        public static let tooLarge = Reason(
            "tooLarge",
            "An element, or what stands around the array, is larger than allowed",
            "Raise maximumElementSize if it should be."
        )
        /// The text ended before the array or what stands around it did.
        public static let earlyEnd = Reason(
            "earlyEnd",
            "The text ends too early",
            "Load it again: it was cut off."
        )
        /// Something other than blanks stands after the end.
        public static let bytesAfterEnd = Reason(
            "bytesAfterEnd",
            "There is more after the end of the text",
            "Give one JSON text at a time."
        )
        /// What stands around the array is no JSON.
        public static let notJSON = Reason(
            "notJSON",
            "What stands around the array is no JSON",
            "Correct what wrote the text."
        )
    }
}

extension JSONElementsError.Reason: CustomStringConvertible {
    /// The name, as it stands in the code.
    public var description: String { rawValue }
}

/// A file that could not be read, or not to its end.
public struct UnreadableFile: LocalizedError {
    /// The file.
    public let url: URL
    /// What the system said.
    public let underlying: any Error

    /// What happened, to which file, and what to do.
    public var errorDescription: String? {
        "The file “\(url.path(percentEncoded: false))” cannot be read: "
            + "\(underlying.localizedDescription) Check that it is a file and may be read."
    }

    /// Does something with a file, and names the file in the error.
    static func naming<Value>(_ url: URL, _ body: () throws -> Value) throws -> Value {
        do {
            guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            return try body()
        } catch {
            throw UnreadableFile(url: url, underlying: error)
        }
    }
}
