import Foundation

/// The objects that stand around an array, which itself is left empty in their text.
///
/// No decoder sees a streamed text as a whole, so this one is decoded in the end: what a decoder
/// refuses around the array is refused here too.
struct JSONEnvelope: Sendable {
    private var text = Data()
    private var keyStart = 0
    /// How many objects on the way to the array are open.
    private(set) var level = 0

    /// How many bytes it has.
    var size: Int { text.count }

    /// The key that has just ended; `nil` when it is no string.
    var key: String? {
        let array = Data("[ ".utf8) + text[keyStart...] + Data("]".utf8)
        return try? JSONDecoder().decode([String].self, from: array).first
    }

    /// Whether a decoder takes it for JSON.
    var isJSON: Bool {
        (try? JSONDecoder().decode(AnyJSON.self, from: text)) != nil
    }

    /// Adds bytes that change nothing.
    mutating func append(_ bytes: Data) {
        text.append(bytes)
    }

    /// Begins a key with its quote.
    mutating func beginKey() {
        keyStart = text.count
        text.append(.quote)
    }

    /// Adds a byte.
    mutating func append(_ byte: UInt8) {
        text.append(byte)
    }

    /// Opens an object on the way to the array.
    mutating func openObject() {
        level += 1
        text.append(.openBrace)
    }

    /// Closes an object on the way to the array.
    mutating func closeObject() {
        level -= 1
        text.append(.closeBrace)
    }

    /// Leaves the place of the array empty.
    mutating func addArray() {
        text.append(contentsOf: [.openBracket, .closeBracket])
    }
}
