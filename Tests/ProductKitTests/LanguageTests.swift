import Foundation
import Testing

/// Checks that code and text use the terms of `Docs/GLOSSARY.md` and American spelling.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LanguageTests {
    @Test(arguments: Language.files())
    func `a file uses the terms of the glossary, and American spelling`(file: URL) throws {
        for finding in Language.findings(in: try Language.text(of: file)) {
            let path = Repository.path(of: file)
            Issue.record(
                "Not “\(finding.term)”, but: \(finding.replacement)",
                sourceLocation: SourceLocation(
                    fileID: "ProductKit/\(path)",
                    filePath: path,
                    line: finding.line,
                    column: 1
                )
            )
        }
    }

    @Test(arguments: [
        ("/// Answers the request.", ["answer"]), ("let lastAnswer = 1", ["answer"]),
        ("The response\nis harmless.", ["harmless"]),
        ("Favourite colours", ["favourite", "colour"]),
        ("Unlike “an answer in quotation marks”.", []), ("A wish list in a catalog.", []),
    ])
    func `terms are found in sentences and in names`(text: String, terms: [String]) {
        #expect(Language.findings(in: text).map(\.term) == terms)
    }
}

private enum Language {
    /// The terms that the glossary replaces, then British spelling, each with the word to write.
    ///
    /// They mean nothing else, and are found in any word, also in upper case.
    private static let replacements = [
        ("answer", "response, return"), ("vouch", "confirm, revalidate"),
        ("harmless", "safe, idempotent"), ("unasked", "without revalidation"),
        ("make old", "invalidate"), ("stand in for", "stale-if-error"),
        ("refresh behind", "stale-while-revalidate"), ("selecting field", "vary fields"),
        ("epoch", "generation"), ("shared work", "single flight"), ("reading on", "pagination"),
        ("overtak", "superseded"), ("settles", "confirms"), ("withdraw", "roll back"),
        ("behaviour", "behavior"), ("favourite", "favorite"), ("catalogue", "catalog"),
        ("colour", "color"), ("neighbour", "neighbor"), ("licence", "license"),
        ("serialis", "serialize"), ("normalis", "normalize"), ("recognis", "recognize"),
        ("organis", "organize"), ("initialis", "initialize"), ("authoris", "authorize"),
        ("synchronis", "synchronize"), ("judgement", "judgment"), ("whilst", "while"),
    ]

    /// The files whose text is checked: all except this one.
    static func files() -> [URL] {
        let extensions: Set = ["swift", "md", "sh", "py", "puml", "iuml", "yaml", "yml", "c", "h"]
        return ["Sources", "Tests", "Docs", "README.md", ".ci/run", ".github"]
            .flatMap { Repository.files(in: $0, withExtensions: extensions) }
            .filter { $0.lastPathComponent != "LanguageTests.swift" }
    }

    /// The text of a file, without the table cells that show which words not to use.
    static func text(of file: URL) throws -> String {
        let text = try String(contentsOf: file, encoding: .utf8)
        guard ["GLOSSARY.md", "STYLE.md"].contains(file.lastPathComponent) else { return text }
        return text.replacing(/(?m)^\|.*$/, with: "")
    }

    static func findings(in text: String) -> [(term: String, replacement: String, line: Int)] {
        let text = Data(text.replacing(/“[^”]{0,500}”/, with: "“”").lowercased().utf8)
        var findings: [(term: String, replacement: String, line: Int)] = []
        for (term, replacement) in replacements {
            var start = text.startIndex
            while let range = text.range(of: Data(term.utf8), in: start..<text.endIndex) {
                let line = text[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
                findings.append((term, replacement, line))
                start = range.upperBound
            }
        }
        return findings
    }
}
