import Synchronization

/// Counts from anywhere.
final class Counter: Sendable {
    private let number = Mutex(0)

    /// How many there are.
    var count: Int { number.withLock { $0 } }

    /// Counts one more, and tells how many there are now.
    @discardableResult func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
