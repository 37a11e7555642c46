import Foundation

/// What to do about a question.
enum CacheDecision {
    /// Give what is stored.
    case answer
    /// Give what is stored, and fetch another behind it.
    case answerAndRefresh
    /// Ask the server, with conditions when something is stored.
    case ask
    /// Give nothing: the network was not to be asked.
    case refuse
}

/// Constructing Responses from Caches (RFC 9111 §4), with the directives of requests (§5.2.1).
extension CachePolicy {
    /// Decides about a question.
    func decision(
        on question: CacheQuestion,
        stored: CachedResponse?,
        now: Date
    ) -> CacheDecision {
        if let stored, let use = use(of: stored, for: question, now: now) { return use }
        return question.isNetworkForbidden ? .refuse : .ask
    }

    /// How a stored answer serves without asking first; `nil` when it does not.
    private func use(
        of response: CachedResponse,
        for question: CacheQuestion,
        now: Date
    ) -> CacheDecision? {
        let (freshness, control) = (response.freshness, question.control)
        guard !response.stored.isExpired, !freshness.isUnusableUnasked, question.policy != .anew,
            !control.has("no-cache")
        else { return nil }
        let staleness = freshness.staleness(at: now)
        // A reload asks, unless the server has said that there is no use in it (RFC 8246 §2).
        guard question.policy != .confirmed, control.maxAge != 0 else {
            return staleness < 0 && freshness.isImmutable ? .answer : nil
        }
        guard freshness.age(at: now) <= control.maxAge ?? .infinity,
            freshness.lifetime - freshness.age(at: now) >= control.minFresh ?? -.infinity
        else { return nil }
        if staleness < 0 { return .answer }
        guard !freshness.isUnusableStale else { return nil }
        if question.policy.acceptsAnyAge || staleness <= control.maxStale ?? -.infinity {
            return .answer
        }
        // Who says how old or fresh it must be does not take a stale one unasked, and a piece that is
        // fetched freshens nothing.
        guard control.maxAge == nil, control.minFresh == nil, question.range == nil,
            staleness < freshness.staleWhileRevalidate
        else { return nil }
        return question.isNetworkForbidden ? .answer : .answerAndRefresh
    }
}

extension CacheQuestion {
    /// Whether only the cache may answer.
    fileprivate var isNetworkForbidden: Bool {
        policy.network == .never || control.has("only-if-cached")
    }
}
