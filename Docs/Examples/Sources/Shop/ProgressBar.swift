import Foundation

/// A line that shows how far along something is, where a person watches; elsewhere it is silent.
struct ProgressBar {
    private static let width = 30

    private let total: Int
    private let isWatched = isatty(STDERR_FILENO) == 1

    /// - Parameter total: What is reached in the end.
    init(total: Int) {
        self.total = max(1, total)
    }

    /// Shows what was reached.
    func show(_ done: Int, _ text: String) {
        guard isWatched else { return }
        let share = min(1, Double(done) / Double(total))
        let full = Int(share * Double(Self.width))
        let bar =
            String(repeating: "█", count: full)
            + String(repeating: "░", count: Self.width - full)
        write("\r\(bar) \(Int(share * 100)) %  \(text) ")
    }

    /// Takes the line away.
    func end() {
        if isWatched { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
