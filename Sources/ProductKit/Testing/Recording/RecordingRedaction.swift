import Foundation

/// The rules by which secrets are removed from a recording.
///
/// Without any parameters, it removes values whose names suggest a secret, such as `access_token`,
/// `password` or `X-Api-Key`: of query items, form fields, and members of JSON at any depth, also
/// within a text that contains JSON or a URL. The name must contain the complete word, so `keyword`
/// is not a secret. Response header fields with such names are left out, and request header fields
/// are recorded only if you choose to compare them. User names and passwords of URLs, JSON Web
/// Tokens and the values after `Bearer` and `Basic` are removed, too.
///
/// Text becomes `redacted` and a number 0, so that the recording can still be decoded. Empty texts,
/// `true`, `false` and `null` stay.
///
/// A request is redacted in the same way before it is compared with a recording. So it matches with
/// another token, too. If two requests differ only in a value that may not be a secret, such as that
/// of `key` in a query, recording throws ``RecordingError/Code-swift.struct/ambiguous``.
///
/// Paths, XML, forms with files, values within a GraphQL document, and bodies that are not UTF-8 are
/// not inspected: their secrets are recorded.
public struct RecordingRedaction: Sendable {
    private let names: Set<String>
    private let keptNames: Set<String>
    private let change: @Sendable (String) -> String
    private var keepsUncertain = false

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - names: Further names of secrets: header fields, query items, form fields and JSON members.
    ///     Their case does not matter.
    ///   - keeping: Names whose values are not secret, although the names suggest it, such as `code`
    ///     in a query. Texts within the values are still redacted.
    ///   - text: Changes each recorded URL, value of a header field, string in JSON and other text
    ///     body, for example to remove an email address. Applying it twice must have the same result
    ///     as once.
    public init(
        names: Set<String> = [],
        keeping: Set<String> = [],
        text: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.names = Set(names.map { $0.lowercased() })
        keptNames = Set(keeping.map { $0.lowercased() })
        change = text
    }

    /// The rules that remove only the values of credentials, and those of your own names.
    var keepingUncertain: RecordingRedaction {
        var redaction = self
        redaction.keepsUncertain = true
        return redaction
    }

    /// Returns whether the value with a name is secret.
    private func isSecret(_ name: some StringProtocol, in place: SecretName.Place) -> Bool {
        let (name, lowercased) = (String(name), name.lowercased())
        if names.contains(lowercased) { return true }
        guard !keptNames.contains(lowercased), SecretName.isSecret(name, in: place) else {
            return false
        }
        return !keepsUncertain || SecretName.isCredential(name)
    }

    /// The text that replaces a secret.
    static let placeholder = "redacted"
}

/// The parts of a message.
extension RecordingRedaction {
    /// Returns the value of a header field without secrets; `nil` if all of it may be secret.
    func field(_ name: String, _ value: String) -> String? {
        isSecret(name, in: .headerField) ? nil : text(value)
    }

    /// Returns the URL of a message without user information, fragment and secrets.
    func url(_ url: String) -> String {
        text(String(url.prefix { $0 != "#" }))
    }

    /// Returns a text without secrets.
    func text(_ text: String) -> String {
        change(redacted(text))
    }

    /// Returns a form without secrets.
    func form(_ form: String) -> String {
        change(String(redacted("&\(form)").dropFirst()))
    }

    /// Returns a JSON value without secrets.
    ///
    /// The `code` of a token request (RFC 6749 §4.1.3) is one, and so is the `value` beside the
    /// `name` or the `key` of a secret.
    func json(_ tree: JSONTree, isSecret: Bool = false) -> JSONTree {
        switch tree {
        case .string(let text):
            return .string(isSecret && !text.isEmpty ? Self.placeholder : self.text(text))
        case .literal(let text):
            return isSecret && !Self.literals.contains(text) ? .literal("0") : tree
        case .array(let elements):
            return .array(elements.map { json($0, isSecret: isSecret) })
        case .object(let members):
            let place: SecretName.Place = tree["grant_type"] == nil ? .member : .item
            let namesSecret = [tree["name"]?.string, tree["key"]?.string].contains { name in
                name.map { self.isSecret($0, in: .member) } ?? false
            }
            return .object(
                members.map { member in
                    let isSecret =
                        isSecret || self.isSecret(member.name, in: place)
                        || namesSecret && member.name == "value"
                    return JSONTree.Member(
                        name: member.name,
                        value: json(member.value, isSecret: isSecret)
                    )
                }
            )
        }
    }

