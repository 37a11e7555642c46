import Foundation

/// The body of a recorded message, without secrets.
///
/// In a file it is one of four members:
///
/// | Member | Content |
/// |---|---|
/// | `json` | a JSON value, with its numbers as they were sent |
/// | `form` | the fields of a form |
/// | `text` | another text in UTF-8, such as a web page |
/// | `base64` | other bytes |
enum RecordedBody: Sendable {
    case json(JSONTree)
    case form(String)
    case text(String)
    case base64(String)

    /// Creates the body of a message; `nil` if it is empty.
    init?(_ data: Data, mediaType: String?, redaction: RecordingRedaction) {
        guard !data.isEmpty else { return nil }
        let mediaType = mediaType?.lowercased() ?? ""
        guard !data.contains(0), let text = String(data: data, encoding: .utf8) else {
            self = .base64(data.base64EncodedString())
            return
        }
        if text.beginsLikeJSON || mediaType.contains("json"), let tree = JSONTree(data) {
            self = .json(redaction.json(tree))
        } else if mediaType.hasPrefix("application/x-www-form-urlencoded") {
            self = .form(redaction.form(text))
        } else {
            self = .text(redaction.text(text))
        }
    }

    /// Reads the body of a message in a file: `.some(nil)` if it has none, and `nil` if it is damaged.
    static func optional(in tree: JSONTree) -> RecordedBody?? {
        if let json = tree["json"] { return .json(json) }
        for (name, body) in [("form", Self.form), ("text", Self.text), ("base64", Self.base64)] {
            guard let value = tree[name] else { continue }
            guard let body = value.string.map(body), body.data != nil else { return nil }
            return body
        }
        return .some(nil)
    }

    /// Returns the body without secrets.
    func redacted(by redaction: RecordingRedaction) -> RecordedBody {
        switch self {
        case .json(let tree): .json(redaction.json(tree))
        case .form(let text): .form(redaction.form(text))
        case .text(let text): .text(redaction.text(text))
        case .base64: self
        }
    }

    /// The member for a file.
    var member: JSONTree.Member {
        switch self {
        case .json(let tree): JSONTree.Member(name: "json", value: tree)
        case .form(let text): JSONTree.Member(name: "form", value: .string(text))
        case .text(let text): JSONTree.Member(name: "text", value: .string(text))
        case .base64(let text): JSONTree.Member(name: "base64", value: .string(text))
        }
    }

    /// The bytes that a replay returns; `nil` if they are damaged.
    var data: Data? {
        switch self {
        case .json(let tree): Data(tree.text.utf8)
        case .form(let text), .text(let text): Data(text.utf8)
        case .base64(let text): Data(base64Encoded: text)
        }
    }
}
