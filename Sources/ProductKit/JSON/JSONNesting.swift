import Foundation

/// A scanner for the nesting of arrays and objects in a JSON text.
///
/// It recognizes strings, brackets and commas, and ignores everything else, which a decoder checks.
/// Its state lasts from one call to the next, so the text may be split at any byte. It has two
/// uses: `JSONArrayScanner` finds the ends of values with it, and
/// `JSONDecoder.decodeGuarded(_:from:)` rejects a text that is nested too deeply for a recursive
/// decoder.
struct JSONNesting: Sendable {
    /// The maximum number of nested arrays and objects.
    static let maximumDepth = 64

    /// The number of open brackets.
    private(set) var depth = 0
    /// One bit for each open bracket, with the innermost in the lowest bit: 1 is an object, 0 an
    /// array.
    private var kinds: UInt64 = 0
    /// Whether the scanned text ends inside of a string.
    private(set) var isInString = false
    /// Whether the scanned text ends between a backslash and the character that it escapes.
    private var isEscaped = false

    /// Opens a bracket.
    mutating func open(_ bracket: UInt8, at position: Int) throws(JSONScanError) {
        guard depth < Self.maximumDepth else {
            throw JSONScanError(reason: .tooDeep, position: position)
        }
        kinds = kinds << 1 | (bracket == .openBrace ? 1 : 0)
        depth += 1
    }

    /// Closes the innermost bracket.
    mutating func close(_ bracket: UInt8, at position: Int) throws(JSONScanError) {
        guard depth > 0, (kinds & 1 == 1) == (bracket == .closeBrace) else {
            throw JSONScanError(reason: .mismatchedBracket, position: position)
        }
        kinds >>= 1
        depth -= 1
    }

    /// Scans to the end of a value.
    ///
    /// The value ends at the first comma or closing bracket for which ``depth`` equals `floor`.
    ///
    /// - Parameters:
    ///   - bytes: A chunk of the text.
    ///   - start: The position at which to continue.
    ///   - end: The position at which to stop at the latest.
    ///   - floor: The number of open brackets around the value; -1 to stop only at `end`.
    /// - Returns: The position of the comma or closing bracket after the value, otherwise `end`.
    /// - Throws: ``JSONScanError`` for a mismatched bracket and for too many open brackets.
    mutating func advance(
        in bytes: RawSpan,
        from start: Int,
        to end: Int,
        floor: Int
    ) throws(JSONScanError) -> Int {
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

    /// Begins a string whose opening quotation mark has been consumed.
    mutating func beginString() {
        isInString = true
    }

    /// Scans past the quotation mark that ends the string.
    ///
    /// - Returns: The position after the quotation mark, otherwise `end`.
    mutating func advanceInString(in bytes: RawSpan, from start: Int, to end: Int) -> Int {
        var position = start
        if isEscaped, position < end {
            isEscaped = false
            position += 1
        }
        while position < end {
            if end - position >= 8 {
                let ends = bytes.word(at: position).quotesAndBackslashes
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

/// An error in the structure of a JSON text, at a position in the current chunk.
struct JSONScanError: Error {
    let reason: JSONElementsError.Reason
    let position: Int
}

extension RawSpan {
    /// The byte at a position.
    subscript(position: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: position, as: UInt8.self)
    }

    fileprivate func word(at position: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}

extension UInt64 {
    /// A mask whose lowest set bit is in the first byte that is a quotation mark or a backslash.
    ///
    /// It is 0 if there is none. Higher bits of the mask can be wrong.
    fileprivate var quotesAndBackslashes: UInt64 {
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

    /// Whether this is one of the four whitespace characters of JSON (RFC 8259 §2).
    var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}

extension JSONDecoder {
    /// Decodes a text unless it could exhaust the stack of the decoder.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - text: A JSON text in UTF-8 with at most 64 nested arrays and objects.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError`, also for deeper nesting, and for an encoding other than UTF-8:
    ///   the check of the nesting would not recognize the brackets of UTF-16.
    func decodeGuarded<Value: Decodable>(_ type: Value.Type, from text: Data) throws -> Value {
        try check(text)
        return try decode(type, from: text)
    }

    /// Decodes a text with a configuration, after the same checks.
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
            throw dataCorrupted("It is not UTF-8, the encoding of JSON (RFC 8259 §8.1).")
        }
        if JSONNesting.isTooDeep(text) {
            throw dataCorrupted(
                "It has more than \(JSONNesting.maximumDepth) nested arrays and objects."
            )
        }
    }

    private func dataCorrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
    }
}

extension JSONNesting {
    /// Whether a text has more nested arrays and objects than a decoder should recurse into.
    fileprivate static func isTooDeep(_ text: Data) -> Bool {
        var nesting = JSONNesting()
        let bytes = text.bytes
        do {
            _ = try nesting.advance(in: bytes, from: 0, to: bytes.byteCount, floor: -1)
            return false
        } catch {
            // A mismatched bracket is reported by the decoder.
            return error.reason == .tooDeep
        }
    }
}
