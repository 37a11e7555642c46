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
        let share = date.timeIntervalSince(modified) * heuristicShare
        return min(max(share, 0), longestHeuristic / .seconds(1))
    }

    /// Calculating Age (§4.2.3), as of the moment at which the answer came.
    private func initialAge(of response: StoredResponse, from date: Date) -> Double {
        let apparentAge = max(response.receivedAt.timeIntervalSince(date), 0)
        let delay = max(response.receivedAt.timeIntervalSince(response.requestedAt), 0)
        return max(apparentAge, (response.headers.age ?? 0) + delay)
    }
}
