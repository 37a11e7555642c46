import Foundation
import Testing

/// A JSON text, or nearly one, and what RFC 8259 says about it.
struct JSONCase: Sendable, CustomTestStringConvertible {
    enum Verdict: String {
        /// Every reader accepts it.
        case accept
        /// No reader accepts it.
        case refuse
        /// The standard leaves it to the reader; ours does as the decoder does.
        case either
    }

    let verdict: Verdict
    let name: String
    let bytes: Data

    var testDescription: String { name }

    /// Reads a table with a line for each case: verdict, name and text.
    ///
    /// In a text `«C3 A9»` stands for bytes.
    static func table(_ lines: String) -> [JSONCase] {
        lines.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " | ", maxSplits: 2)
            guard columns.count == 3, let verdict = Verdict(rawValue: String(columns[0])) else {
                return nil
            }
            return JSONCase(
                verdict: verdict,
                name: String(columns[1]),
                bytes: bytes(of: columns[2])
            )
        }
    }

    /// All cases; the tables have a line for each.
    static let all = numbers + strings + structures + encodings

    private static func bytes(of text: Substring) -> Data {
        text.split(separator: "«", omittingEmptySubsequences: false).enumerated()
            .reduce(into: Data()) { bytes, part in
                guard part.offset > 0 else { return bytes.append(contentsOf: part.element.utf8) }
                let sides = part.element.split(
                    separator: "»",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                bytes.append(
                    contentsOf: sides[0].split(separator: " ").compactMap { UInt8($0, radix: 16) }
                )
                bytes.append(contentsOf: sides[1].utf8)
            }
    }
}
