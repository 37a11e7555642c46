import Foundation

extension String {
    /// The text without the tags of HTML; `nil` when nothing is left.
    var withoutTags: String? {
        let text = replacing(/<[^>]*>/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// The moment that the text names (RFC 3339), with a fraction of a second or without.
    var timestamp: Date? {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? fractional.parse(self)) ?? (try? Date.ISO8601FormatStyle().parse(self))
    }

    /// The text in quotes, as predicates want it.
    var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
