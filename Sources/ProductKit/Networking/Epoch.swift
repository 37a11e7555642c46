/// What a cache further out knows of a request: only those of one epoch may share an answer.
///
/// A new epoch begins when another user asks, and whenever something stored is made old or forgotten:
/// an answer that was asked for before that is not good enough for whoever asks after it.
struct Epoch: Hashable, Sendable {
    let scope: String
    let invalidations: Int

    /// The epoch of the request that the task is about; `nil` without a cache.
    @TaskLocal static var current: Epoch?
}
