public import Foundation

/// The error that ends a loop over ``JSONElements``.
///
/// It means that the text does not contain a complete JSON array, or that its file cannot be read.
/// The elements before the error are returned first. An invalid element does not throw this error;
/// it is reported in ``JSONElements/Batch/rejected``.
public struct JSONElementsError: LocalizedError {
    /// The number of complete elements before the error.
    public let index: Int
    /// The position of the error in bytes, counted from 0, with a byte order mark included.
    ///
    /// If a file cannot be read, this is the number of bytes that were read before the failure. It
    /// is 0 if the file cannot be opened.
    public let offset: Int
    /// The error of the file system if a file cannot be read; otherwise `nil`.
    package let underlying: (any Error)?

    package let reason: Reason

    init(_ reason: Reason, index: Int, offset: Int, underlying: (any Error)? = nil) {
        self.reason = reason
        self.index = index
        self.offset = offset
        self.underlying = underlying
    }

    /// The problem, its position in the text, and a remedy.
    public var errorDescription: String? {
        switch reason {
        case .unreadableFile(let name):
            "The file “\(name)” cannot be read: \(underlying?.localizedDescription ?? "") "
                + reason.remedy
        default:
            "The data cannot be read completely: \(reason.problem) (at byte \(offset), "
                + "complete elements before it: \(index)). \(reason.remedy)"
        }
    }
}

extension JSONElementsError {
    /// The kinds of errors outside of the array's elements.
    package enum Reason: Hashable, Sendable {
        /// The path does not lead to an array.
        case noArray
        /// A comma without an element before or after it: `[1,]`, `[,1]`.
        case missingElement
        /// A closing bracket that does not match the innermost open bracket.
        case mismatchedBracket
        /// More than ``JSONNesting/maximumDepth`` nested arrays and objects.
        case tooDeep
        /// An element, or the text around the array, of more than `maximumElementSize` bytes.
        case tooLarge
        /// A text that ends inside of the array or of an object around it.
        case unexpectedEnd
        /// Bytes other than whitespace after the end of the JSON text.
        case trailingBytes
        /// Invalid JSON in the objects around the array.
        case invalidJSON
        /// A file that cannot be opened, or not be read to its end.
        case unreadableFile(name: String)

        fileprivate var problem: String {
            switch self {
            case .noArray: "there is no JSON array at the expected place"
            case .missingElement: "an array element is missing before or after a comma"
            case .mismatchedBracket: "a closing bracket does not match the open bracket"
            case .tooDeep:
                "more than \(JSONNesting.maximumDepth) arrays and objects are nested in each other"
            case .tooLarge: "an element, or the text around the array, is too large"
            case .unexpectedEnd: "it ends too early"
            case .trailingBytes: "there is more data after the end of the JSON text"
            case .invalidJSON: "the text around the array is not valid JSON"
            case .unreadableFile(let name): "the file “\(name)” cannot be read"
            }
        }

        fileprivate var remedy: String {
            switch self {
            case .noArray: "Check the data, and the names of the members that lead to the array."
            case .missingElement: "Remove the extra comma."
            case .mismatchedBracket, .invalidJSON: "Correct the program that wrote the data."
            case .tooDeep: "Do not use this data: it may be an attack."
            case .tooLarge: "Increase maximumElementSize if this size is expected."
            case .unexpectedEnd: "It was cut off: load it again."
            case .trailingBytes: "Provide one JSON text at a time."
            case .unreadableFile: "Check that it is a file and that you may read it."
            }
        }
    }
}
