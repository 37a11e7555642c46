/// A value that changes when another user signs in or stored responses are invalidated.
///
/// Requests share a response only within one generation: a response to an earlier request may be too
/// old for a request that starts after the change.
struct CacheGeneration: Hashable, Sendable {
    let partition: String
    let invalidations: Int

    /// The generation of the current task's request, or `nil` without a cache.
    @TaskLocal static var current: CacheGeneration?
}
