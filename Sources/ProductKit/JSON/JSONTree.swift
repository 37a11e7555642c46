import Foundation

/// A JSON value whose numbers stay as they are written.
///
/// A decoder would round a number such as `12.340000000000000001`. The members of an object are
/// sorted by their names, because their order has no meaning (RFC 8259 §4). Strings are decoded, so
/// a text that is written in another way, such as `\/`, is the same string.
enum JSONTree: Sendable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it is written.
    case literal(String)
    case array([JSONTree])
    case object([Member])

    /// A name and a value.
    struct Member: Sendable {
        let name: String
        var value: JSONTree
    }

    /// Creates a value from a text; `nil` if the text is not JSON in UTF-8 or nested too deeply.
    init?(_ text: Data, maximumDepth: Int = JSONNesting.maximumDepth) {
        guard String(data: text, encoding: .utf8) != nil else { return nil }
        var parser = JSONTreeParser(bytes: Array(text))
        guard let tree = parser.value(maximumDepth: maximumDepth), parser.isAtEnd else {
            return nil
        }
        self = tree
    }

    /// The value of the last member with a name; `nil` if there is none.
    subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The text of a string; `nil` for other values.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The elements of an array; `nil` for other values.
    var elements: [JSONTree]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}

extension JSONTree {
    /// The text on one line.
    var text: String {
        switch self {
        case .string(let text): text.quotedAsJSON
        case .literal(let text): text
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\($0.name.quotedAsJSON): \($0.value.text)" }.joined(separator: ", "))}"
        }
    }

    /// Returns the text with indented lines; a value that fits in a line stays on it.
    func lines(indentation: String = "", width: Int = 100) -> String {
        let line = text
        let inner = indentation + "  "
        let (brackets, parts): (String, [String])
        switch self {
        case .array(let elements):
            brackets = "[]"
            parts = elements.map { inner + $0.lines(indentation: inner, width: width) }
        case .object(let members):
            brackets = "{}"
            parts = members.map { member in
                let value = member.value.lines(indentation: inner, width: width)
                return "\(inner)\(member.name.quotedAsJSON): \(value)"
            }
        default: return line
        }
        guard indentation.count + line.count > width, let first = brackets.first,
            let last = brackets.last
        else { return line }
        return "\(first)\n\(parts.joined(separator: ",\n"))\n\(indentation)\(last)"
    }
}

extension String {
    /// The text as a JSON string, in quotation marks.
    fileprivate var quotedAsJSON: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += #"\""#
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            case "\r": text += #"\r"#
            case "\t": text += #"\t"#
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

/// Reads the values of a text in UTF-8.
///
/// Each method returns `nil` if the text is not valid.
private struct JSONTreeParser {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Reads a value and the white space around it.
    mutating func value(maximumDepth: Int) -> JSONTree? {
        skipWhitespace()
        defer { skipWhitespace() }
        switch next {
        case .quote: return string().map(JSONTree.string)
        case .openBracket: return array(maximumDepth: maximumDepth - 1)
        case .openBrace: return object(maximumDepth: maximumDepth - 1)
        default: return literal()
        }
    }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    private mutating func skipWhitespace() {
        while next?.isJSONWhitespace == true { position += 1 }
    }

    /// Consumes a byte, if it is the next one.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func array(maximumDepth: Int) -> JSONTree? {
        guard maximumDepth >= 0, take(.openBracket) else { return nil }
        skipWhitespace()
        if take(.closeBracket) { return .array([]) }
        var elements: [JSONTree] = []
        repeat {
            guard let element = value(maximumDepth: maximumDepth) else { return nil }
            elements.append(element)
        } while take(.comma)
        return take(.closeBracket) ? .array(elements) : nil
    }

    private mutating func object(maximumDepth: Int) -> JSONTree? {
        guard maximumDepth >= 0, take(.openBrace) else { return nil }
        skipWhitespace()
        if take(.closeBrace) { return .object([]) }
        var members: [JSONTree.Member] = []
        repeat {
            skipWhitespace()
            guard let name = string() else { return nil }
            skipWhitespace()
            guard take(.colon), let value = value(maximumDepth: maximumDepth) else { return nil }
            members.append(JSONTree.Member(name: name, value: value))
        } while take(.comma)
        return take(.closeBrace) ? .object(members.sorted { $0.name < $1.name }) : nil
    }

    private mutating func string() -> String? {
        let start = position
        guard take(.quote) else { return nil }
        var isEscaped = false
        while let byte = next, byte != .quote {
            guard byte >= 0x20 else { return nil }
            if byte == .backslash {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { return nil }
        position += 1
        let text = bytes[start..<position]
        guard isEscaped else { return String(decoding: text.dropFirst().dropLast(), as: UTF8.self) }
        return try? JSONDecoder().decode(String.self, from: Data(text))
    }

    private mutating func literal() -> JSONTree? {
        let start = position
        while let byte = next, !byte.isJSONWhitespace, !Self.ends.contains(byte) { position += 1 }
        let text = bytes[start..<position]
        let literal = String(decoding: text, as: UTF8.self)
        let isValid = ["true", "false", "null"].contains(literal) || text.isJSONNumber
        return isValid ? .literal(literal) : nil
    }

    private static let ends: Set<UInt8> = [.comma, .closeBracket, .closeBrace]
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are a number (RFC 8259 §6).
    fileprivate var isJSONNumber: Bool {
        var rest = first == UInt8(ascii: "-") ? dropFirst() : self
        let integer = rest.takeDigits()
        guard integer > 0, integer == 1 || self[rest.startIndex - integer] != UInt8(ascii: "0")
        else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard rest.takeDigits() > 0 else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            guard rest.takeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Consumes the digits at the start, and returns their number.
    private mutating func takeDigits() -> Int {
        let rest = drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        defer { self = rest }
        return count - rest.count
    }
}
