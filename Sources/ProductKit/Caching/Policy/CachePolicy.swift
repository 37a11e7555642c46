import Foundation

/// The rules of a private HTTP cache (RFC 9111), without storage, clock or network.
///
/// Each extension names its section of the RFC. Of the other sections:
///
/// - §3.3 Storing Incomplete Responses, §3.4 Combining Partial Content: only complete responses are stored.
/// - §3.5 Storing Responses to Authenticated Requests: allowed, because the cache is private; credentials in the
///   request are part of the cache key.
/// - §4.3.5 Freshening Responses with HEAD: not done, `HEAD` is forwarded.
/// - §5.1 Age, §5.2 Cache-Control, §5.3 Expires: `CacheControl`. §5.4 Pragma: ignored, it is deprecated.
/// - RFC 9110 §14 Range Requests: not served from the cache; see `CacheRequest.mustBeForwarded`.
struct CachePolicy: Sendable {
    /// The heuristic freshness lifetime as a fraction of the time since `Last-Modified` (§4.2.2).
    var heuristicFraction = 0.1
    /// The upper limit of the heuristic freshness lifetime.
    var maximumHeuristicLifetime = Duration.seconds(3_600)
    /// How long after it became stale a response may be served when the origin server fails, if
    /// neither the response nor the request has `stale-if-error`.
    var staleIfErrorLimit = Duration.seconds(86_400)
    /// The header field that carries the token of a backend, and that no stored response has.
    var tokenHeader: String?
}

/// The ways to handle a request.
enum CacheDecision {
    /// Serve the stored response.
    case serve
    /// Serve the stored response, and revalidate it in the background (RFC 5861 §3).
    case serveAndRevalidate
    /// Forward the request, as a conditional request when a validator is stored.
    case forward
    /// Fail: no response can be served, and the request may not be forwarded.
    case fail
}

/// Constructing Responses from Caches (RFC 9111 §4), with request directives (§5.2.1).
extension CachePolicy {
    /// Decides what to do with a request, for which a stored response is selected unless it is a miss.
    func decision(
        for request: CacheRequest,
        stored: CachedResponse?,
        now: Date
    ) -> CacheDecision {
        if let stored, let decision = decision(for: request, serving: stored, now: now) {
            return decision
        }
        return request.forbidsForwarding ? .fail : .forward
    }

    /// Decides how a stored response is served; `nil` when it must be revalidated first.
    private func decision(
        for request: CacheRequest,
        serving response: CachedResponse,
        now: Date
    ) -> CacheDecision? {
        let (freshness, control) = (response.freshness, request.control)
        guard !response.stored.isInvalidated, !freshness.requiresRevalidation,
            request.policy != .reload, !control.has("no-cache")
        else { return nil }
        let staleness = freshness.staleness(at: now)
        // Revalidating a fresh response is useless if it is immutable (RFC 8246 §2).
        guard ![.revalidate, .networkFirst].contains(request.policy), control.maxAge != 0 else {
            return staleness < 0 && freshness.isImmutable ? .serve : nil
        }
        guard freshness.age(at: now) <= control.maxAge ?? .infinity,
            freshness.lifetime - freshness.age(at: now) >= control.minFresh ?? -.infinity
        else { return nil }
        if staleness < 0 { return .serve }
        guard !freshness.mustRevalidate, !isTransient(response.stored.statusCode) else {
            return nil
        }
        if request.policy.acceptsAnyAge || staleness <= control.maxStale ?? -.infinity {
            return .serve
        }
        // A request with `max-age` or `min-fresh` does not accept a stale response.
        guard control.maxAge == nil, control.minFresh == nil,
            staleness < freshness.staleWhileRevalidate
        else { return nil }
        return request.forbidsForwarding ? .serve : .serveAndRevalidate
    }
}

extension CacheRequest {
    /// Whether only the cache may be used.
    var forbidsForwarding: Bool {
        !policy.allowsNetwork || control.has("only-if-cached")
    }
}

/// Calculating Cache Keys with the Vary Header Field (RFC 9111 §4.1).
extension CacheRequest {
    /// Returns whether the vary fields of a stored response match those of the request.
    func matches(_ stored: StoredResponse) -> Bool {
        stored.varyFields.allSatisfy { name, storedValue in
            let value = fields[name] ?? ""
            // Most values match without being normalized.
            return value == storedValue
                || name.hasPrefix("accept") && value.isEqualIgnoringASCIICase(to: storedValue)
                || varyValue(name) == storedValue
        }
    }
}
