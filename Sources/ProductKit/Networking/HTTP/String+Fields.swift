/// The small grammars that header fields are made of (RFC 9110 §5.6, RFC 9111 §1.2).
extension String {
    /// The members of a list, without blanks around them and without empty ones (RFC 9110 §5.6.1).
    ///
    /// A comma between quotes separates nothing.
    var listMembers: [Substring] {
        var members: [Substring] = []
        var rest = self[...]
        while !rest.isEmpty {
            let end = rest.endOfMember
            let member = rest[..<end].trimmed
            if !member.isEmpty { members.append(member) }
            rest = rest[end...].dropFirst()
        }
        return members
    }

    /// Seconds in digits only, at most 2^31 of them (RFC 9111 §1.2.2); `nil` for anything else.
    var deltaSeconds: Double? {
        guard !isEmpty, utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Double(self) ?? .infinity, 2_147_483_648)
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    var trimmed: Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 {
            text = text[text.utf8.index(after: text.startIndex)...]
        }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 {
            text = text[..<text.utf8.index(before: text.endIndex)]
        }
        return text
    }

    /// What stands between quotes, without the backslashes that protect characters (RFC 9110 §5.6.4);
    /// `nil` when this is not one quoted text.
    var unquoted: String? {
        guard utf8.first == UInt8(ascii: "\""), let end = endOfQuotes(from: startIndex),
            end == endIndex
        else { return nil }
        var text = ""
        var isProtected = false
        for character in unicodeScalars.dropFirst().dropLast() {
            isProtected = character == "\\" && !isProtected
            if !isProtected { text.unicodeScalars.append(character) }
        }
        return text
    }

    fileprivate var endOfMember: Index {
        var index = startIndex
        while index < endIndex, utf8[index] != UInt8(ascii: ",") {
            index =
                (utf8[index] == UInt8(ascii: "\"") ? endOfQuotes(from: index) : nil)
                ?? utf8.index(after: index)
        }
        return index
    }

    /// Where a quoted text ends; `nil` when it does not.
    private func endOfQuotes(from start: Index) -> Index? {
        var index = utf8.index(after: start)
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
