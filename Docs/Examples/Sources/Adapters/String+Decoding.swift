import Foundation

extension String {
    /// The text without HTML tags, or `nil` if the rest is empty.
    var withoutTags: String? {
        let text = replacing(/<[^>]*>/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// The RFC 3339 time that the text contains, with or without a fraction of a second.
    var timestamp: Date? {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? fractional.parse(self)) ?? (try? Date.ISO8601FormatStyle().parse(self))
    }

    /// The text in quotation marks, for a predicate of commercetools.
    var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
