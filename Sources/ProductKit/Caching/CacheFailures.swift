/// What went wrong with the files of the cache; requests have noticed nothing of it.
struct CacheFailures: Hashable, Sendable {
    /// How often the system would not do something, by its numbers, such as `ENOSPC`.
    var refusals: [Int32: Int] = [:]
    /// How many files were no entries, or damaged ones.
    var damaged = 0
    /// How many entries were not written: too large, or too much waited to be written.
    var leftOut = 0

    /// All of them.
    var count: Int { refusals.values.reduce(damaged + leftOut, +) }

    /// Counts a refusal.
    mutating func add(_ failure: SystemFailure) {
        refusals[failure.number, default: 0] += 1
    }
}
