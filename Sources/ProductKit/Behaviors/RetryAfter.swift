import Foundation

/// When a server wants to be asked again (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Reads the field `Retry-After`.
    ///
    /// - Parameters:
    ///   - text: Seconds in digits only, or an HTTP date.
    ///   - now: The time of day.
    /// - Returns: How long to wait: nothing for a moment that is over, `nil` for a text that is
    ///   neither. More than a century counts as one.
    static func delay(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return .seconds(min(Int(text) ?? longest, longest))
        }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), Double(longest)))
    }

    private static let longest = 3_155_760_000
}
