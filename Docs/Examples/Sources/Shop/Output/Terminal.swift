import Foundation

/// The terminal that shows the output of the program.
enum Terminal {
    /// Returns the width of a terminal.
    ///
    /// - Parameter descriptor: The file descriptor that is connected to the terminal.
    /// - Returns: The number of columns. For other files it is the value of `COLUMNS`, or `nil` if
    ///   that is not set.
    static func columns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        let variable = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        if let variable, variable > 0 { return variable }
        return isatty(descriptor) == 1 ? 80 : nil
    }

    /// Prints a text, and breaks lines that are wider than the terminal between words.
    ///
    /// The rest of a line is indented by two columns more than its beginning.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - breaksWords: Whether to break a word that is wider than the terminal. By default it stays
    ///     complete, so that a path can be copied.
    static func print(_ text: some CustomStringConvertible, breaksWords: Bool = false) {
        guard let columns = columns() else { return Swift.print(text) }
        for line in text.description.split(separator: "\n", omittingEmptySubsequences: false) {
            let indent = String(line.prefix { $0 == " " }) + "  "
            let lines = line.broken(at: columns, indent: indent, breaksWords: breaksWords)
            Swift.print(lines.joined(separator: "\n"))
        }
    }
}

extension StringProtocol {
    /// The number of columns that a terminal uses for the text.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text with spaces at the end, up to a number of columns.
    func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - self.columns))
    }

    /// Returns the longest beginning of the text with at most a number of columns.
    func prefix(columns limit: Int) -> SubSequence {
        var used = 0
        return prefix { character in
            used += character.columns
            return used <= limit
        }
    }

    /// Breaks the text into lines of at most a number of columns, between words.
    ///
    /// - Parameters:
    ///   - columns: The width of a line.
    ///   - indent: The beginning of every line but the first.
    ///   - breaksWords: Whether to break a word that is wider than a line.
    /// - Returns: The lines.
    func broken(at columns: Int, indent: String = "", breaksWords: Bool = false) -> [String] {
        guard self.columns > columns else { return [String(self)] }
        var lines: [String] = []
        var line = ""
        for match in String(self).matches(of: /( *)([^ ]+)/) {
            let extended = line + match.1 + match.2
            if line.isEmpty || extended.columns <= columns {
                line = extended
            } else {
                lines.append(line)
                line = indent + match.2
            }
            while breaksWords, line.columns > columns, columns > indent.columns + 1 {
                let beginning = line.prefix(columns: columns)
                lines.append(String(beginning))
                line = indent + line.dropFirst(beginning.count)
            }
        }
        return lines + [line]
    }
}

extension Character {
    /// The number of columns that a terminal uses for the character.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        let isWide =
            scalar.properties.isEmojiPresentation
            || Self.wideScalars.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }

    /// The blocks of East Asian characters that are two columns wide (Unicode UAX #11).
    private static let wideScalars: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_F300...0x1_F64F,
        0x1_F900...0x1_F9FF, 0x2_0000...0x3_FFFD,
    ]
}
