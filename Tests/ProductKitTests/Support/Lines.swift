import ProductKit
import Synchronization

/// A log of lines that can be written from any task.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    /// All lines in the order in which they were added.
    var all: [String] { lines.withLock { $0 } }

    /// Adds a line.
    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
