package import Foundation

/// The header field `Retry-After`: how long to wait before the next request (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Returns the delay that a field value stands for.
    ///
    /// - Parameters:
    ///   - text: The field value: a number of seconds in decimal digits, or an HTTP date.
    ///   - now: The current date.
    /// - Returns: The delay, at most a century; zero for a date in the past; `nil` for an invalid
    ///   field value.
    static func delay(_ text: String, now: Date) -> Duration? {
        let text = text[...].trimmingOWS
        if let seconds = text.decimalNumber { return .seconds(min(Double(seconds), maximum)) }
        guard let date = HTTPDate.date(from: String(text), now: now) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), maximum))
    }

    /// Returns a delay that is at most a century.
    static func limited(_ delay: Duration) -> Duration {
        min(delay, .seconds(maximum))
    }

    /// A century in seconds.
    private static let maximum = 3_155_760_000.0
}

extension NetworkError {
    /// Returns the delay that the server requires with `Retry-After` (RFC 9110 §10.2.3).
    ///
    /// - Parameter now: The current date, for a field with a date.
    /// - Returns: The delay; `nil` if the response is not a 429 or 503, or has no valid field.
    package func retryAfter(now: Date) -> Duration? {
        guard let statusCode, [429, 503].contains(statusCode) else { return nil }
        return headers["Retry-After"].flatMap { RetryAfter.delay($0, now: now) }
    }
}
