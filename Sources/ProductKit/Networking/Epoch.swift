/// What a cache further out knows of a request: only those of one generation may share an answer.
///
/// A new generation begins when another user asks, and whenever something stored is made old or forgotten:
/// an answer that was asked for before that is not good enough for whoever asks after it.
struct CacheGeneration: Hashable, Sendable {
    let partition: String
    let invalidations: Int

    /// The generation of the request that the task is about; `nil` without a cache.
    @TaskLocal static var current: CacheGeneration?
}
