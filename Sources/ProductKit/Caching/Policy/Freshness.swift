import Foundation

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
