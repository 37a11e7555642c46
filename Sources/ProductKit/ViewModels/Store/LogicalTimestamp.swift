/// A point in logical time: a counter value that is taken when a request starts.
///
/// All screens of one ``ProductStore`` share one counter, so any two requests are ordered. A result
/// whose request started before the last reset of the store belongs to a user who has signed out,
/// and is dropped.
struct LogicalTimestamp: Hashable, Comparable {
    /// A timestamp before all timestamps of a store.
    static let distantPast = LogicalTimestamp(counter: 0)

    let counter: Int

    static func < (one: LogicalTimestamp, other: LogicalTimestamp) -> Bool {
        one.counter < other.counter
    }
}
