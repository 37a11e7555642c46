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
    public var heuristicShare: Double
    /// The longest that an answer counts as fresh when the server does not say.
    public var longestHeuristic: Duration
    /// How long past its freshness an answer stands in for a server that cannot be had, when neither
    /// the server nor the request says; zero forbids it.
    public var standInLimit: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - heuristicShare: How much of the time since its last change an answer counts as fresh when
    ///     the server does not say.
    ///   - longestHeuristic: The longest that this may be. Prices change.
    ///   - standInLimit: How long past its freshness an answer stands in for a server that cannot be
    ///     had, when nobody says.
    public init(
        heuristicShare: Double = 0.1,
        longestHeuristic: Duration = .seconds(3_600),
        standInLimit: Duration = .seconds(86_400)
    ) {
        self.heuristicShare = heuristicShare
        self.longestHeuristic = longestHeuristic
        self.standInLimit = standInLimit
    }
}
