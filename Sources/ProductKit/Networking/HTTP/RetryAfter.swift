package import Foundation

/// The header field `Retry-After`: how long to wait before the next request (RFC 9110 §10.2.3).
enum RetryAfter {
    /// Returns the delay that a response requires, at most a century; `nil` without a valid field.
    ///
    /// A date is compared with the `Date` of the response (RFC 9110 §6.6.1), because the clock of the device may
    /// be wrong; without one, with the current date. Some servers send fractions of seconds, which are rounded up.
    static func delay(in headers: NetworkHeaders, now: Date) -> Duration? {
        guard let text = headers["Retry-After"]?[...].trimmingOWS else { return nil }
        if let seconds = seconds(text) { return .seconds(min(Double(seconds), maximum)) }
        guard let date = HTTPDate.date(from: String(text), now: now) else { return nil }
        let sent = headers["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return .seconds(min(max(date.timeIntervalSince(sent), 0), maximum))
    }

    private static func seconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first?.decimalNumber else { return nil }
        guard parts.count == 2 else { return whole }
        return parts[1].decimalNumber.map { $0 > 0 && whole < .max ? whole + 1 : whole }
    }

    /// Returns a delay that is at most a century.
    static func limited(_ delay: Duration) -> Duration {
        min(delay, .seconds(maximum))
    }

    /// A century in seconds.
    private static let maximum = 3_155_760_000.0
}

extension NetworkError {
    /// Returns the delay in the `Retry-After` of an error with code `throttled` or with status code 429 or 503.
    package func retryAfter(now: Date) -> Duration? {
        guard code == .throttled || statusCode == 429 || statusCode == 503 else { return nil }
        return RetryAfter.delay(in: headers, now: now)
    }
}
