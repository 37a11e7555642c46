import ProductKit
import Synchronization

/// A counter that can be used from any task.
final class Counter: Sendable {
    private let number = Mutex(0)

    /// The current number.
    var count: Int { number.withLock { $0 } }

    /// Adds 1 and returns the new number.
    @discardableResult func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
