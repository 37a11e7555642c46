import Foundation
import Testing

/// What the library promises is written in `Docs/RULES.md`, and each promise is named by its tests.
@Suite(.timeLimit(.minutes(5))) struct RulesTests {
    @Test func `there are rules to check, numbered as they are shown`() throws {
        let sections = try Rules.sections()

        #expect(Set(sections.map(\.name)) == Set(Rules.words + Rules.letters))
        #expect(sections.map(\.rules.count).reduce(0, +) > 250)
        for (name, rules) in sections {
            #expect(rules.map(\.number) == Array(1...rules.count), "\(name)")
        }
    }

    @Test func `every rule that a test names is written down`() throws {
        let written = Set(try Rules.written().map(\.name))

        for file in try Rules.testFiles() {
            let unknown = try Rules.named(in: file).subtracting(written)
            #expect(unknown.isEmpty, "not in Docs/RULES.md, but in \(file.lastPathComponent)")
        }
    }

    @Test func `every rule that is written down is named by a test`() throws {
        let named = Set(try Rules.testFiles().flatMap(Rules.named))

        let unnamed = try Rules.written()
            .filter { !named.contains($0.name) && !$0.text.contains("(not tested: ") }
            .map(\.name)
        #expect(unnamed.isEmpty, "in Docs/RULES.md, but above no test")
    }
}

private enum Rules {
    /// What stands in front of a number, in a test and in a heading.
    static let words = [
        "Rule", "List rule", "Caching rule", "Retry", "Tokens", "Coalescing", "Cancellation",
        "Errors",
    ]
    /// What stands right before a number.
    static let letters = ["p", "d", "S"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The sections of the document: the word or letter in each heading, and the numbered sentences.
    static func sections() throws -> [(name: String, rules: [(number: Int, text: String)])] {
        let document = root.appending(path: "Docs/RULES.md")
        let sentence = /^(\d+)\. .*(?:\n {4}.*)*/.anchorsMatchLineEndings()
        return try String(contentsOf: document, encoding: .utf8)
            .components(separatedBy: "\n## ").dropFirst()
            .map { section in
                let rules = try section.matches(of: sentence)
                    .map { (number: try #require(Int($0.1)), text: String($0.0)) }
                return (name: String(section.prefix { $0 != ":" && $0 != "\n" }), rules: rules)
            }
    }

    static func written() throws -> [(name: String, text: String)] {
        try sections().flatMap { section in
            section.rules.map { (name(section.name, "\($0.number)"), $0.text) }
        }
    }

    /// The rules in the comments of a file, such as `Caching rule 2` and `S20`.
    static func named(in file: URL) throws -> Set<String> {
        let comments = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.drop { $0 == " " }.hasPrefix("//") }
            .joined(separator: "\n")
        let numbered = try Regex(
            #"\b(\#(words.joined(separator: "|")))s? (\d+(?:(?:, | and )\d+)*)"#,
            as: (Substring, Substring, Substring).self
        )
        let lettered = try Regex(
            #"\b(\#(letters.joined(separator: "|")))(\d+)\b"#,
            as: (Substring, Substring, Substring).self
        )
        return Set(
            (comments.matches(of: numbered) + comments.matches(of: lettered)).flatMap { rule in
                rule.2.matches(of: /\d+/).map { name(String(rule.1), $0.0) }
            }
        )
    }

    private static func name(_ section: String, _ number: some StringProtocol) -> String {
        letters.contains(section) ? "\(section)\(number)" : "\(section) \(number)"
    }

    /// All files of tests but this one, which tells how rules are named.
    static func testFiles() throws -> [URL] {
        let names = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        let files = try #require(names?.allObjects as? [URL])
        return files.filter { file in
            let place = file.pathComponents.dropFirst(root.pathComponents.count)
            return file.pathExtension == "swift" && place.contains("Tests")
                && !place.contains { $0.hasPrefix(".build") }
                && file.lastPathComponent != "RulesTests.swift"
        }
    }
}
