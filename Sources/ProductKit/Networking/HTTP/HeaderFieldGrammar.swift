/// The grammar that header field values share (RFC 9110 §5.6): token, OWS, quoted-string, list and numbers.
extension String {
    /// Whether the text is a token, as methods and field names are (RFC 9110 §5.6.2).
    var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy(\.isHTTPTokenByte)
    }

    /// Whether a header field may have the text as its value: no line break or control character (RFC 9110 §5.5).
    var isFieldValue: Bool {
        unicodeScalars.allSatisfy { $0 == "\t" || ($0 >= " " && $0 != "\u{7F}") }
    }

    /// The longest prefix of the text that is a token, of at most 64 characters.
    ///
    /// An error message shows only this part of an invalid name: the rest may contain a secret.
    var httpTokenPrefix: Substring {
        prefix { $0.utf8.allSatisfy(\.isHTTPTokenByte) }.prefix(64)
    }

    /// The members of a comma-separated list, without OWS and empty members (RFC 9110 §5.6.1).
    ///
    /// A comma inside of a quoted-string does not separate members. A quotation mark that is never
    /// closed is an ordinary character. The work is proportional to the length of the text.
    package var listMembers: [Substring] {
        var members: [Substring] = []
        var (start, index) = (startIndex, startIndex)
        // If a quotation mark is never closed, each later one follows a backslash and is not closed
        // either. To look for its end would take quadratic time.
        var mayContainQuotedString = true
        func appendMember() {
            let member = self[start..<index].trimmingOWS
            if !member.isEmpty { members.append(member) }
        }
        while index < endIndex {
            let byte = utf8[index]
            if byte == UInt8(ascii: "\""), mayContainQuotedString {
                if let end = self[index...].endOfQuotedString {
                    index = end
                    continue
                }
                mayContainQuotedString = false
            }
            if byte == UInt8(ascii: ",") {
                appendMember()
                start = utf8.index(after: index)
            }
            index = utf8.index(after: index)
        }
        appendMember()
        return members
    }

    /// The value of delta-seconds (RFC 9111 §1.2.2), at most 2^31; `nil` for anything but decimal digits.
    package var deltaSeconds: Double? {
        decimalNumber.map { min(Double($0), 2_147_483_648) }
    }
}

extension StringProtocol {
    /// The value of decimal digits (1*DIGIT), at most `Int.max`; `nil` for any other text.
    var decimalNumber: Int? {
        guard !isEmpty, utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(self) ?? .max
    }
}

extension Substring {
    /// The text without optional whitespace (OWS: spaces and tabs) at both ends (RFC 9110 §5.6.3).
    package var trimmingOWS: Substring {
        var text = self
        text.skipOWS()
        while let last = text.utf8.last, last.isOWS {
            text = text[..<text.utf8.index(before: text.endIndex)]
        }
        return text
    }

    /// The content of a quoted-string, without quotation marks and escaping backslashes
    /// (RFC 9110 §5.6.4); `nil` when the text is not exactly one quoted-string.
    package var unquoted: String? {
        var rest = self
        guard let content = rest.readQuotedString(), rest.isEmpty else { return nil }
        return content
    }

    mutating func skipOWS() {
        while let first = utf8.first, first.isOWS {
            self = self[utf8.index(after: startIndex)...]
        }
    }

    /// Removes a delimiter from the front; returns whether there was one.
    mutating func readDelimiter(_ delimiter: Unicode.Scalar) -> Bool {
        guard unicodeScalars.first == delimiter else { return false }
        unicodeScalars.removeFirst()
        return true
    }

    /// Removes and returns the text up to one of the delimiters or the end.
    mutating func readText(upTo delimiters: Set<Unicode.Scalar>) -> Substring {
        let end = unicodeScalars.firstIndex(where: delimiters.contains) ?? endIndex
        defer { self = self[end...] }
        return self[..<end]
    }

    /// Removes a quoted-string from the front and returns its content; returns `nil` and removes nothing if
    /// there is none with both quotation marks.
    mutating func readQuotedString() -> String? {
        guard utf8.first == UInt8(ascii: "\""), let end = endOfQuotedString else { return nil }
        var content = ""
        var isEscape = false
        for character in self[..<end].unicodeScalars.dropFirst().dropLast() {
            isEscape = character == "\\" && !isEscape
            if !isEscape { content.unicodeScalars.append(character) }
        }
        self = self[end...]
        return content
    }

    /// The index after the closing quotation mark of the quoted-string that the text begins with; `nil` when there is none.
    fileprivate var endOfQuotedString: Index? {
        var index = utf8.index(after: startIndex)
        while index < endIndex {
            let byte = utf8[index]
            index = utf8.index(after: index)
            if byte == UInt8(ascii: "\"") { return index }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard index < endIndex else { return nil }
            index = utf8.index(after: index)
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isOWS: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    fileprivate var isHTTPTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"), UInt8(ascii: "~"),
            UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
