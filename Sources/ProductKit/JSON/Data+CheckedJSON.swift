import Foundation

extension Data {
    /// The maximum number of nested arrays and objects.
    private static let maximumDepth = 64

    /// Returns the text, or throws a `DecodingError` if it could exhaust the stack of a decoder.
    ///
    /// Encodings other than UTF-8 are refused: the check of the nesting would not recognize the brackets of UTF-16.
    func checkedJSON() throws -> Data {
        let problem: String
        if prefix(4).contains(0) || first.map({ $0 >= 0xFE }) ?? false {
            problem = "It is not UTF-8, the encoding of JSON (RFC 8259 §8.1)."
        } else if bytes.maximumJSONDepth > Self.maximumDepth {
            problem = "It has more than \(Self.maximumDepth) nested arrays and objects."
        } else {
            return self
        }
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: problem))
    }
}

extension RawSpan {
    /// The maximum number of brackets of a JSON text that are open at the same time.
    ///
    /// A decoder reports brackets that do not match.
    fileprivate var maximumJSONDepth: Int {
        var (depth, maximum, position) = (0, 0, 0)
        while position < byteCount {
            switch byte(at: position) {
            case UInt8(ascii: "\""): position = endOfString(from: position + 1)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                maximum = max(maximum, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            position += 1
        }
        return maximum
    }

    /// The position of the quotation mark that ends a string; the end of the text if there is none.
    private func endOfString(from start: Int) -> Int {
        var position = start
        while position < byteCount {
            switch byte(at: position) {
            case UInt8(ascii: "\""): return position
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return position
    }

    private func byte(at position: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: position, as: UInt8.self)
    }
}
