import Foundation

/// A progress bar on standard error.
///
/// It prints nothing if that is not a terminal.
struct ProgressBar {
    private static let maximumWidth = 30

    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// - Parameter total: The value at which the bar is full.
    init(total: Int) {
        self.total = max(1, total)
    }

    /// Shows the current value and a text, on one line.
    func show(_ done: Int, _ text: String) {
        guard isTerminal, let columns = Terminal.columns(of: STDERR_FILENO) else { return }
        let fraction = min(1, Double(done) / Double(total))
        let label = " \(Int(fraction * 100)) %  \(text)"
        // The last column stays empty: some terminals start a new line after it.
        let width = max(0, min(Self.maximumWidth, columns - 1 - label.columns))
        let full = Int(fraction * Double(width))
        let bar =
            String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        write("\r\((bar + label).prefix(columns: columns - 1))\u{1B}[K")
    }

    /// Removes the bar.
    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
