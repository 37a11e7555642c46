import Foundation

/// Where the strings and brackets of a JSON text begin and end, told from its bytes alone.
///
/// It goes on where it stopped, so the text may be cut anywhere. What stands between the brackets is
/// the decoder's business.
struct JSONNesting: Sendable {
    /// How many brackets may be open at once; more are refused before any decoder recurses into them.
    static let maximumDepth = 64

    /// Why a text cannot be followed any further, and at which byte.
    struct Fault: Error {
        let reason: JSONElementsError.Reason
        let position: Int
    }

    /// How many brackets are open.
    private(set) var depth = 0
    /// A bit for every open bracket, the innermost last: 1 for an object, 0 for an array.
    private var kinds: UInt64 = 0
    private(set) var isInString = false
    private var isEscaped = false

    /// Opens a bracket.
    mutating func open(_ bracket: UInt8, at position: Int) throws(Fault) {
        guard depth < Self.maximumDepth else {
            throw Fault(reason: .tooDeep, position: position)
        }
        kinds = kinds << 1 | (bracket == .openBrace ? 1 : 0)
        depth += 1
    }

    /// Closes the innermost bracket.
    mutating func close(_ bracket: UInt8, at position: Int) throws(Fault) {
        guard depth > 0, (kinds & 1 == 1) == (bracket == .closeBrace) else {
            throw Fault(reason: .wrongBracket, position: position)
        }
        kinds >>= 1
        depth -= 1
    }

    /// Goes on to the end of a value that stands directly within the brackets of a depth.
    ///
    /// - Parameters:
    ///   - bytes: A piece of the text.
    ///   - start: Where to go on.
    ///   - end: Where to stop at the latest.
    ///   - floor: The depth; -1 to stop only at `end`.
    /// - Returns: The place of the comma or closing bracket after the value, or else `end`.
    /// - Throws: ``Fault`` for a bracket too many or of the wrong kind.
    mutating func advance(
        in bytes: RawSpan,
        from start: Int,
        to end: Int,
        floor: Int
    ) throws(Fault) -> Int {
        var position = isInString ? advanceInString(in: bytes, from: start, to: end) : start
        while position < end {
            let byte = bytes[position]
            switch byte {
            case .quote:
                isInString = true
                position = advanceInString(in: bytes, from: position + 1, to: end)
                continue
            case .comma:
                if depth == floor { return position }
            case .openBracket, .openBrace:
                try open(byte, at: position)
            case .closeBracket, .closeBrace:
                if depth == floor { return position }
                try close(byte, at: position)
            default: break
            }
            position += 1
        }
        return position
    }

    /// Begins a string, whose first quote has been passed.
    mutating func beginString() {
        isInString = true
    }

    /// Goes on past the quote that ends the string.
    ///
    /// - Returns: The place after the quote, or else `end`.
    mutating func advanceInString(in bytes: RawSpan, from start: Int, to end: Int) -> Int {
        var position = start
        if isEscaped, position < end {
            isEscaped = false
            position += 1
        }
        while position < end {
            if end - position >= 8 {
                let ends = bytes.word(at: position).bytesThatEndStrings
                guard ends != 0 else {
                    position += 8
                    continue
                }
                position += ends.trailingZeroBitCount / 8
            }
            let byte = bytes[position]
            position += 1
            if byte == .quote {
                isInString = false
                return position
            }
            guard byte == .backslash else { continue }
            isEscaped = position == end
            if !isEscaped { position += 1 }
        }
        return position
    }
}

extension RawSpan {
    /// The byte at a place.
    subscript(position: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: position, as: UInt8.self)
    }

    fileprivate func word(at position: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}

extension UInt64 {
    /// The highest bit of the first byte that is a quote or a backslash; the bits above
    /// it may be wrong.
    fileprivate var bytesThatEndStrings: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ (ones &* UInt64(UInt8.quote))
        let backslashes = self ^ (ones &* UInt64(UInt8.backslash))
        return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes)
            & (ones &* 0x80)
    }
}

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")

    /// Whether it is one of the four blanks of JSON (RFC 8259 §2).
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension JSONDecoder {
    /// Reads a whole text, unless it could exhaust the stack of whoever decodes it.
    ///
    /// - Parameters:
    ///   - type: What the text should hold.
    ///   - text: UTF-8, with at most 64 brackets open at once.
    /// - Returns: The value in the text.
    /// - Throws: `DecodingError`, for another encoding too: in UTF-16 other bytes are brackets.
    func decodeGuarded<Value: Decodable>(_ type: Value.Type, from text: Data) throws -> Value {
        try check(text)
        return try decode(type, from: text)
    }

    /// Reads a whole text of which only a part is wanted, with the same limits.
    func decodeGuarded<Value: DecodableWithConfiguration>(
        _ type: Value.Type,
        from text: Data,
        configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try check(text)
        return try decode(type, from: text, configuration: configuration)
    }

    private func check(_ text: Data) throws {
        if text.prefix(4).contains(0) || text.first.map({ $0 >= 0xFE }) ?? false {
            throw refusal("It is not UTF-8, the encoding of JSON (RFC 8259 §8.1).")
        }
        if JSONNesting.isTooDeep(text) {
            throw refusal("It has more than \(JSONNesting.maximumDepth) brackets open at once.")
        }
    }

    private func refusal(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
    }
}

extension JSONNesting {
    /// Whether more brackets are open at once than a decoder should see.
    fileprivate static func isTooDeep(_ text: Data) -> Bool {
        var nesting = JSONNesting()
        let bytes = text.bytes
        do {
            _ = try nesting.advance(in: bytes, from: 0, to: bytes.byteCount, floor: -1)
            return false
        } catch {
            // At a wrong bracket the decoder stops by itself.
            return error.reason == .tooDeep
        }
    }
}
