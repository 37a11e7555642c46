/// A point in logical time: a counter value that is taken when a request starts.
///
/// All screens of one ``ProductStore`` share one counter, so any two requests are ordered. A result
/// whose request started in an earlier generation belongs to a user who has signed out, and is
/// dropped.
struct LogicalTimestamp: Hashable, Comparable {
    /// A timestamp before the first request.
    static let distantPast = LogicalTimestamp(counter: 0, generation: 0)

    /// A timestamp before the first request of a store, and after ``distantPast``.
    static func first(generation: Int) -> LogicalTimestamp {
        LogicalTimestamp(counter: 1, generation: generation)
    }

    /// The value of the store's counter, which is different for each timestamp.
    let counter: Int
    /// The number of sign-outs before the timestamp was taken.
    let generation: Int

    static func < (one: LogicalTimestamp, other: LogicalTimestamp) -> Bool {
        one.counter < other.counter
    }
}
