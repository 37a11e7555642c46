/// How often something went wrong with the files of the cache; no request has noticed it.
struct CacheFailures: Sendable {
    /// How often the system would not do something.
    var refused = 0
    /// How many files were no entries, or damaged ones.
    var damaged = 0
    /// How many entries were not written: too large, or too much waited to be written.
    var leftOut = 0

    /// All of them.
    var count: Int { refused + damaged + leftOut }
}
