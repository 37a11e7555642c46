import Foundation

/// The text of the objects around a streamed array, in which the array is empty.
///
/// A decoder only receives the elements of a streamed array. This text is decoded at the end, so
/// that invalid JSON around the array is an error as well.
struct JSONEnvelope: Sendable {
    private var text = Data()
    private var nameStart = 0
    /// The number of open objects that contain the array.
    private(set) var level = 0

    /// The number of bytes.
    var size: Int { text.count }

    /// The member name that has just ended, without escapes; `nil` if it is not a valid string.
    var name: String? {
        let array = Data("[ ".utf8) + text[nameStart...] + Data("]".utf8)
        return try? JSONDecoder().decode([String].self, from: array).first
    }

    /// Whether a decoder accepts the text.
    var isValidJSON: Bool {
        (try? JSONDecoder().decode(IgnoredValue.self, from: text)) != nil
    }

    /// Appends bytes of a string, a skipped value or whitespace.
    mutating func append(_ bytes: Data) {
        text.append(bytes)
    }

    /// Appends the quotation mark that begins a member name.
    mutating func beginName() {
        nameStart = text.count
        text.append(.quote)
    }

    /// Appends one byte.
    mutating func append(_ byte: UInt8) {
        text.append(byte)
    }

    /// Opens an object that contains the array.
    mutating func openObject() {
        level += 1
        text.append(.openBrace)
    }

    /// Closes an object that contains the array.
    mutating func closeObject() {
        level -= 1
        text.append(.closeBrace)
    }

    /// Appends an empty array in place of the streamed one.
    mutating func appendEmptyArray() {
        text.append(contentsOf: [.openBracket, .closeBracket])
    }
}
