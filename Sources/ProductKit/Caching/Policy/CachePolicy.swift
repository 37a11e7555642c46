import Foundation

/// What a private HTTP cache may do (RFC 9111), as a value without storage, time or a network.
///
/// It can be read beside the RFC:
///
/// - §3 Storing Responses in Caches, §3.1 Header and Trailer Fields: `CachePolicy+Storing.swift`.
///   §3.3 Incomplete responses and §3.4 Combining partial content: none is ever stored.
///   §3.5 Authenticated requests: the cache is private, and credentials it sees are part of the key.
/// - §3.2 Updating Stored Header Fields: `CachePolicy+Validating.swift`.
/// - §4 Constructing Responses from Caches: `CachePolicy+Deciding.swift`.
/// - §4.1 Calculating Cache Keys with the Vary Header Field: `CachePolicy+Matching.swift`.
/// - §4.2 Freshness, §4.2.1 Lifetime, §4.2.2 Heuristics, §4.2.3 Age: `CachePolicy+Freshness.swift`.
/// - §4.2.4 Serving Stale Responses, and RFC 5861: `CachePolicy+StandingIn.swift`.
/// - §4.3 Validation: `CachePolicy+Validating.swift`. §4.3.5 Responses to HEAD: they pass by.
/// - §4.4 Invalidating Stored Responses: `CachePolicy+Invalidating.swift`.
/// - §5.1 Age, §5.2 Cache-Control, §5.3 Expires: `CacheControl.swift`,
///   `NetworkHeaders+Caching.swift`. §5.4 Pragma is deprecated, and passed over.
/// - RFC 9110 §14 Range Requests: `CachePolicy+Ranges.swift`.
public struct CachePolicy: Hashable, Sendable {
    /// How much of the time since its last change an answer counts as fresh when the server does not
    /// say (§4.2.2); 0 lets no such answer be fresh.
    public var heuristicFraction: Double
    /// The longest that an answer counts as fresh when the server does not say.
    public var maximumHeuristicLifetime: Duration
    /// How long past its freshness an answer stands in for a server that cannot be had, when neither
    /// the server nor the request says; zero forbids it.
    public var staleIfErrorLimit: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - heuristicFraction: How much of the time since its last change an answer counts as fresh when
    ///     the server does not say.
    ///   - maximumHeuristicLifetime: The longest that this may be. Prices change.
    ///   - staleIfErrorLimit: How long past its freshness an answer stands in for a server that cannot be
    ///     had, when nobody says.
    public init(
        heuristicFraction: Double = 0.1,
        maximumHeuristicLifetime: Duration = .seconds(3_600),
        staleIfErrorLimit: Duration = .seconds(86_400)
    ) {
        self.heuristicFraction = heuristicFraction
        self.maximumHeuristicLifetime = maximumHeuristicLifetime
        self.staleIfErrorLimit = staleIfErrorLimit
    }
}

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
        guard !response.stored.isInvalidated, !freshness.isUnusableUnasked,
            question.policy != .reload,
            !control.has("no-cache")
        else { return nil }
        let staleness = freshness.staleness(at: now)
        // A reload asks, unless the server has said that there is no use in it (RFC 8246 §2).
        guard question.policy != .revalidate, control.maxAge != 0 else {
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

/// Calculating Cache Keys with the Vary Header Field (RFC 9111 §4.1).
extension CachePolicy {
    /// The newest answer that was given to a question like this one.
    func match(_ question: CacheQuestion, among variants: [CachedResponse]) -> CachedResponse? {
        variants.first { variant in
            variant.stored.varyFields.isEmpty || matches(variant.stored, question)
        }
    }

    private func matches(_ stored: StoredResponse, _ question: CacheQuestion) -> Bool {
        stored.varyFields.allSatisfy { name, value in
            let asked = question.value(name) ?? ""
            // Most often a field is written the same way each time.
            return asked == value
                || name.hasPrefix("accept") && asked.isEqualIgnoringASCIICase(to: value)
                || question.selectingValue(name) == value
        }
    }
}