    private static let literals: Set = ["true", "false", "null"]
}

/// The parts of a text.
extension RecordingRedaction {
    /// Returns a text without the secrets in its JSON, its URLs and its forms.
    private func redacted(_ text: String) -> String {
        if text.beginsLikeJSON, let tree = JSONTree(Data(text.utf8)) {
            let redacted = json(tree).text
            return redacted == tree.text ? text : redacted
        }
        let withoutMembers = text.replacing(after: ":", member)
        return withoutMembers.replacing(after: "=", item)
            .replacing(after: "//", Self.userInformation)
            .replacing(after: "eyJ", Self.webToken)
            .replacing(after: "Bearer ", Self.bearerToken)
            .replacing(after: "Basic ", Self.basicCredentials)
    }

    /// Redacts a member of JSON within another text, such as a server-sent event.
    ///
    /// Its names and texts may be within a string of JSON, so a backslash may precede each of their
    /// quotation marks. All that follows a nested object or array is removed, too.
    private func member(after before: Substring, _ rest: Substring) -> Replacement? {
        let before = before.trimmingSuffix(while: \.isWhitespace)
        guard before.last == "\"" else { return nil }
        let name = before.dropLast().trimmingSuffix { $0 == "\\" }
        let start = name.lastIndex(of: "\"").map(name.index(after:)) ?? name.startIndex
        guard isSecret(name[start...], in: .member) else { return nil }
        let value = rest.drop(while: \.isWhitespace)
        let space = ":\(rest[..<value.startIndex])"
        if let first = value.first, "{[".contains(first) {
            return (space + Self.placeholder, value[value.endIndex...])
        }
        let mark = value.prefix { $0 == "\\" } + "\""
        guard value.hasPrefix(mark) else {
            let literal = value.prefix { !$0.isWhitespace && !",}]".contains($0) }
            guard let first = literal.first, !Self.literals.contains(String(literal)) else {
                return nil
            }
            let text = first.isNumber || first == "-" ? "0" : Self.placeholder
            return (space + text, value[literal.endIndex...])
        }
        let text = value.dropFirst(mark.count)
        let end = text.endOfString(mark: mark)
        return end == text.startIndex ? nil : (space + mark + Self.placeholder, text[end...])
    }

    /// Redacts an item of a query or a form.
    ///
    /// In a path, `=` does not separate a name from a value.
    private func item(after before: Substring, _ rest: Substring) -> Replacement? {
        let start = before.lastIndex { $0.isWhitespace || "&;?#\"'<>(){},:".contains($0) }
        let encodedName = before[(start.map(before.index(after:)) ?? before.startIndex)...]
        let separator = before[..<encodedName.startIndex].last { !$0.isWhitespace }
        let isItem = separator.map { "&;?#".contains($0) } ?? false
        let mark = rest.first.flatMap { "\"'".contains($0) ? $0 : nil }
        let quoted = mark.flatMap { rest.dropFirst().firstIndex(of: $0) }
        // Parameters of a path end at the query.
        let isParameter = start.map { before[$0] } == ";"
        let value =
            quoted.map { rest[rest.index(after: rest.startIndex)..<$0] }
            ?? rest.prefix {
                !$0.isWhitespace && !"&;#\"<>".contains($0) && !(isParameter && $0 == "?")
            }
        // The second `=` at the end of Base64 is not the value of an item.
        guard !value.isEmpty, value.first != "=" else { return nil }
        let name = encodedName.removingPercentEncoding ?? String(encodedName)
        let prefix = "=" + rest[..<value.startIndex]
        if isItem || !name.contains("/"), isSecret(name, in: isItem ? .item : .member) {
            return (prefix + Self.placeholder, rest[value.endIndex...])
        }
        guard value.contains("%") else { return nil }
        let spaced = String(value.map { $0 == "+" ? " " : $0 })
        guard let text = spaced.removingPercentEncoding else { return nil }
        let redacted = redacted(text)
        guard redacted != text else { return nil }
        let encoded = redacted.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return (prefix + (encoded ?? Self.placeholder), rest[value.endIndex...])
    }

