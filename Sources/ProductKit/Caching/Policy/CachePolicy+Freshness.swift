import Foundation

/// Freshness (RFC 9111 §4.2).
extension CachePolicy {
    /// Works out how long an answer may be used.
    func freshness(of response: StoredResponse) -> Freshness {
        let headers = response.headers
        let control = headers.cacheControl
        let date = headers.date("Date", now: response.receivedAt) ?? response.receivedAt
        return Freshness(
            lifetime: lifetime(of: response, control, from: date),
            initialAge: initialAge(of: response, from: date),
            receivedAt: response.receivedAt,
            isUnusableUnasked: control.isUnusableUnasked,
            isUnusableStale: control.has("must-revalidate"),
            isImmutable: control.has("immutable"),
            staleWhileRevalidate: control.staleWhileRevalidate ?? 0,
            staleIfError: control.staleIfError
        )
    }

    /// Calculating Freshness Lifetime (§4.2.1): the first of these that is there counts.
    private func lifetime(
        of response: StoredResponse,
        _ control: CacheControl,
        from date: Date
    ) -> Double {
        if let maxAge = control.maxAge { return maxAge }
        guard response.headers["Expires"] == nil else {
            // What is no date, such as 0, is in the past (§5.3).
            let expires = response.headers.date("Expires", now: response.receivedAt)
            return max(expires?.timeIntervalSince(date) ?? 0, 0)
        }
        return heuristicLifetime(of: response, control, from: date)
    }

    /// Calculating Heuristic Freshness (§4.2.2): the longer it has not changed, the longer it will not.
    private func heuristicLifetime(
        of response: StoredResponse,
        _ control: CacheControl,
        from date: Date
    ) -> Double {
        guard Self.understoodStatuses.contains(response.statusCode) || control.has("public"),
            let modified = response.headers.date("Last-Modified", now: response.receivedAt)
        else { return 0 }
        let share = date.timeIntervalSince(modified) * heuristicFraction
        return min(max(share, 0), maximumHeuristicLifetime / .seconds(1))
    }

    /// Calculating Age (§4.2.3), as of the moment at which the answer came.
    private func initialAge(of response: StoredResponse, from date: Date) -> Double {
        let apparentAge = max(response.receivedAt.timeIntervalSince(date), 0)
        let delay = max(response.receivedAt.timeIntervalSince(response.requestedAt), 0)
        return max(apparentAge, (response.headers.age ?? 0) + delay)
    }
}

/// How long a stored answer may be used, worked out once when it is stored (RFC 9111 §4.2).
struct Freshness: Sendable {
    /// How long it is fresh, in seconds (§4.2.1).
    let lifetime: Double
    /// How old it was when it came (§4.2.3).
    let initialAge: Double
    /// When it came.
    let receivedAt: Date
    /// Whether it is never used without asking (`no-cache`).
    let isUnusableUnasked: Bool
    /// Whether it is never used stale (`must-revalidate`).
    let isUnusableStale: Bool
    /// Whether it never changes while it is fresh (RFC 8246).
    let isImmutable: Bool
    /// How stale it may be while another is fetched (RFC 5861 §3).
    let staleWhileRevalidate: Double
    /// How stale it may be when the server fails (RFC 5861 §4); `nil` when the server does not say.
    let staleIfError: Double?

    /// How old it is; it never grows younger than it came, whatever a clock says.
    func age(at now: Date) -> Double {
        initialAge + max(now.timeIntervalSince(receivedAt), 0)
    }

    /// How long it has been stale; below 0 it is fresh.
    ///
    /// Nothing is known of it once the clock was set back behind the moment at which it came.
    func staleness(at now: Date) -> Double {
        now < receivedAt ? .infinity : age(at: now) - lifetime
    }

    /// Whether it may be used without asking: its lifetime is greater than its age.
    func isFresh(at now: Date) -> Bool {
        staleness(at: now) < 0
    }
}
