/// The state of the cache that a request was sent in.
///
/// Only requests of the same generation may share a response. A generation ends when the partition
/// changes, or when a stored response is invalidated or removed: an earlier response may then be
/// out of date for later callers.
///
/// It is a file of its own, because `CachingBehavior` sets it, `CoalescingBehavior` reads it, and
/// neither knows the other.
struct CacheGeneration: Hashable, Sendable {
    /// The partition of the request.
    let partition: String
    /// The number of invalidations and removals so far.
    let invalidations: Int

    /// The generation of the current task's request; `nil` without a cache.
    @TaskLocal static var current: CacheGeneration?
}
