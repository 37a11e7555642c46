import Synchronization

/// What happened, line by line, told from anywhere.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    /// All lines, in the order in which they were told.
    var all: [String] { lines.withLock { $0 } }

    /// Adds a line.
    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
