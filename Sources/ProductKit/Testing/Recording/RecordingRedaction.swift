import Foundation

/// The rules by which secrets are removed from a recording.
///
/// Without any parameters, it removes values whose names suggest a secret, such as `access_token`,
/// `password` or `X-Api-Key`: of query items, form fields, and members of JSON at any depth, also
/// within a string that contains JSON or a URL. Response header fields with such names are left
/// out, and request header fields are recorded only if you choose to compare them. User names and
/// passwords of URLs and JSON Web Tokens are removed, too.
///
/// Text becomes `redacted` and a number 0, so that the recording can still be decoded. Empty texts,
/// `true`, `false` and `null` stay.
///
/// A request is redacted in the same way before it is compared with a recording. So it matches with
/// another token, too.
public struct RecordingRedaction: Sendable {
    private let names: Set<String>
    private let keptNames: Set<String>
    private let change: @Sendable (String) -> String

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - names: Further names of secrets: header fields, query items, form fields and JSON members.
    ///     Their case does not matter.
    ///   - keeping: Names whose values are not secret, although the names suggest it, such as
    ///     `currencyCode` in a query. Texts within the values are still redacted.
    ///   - text: Changes each recorded URL, value of a header field, string in JSON and other text
    ///     body, for example to remove an email address. It must return its own results unchanged.
    public init(
        names: Set<String> = [],
        keeping: Set<String> = [],
        text: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.names = Set(names.map { $0.lowercased() })
        keptNames = Set(keeping.map { $0.lowercased() })
        change = text
    }

    /// Returns whether the value with a name is secret.
    private func isSecret(_ name: String, suggested: (String) -> Bool) -> Bool {
        let lowercased = name.lowercased()
        if names.contains(lowercased) { return true }
        return !keptNames.contains(lowercased) && suggested(name)
    }

    /// The text that replaces a secret.
    static let placeholder = "redacted"
}

/// The parts of a message.
extension RecordingRedaction {
    /// Returns the value of a header field without secrets; `nil` if all of it may be secret.
    func field(_ name: String, _ value: String) -> String? {
        isSecret(name, suggested: SecretWords.areInFieldName) ? nil : text(value)
    }

    /// Returns the URL of a message without user information, fragment and secrets.
    func url(_ url: String) -> String {
        change(word(String(url.prefix { $0 != "#" })))
    }

    /// Returns a text without secrets in its URLs and in its JSON.
    func text(_ text: String) -> String {
        change(json(in: text) ?? words(in: text))
    }

    /// Returns a form without secrets.
    func form(_ form: String) -> String {
        change(items(form))
    }

    /// Returns a query or a form without the values of secret items.
    private func items(_ query: some StringProtocol) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let end = item.firstIndex(of: "=") else { return String(item) }
            let (encodedName, value) = (item[..<end], item[item.index(after: end)...])
            let name = encodedName.removingPercentEncoding ?? String(encodedName)
            // The rules for secrets in queries, applied first to the name and then to the value.
            let isSecretName = isSecret(name) { _ in Self.isRedacted("\(encodedName)=") }
            if isSecretName { return item[...end] + Self.placeholder }
            let spaced = String(value.map { $0 == "+" ? " " : $0 })
            let text = spaced.removingPercentEncoding ?? ""
            if let json = json(in: text) {
                let encoded = json.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                return json == text ? String(item) : item[...end] + (encoded ?? Self.placeholder)
            }
            return Self.isRedacted("v=\(value)") ? item[...end] + Self.placeholder : String(item)
        }
        .joined(separator: "&")
    }

    /// Returns whether the value of an item is redacted wherever the library shows a URL.
    private static func isRedacted(_ item: String) -> Bool {
        item.queryWithoutSecrets != item
    }

    /// Returns a JSON value without secrets.
    func json(_ tree: JSONTree, isSecret: Bool = false) -> JSONTree {
        switch tree {
        case .string(let text):
            .string(isSecret && !text.isEmpty ? Self.placeholder : self.text(text))
        case .literal(let text):
            isSecret && !["true", "false", "null"].contains(text) ? .literal("0") : tree
        case .array(let elements):
            .array(elements.map { json($0, isSecret: isSecret) })
        case .object(let members):
            .object(
                members.map { member in
                    let isSecret =
                        isSecret
                        || self.isSecret(member.name, suggested: SecretWords.areInMemberName)
                    return JSONTree.Member(
                        name: member.name,
                        value: json(member.value, isSecret: isSecret)
                    )
                }
            )
        }
    }
}

extension RecordingRedaction {
    /// Returns the text of an object or array without secrets; `nil` if the text is something else.
    ///
    /// A text without secrets is unchanged.
    private func json(in text: String) -> String? {
        guard text.beginsLikeJSON, let tree = JSONTree(Data(text.utf8)) else { return nil }
        let redacted = json(tree).text
        return redacted == tree.text ? text : redacted
    }

    /// Returns a text without the secrets of its URLs and without JSON Web Tokens (RFC 7519).
    ///
    /// A URL ends before white space, a quotation mark or an angle bracket.
    private func words(in text: String) -> String {
        var (result, word) = ("", "")
        for character in text + " " {
            if character.isWhitespace || "\"<>".contains(character) {
                result += self.word(word)
                result.append(character)
                word = ""
            } else {
                word.append(character)
            }
        }
        return String(result.dropLast())
    }

    /// Returns a word, such as a URL or a relative reference, without secrets.
    private func word(_ word: String) -> String {
        guard word.utf8.count > 3 else { return word }
        if word.hasPrefix("eyJ"), word.count(where: { $0 == "." }) == 2 { return Self.placeholder }
        var word = word
        if let start = word.firstRange(of: "://")?.upperBound {
            let end = word[start...].firstIndex { "/?#".contains($0) } ?? word.endIndex
            if let at = word[start..<end].lastIndex(of: "@") { word.removeSubrange(start...at) }
        }
        var (result, rest) = ("", word[...])
        while true {
            let part = rest.prefix { !"?#;".contains($0) }
            result += part.isItems ? items(part) : String(part)
            guard part.endIndex < rest.endIndex else { return result }
            result.append(rest[part.endIndex])
            rest = rest[part.endIndex...].dropFirst()
        }
    }
}

extension Substring {
    /// Whether the text may be the items of a query or a form, and not the start of a URL or Base64.
    fileprivate var isItems: Bool {
        guard let end = firstIndex(of: "=") else { return false }
        return !self[..<end].contains("/") && self[end...].contains { $0 != "=" }
    }
}

extension String {
    /// Whether the text begins like a JSON object or array.
    var beginsLikeJSON: Bool {
        first { !$0.isWhitespace && $0 != "\u{FEFF}" }.map { "{[".contains($0) } ?? false
    }
}
