import Foundation
import Testing

/// A valid or invalid JSON text, and how a parser has to treat it according to RFC 8259.
struct JSONCase: Sendable, CustomTestStringConvertible {
    enum Verdict: String {
        /// Every parser has to accept the text.
        case accept
        /// Every parser has to reject the text.
        case reject
        /// The standard allows both. `JSONElements` does the same as `JSONDecoder`.
        case either
    }

    let verdict: Verdict
    let name: String
    let bytes: Data

    var testDescription: String { name }

    /// Parses a table with one case per line: the verdict, the name and the text.
    ///
    /// In a text, `«C3 A9»` stands for these bytes.
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

    /// The cases of all tables.
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