    /// Removes the user name and the password of a URL.
    private static func userInformation(_ before: Substring, _ rest: Substring) -> Replacement? {
        let last = before.last ?? " "
        guard !last.isLetter, !last.isNumber, !"/._-~%".contains(last) else { return nil }
        let authority = rest.prefix { !$0.isWhitespace && !"/?#\"<>".contains($0) }
        guard let end = authority.dropFirst().lastIndex(of: "@") else { return nil }
        return ("//", rest[rest.index(after: end)...])
    }

    /// Redacts a JSON Web Token (RFC 7519), signed or encrypted.
    private static func webToken(_ before: Substring, _ rest: Substring) -> Replacement? {
        let token = rest.prefix { $0.isInToken && !"~+/=".contains($0) }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 2 ? (placeholder, rest[token.endIndex...]) : nil
    }

    /// Redacts a token in the value of `Authorization` (RFC 6750 §2.1).
    private static func bearerToken(_ before: Substring, _ rest: Substring) -> Replacement? {
        let token = rest.prefix(while: \.isInToken)
        return token.isEmpty ? nil : ("Bearer \(placeholder)", rest[token.endIndex...])
    }

    /// Redacts a user name and a password in Base64 (RFC 7617 §2), but not an ordinary text.
    private static func basicCredentials(_ before: Substring, _ rest: Substring) -> Replacement? {
        let token = rest.prefix(while: \.isInToken)
        let text = token.prefix { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard Data(base64Encoded: text + padding)?.contains(UInt8(ascii: ":")) == true else {
            return nil
        }
        return ("Basic \(placeholder)", rest[token.endIndex...])
    }
}

/// A text, and the rest of the former text that follows it.
private typealias Replacement = (text: String, rest: Substring)

extension String {
    /// Whether the text begins like a JSON object or array.
    var beginsLikeJSON: Bool {
        first { !$0.isWhitespace && $0 != "\u{FEFF}" }.map { "{[".contains($0) } ?? false
    }

    /// Returns the text with other texts in place of a marker and the text after it.
    ///
    /// The closure receives the text before a marker, from the former one, and the text after it. It
    /// returns `nil` to leave them unchanged.
    fileprivate func replacing(
        after marker: String,
        _ replacement: (Substring, Substring) -> Replacement?
    ) -> String {
        var (result, rest) = ("", self[...])
        while let range = rest.firstRange(of: marker) {
            let replacement = replacement(rest[..<range.lowerBound], rest[range.upperBound...])
            result += rest[..<range.lowerBound] + (replacement?.text ?? marker)
            rest = replacement?.rest ?? rest[range.upperBound...]
        }
        return result + rest
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        self[..<(lastIndex { !predicate($0) }.map(index(after:)) ?? startIndex)]
    }

    /// Returns the index of the mark that ends a string of JSON, or the end if there is none.
    fileprivate func endOfString(mark: some StringProtocol) -> Index {
        guard mark.count == 1 else { return firstRange(of: mark)?.lowerBound ?? endIndex }
        var isEscaped = false
        return firstIndex { character in
            defer { isEscaped = character == "\\" && !isEscaped }
            return character == "\"" && !isEscaped
        } ?? endIndex
    }
}

extension Character {
    /// Whether the character may be part of a token (RFC 9110 §11.2).
    fileprivate var isInToken: Bool {
        isASCII && (isLetter || isNumber || "-._~+/=".contains(self))
    }
}
