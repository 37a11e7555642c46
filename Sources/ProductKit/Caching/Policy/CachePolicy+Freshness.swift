import Foundation

/// Freshness (RFC 9111 §4.2).
extension CachePolicy {
    func freshness(of response: StoredResponse) -> Freshness {
        let headers = response.headers
        let control = headers.cacheControl
        let date = headers.date("Date", now: response.receivedAt) ?? response.receivedAt
        return Freshness(
            lifetime: lifetime(of: response, control, from: date),
            initialAge: initialAge(of: response, from: date),
            receivedAt: response.receivedAt,
            requiresRevalidation: control.requiresRevalidation,
            mustRevalidate: control.has("must-revalidate"),
            isImmutable: control.has("immutable"),
            staleWhileRevalidate: control.staleWhileRevalidate ?? 0,
            staleIfError: control.staleIfError
        )
    }

    /// Returns the freshness lifetime (§4.2.1): `max-age`, else `Expires`, else a fraction of the time since
    /// `Last-Modified` (§4.2.2).
    ///
    /// It is 0 if the status code does not allow such a heuristic or `Last-Modified` is missing.
    private func lifetime(
        of response: StoredResponse,
        _ control: CacheControl,
        from date: Date
    ) -> Double {
        if let maxAge = control.maxAge { return maxAge }
        guard response.headers["Expires"] == nil else {
            // An invalid date, such as 0, is in the past (§5.3).
            let expires = response.headers.date("Expires", now: response.receivedAt)
            return max(expires?.timeIntervalSince(date) ?? 0, 0)
        }
        guard
            Self.heuristicallyCacheable.contains(response.statusCode) || control.has("public"),
            let modified = response.headers.date("Last-Modified", now: response.receivedAt)
        else { return 0 }
        let lifetime = date.timeIntervalSince(modified) * heuristicFraction
        return min(max(lifetime, 0), maximumHeuristicLifetime / .seconds(1))
    }

    /// Returns the age when the response was received (§4.2.3, `corrected_initial_age`).
    private func initialAge(of response: StoredResponse, from date: Date) -> Double {
        let apparentAge = max(response.receivedAt.timeIntervalSince(date), 0)
        let delay = max(response.receivedAt.timeIntervalSince(response.requestedAt), 0)
        return max(apparentAge, (response.headers.age ?? 0) + delay)
    }
}

/// How long a stored response may be served (RFC 9111 §4.2).
///
/// It is computed once, when the response is received or read from disk.
struct Freshness: Sendable {
    /// The freshness lifetime in seconds (§4.2.1).
    let lifetime: Double
    /// The age in seconds when the response was received (§4.2.3).
    let initialAge: Double
    /// When the response was received or last validated.
    let receivedAt: Date
    /// Whether the response must be revalidated even while it is fresh (`no-cache`).
    let requiresRevalidation: Bool
    /// Whether the response must not be served stale without revalidation (`must-revalidate`).
    let mustRevalidate: Bool
    /// Whether the response does not change while it is fresh (RFC 8246).
    let isImmutable: Bool
    /// How many seconds the stale response may be served while it is revalidated (RFC 5861 §3).
    let staleWhileRevalidate: Double
    /// How many seconds the stale response may be served when the server fails (RFC 5861 §4), if the server says it.
    let staleIfError: Double?

    /// Returns the age in seconds.
    ///
    /// It is never less than `initialAge`, even if the clock is set back.
    func age(at now: Date) -> Double {
        initialAge + max(now.timeIntervalSince(receivedAt), 0)
    }

    /// Returns how many seconds ago the response became stale; a negative number while it is fresh.
    ///
    /// It is infinite if the clock was set back to a date before the response was received.
    func staleness(at now: Date) -> Double {
        now < receivedAt ? .infinity : age(at: now) - lifetime
    }

    /// Returns for how many seconds this cache has had the response since it became stale.
    ///
    /// A response that was stale when it was received became stale then. So a clock of the device that is ahead of the
    /// server's does not shorten the time. It is infinite where ``staleness(at:)`` is.
    func stalenessSinceReceipt(at now: Date) -> Double {
        guard now >= receivedAt else { return .infinity }
        return now.timeIntervalSince(receivedAt) - max(lifetime - initialAge, 0)
    }
}
