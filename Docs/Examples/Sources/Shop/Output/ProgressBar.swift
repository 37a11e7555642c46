import Foundation

/// A progress bar on standard error.
///
/// It prints nothing if that is not a terminal.
struct ProgressBar {
    private static let width = 30

    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// - Parameter total: The value at which the bar is full.
    init(total: Int) {
        self.total = max(1, total)
    }

    /// Shows the current value and a text.
    func show(_ done: Int, _ text: String) {
        guard isTerminal else { return }
        let fraction = min(1, Double(done) / Double(total))
        let full = Int(fraction * Double(Self.width))
        let bar =
            String(repeating: "█", count: full)
            + String(repeating: "░", count: Self.width - full)
        write("\r\(bar) \(Int(fraction * 100)) %  \(text) ")
    }

    /// Removes the bar.
    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
