import Foundation
import Testing

/// Checks that `Docs/RULES.md` and the tests agree: every rule is cited by a test, and every cited
/// rule exists.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RulesTests {
    @Test func `the numbers of the rules of each section increase`() throws {
        let sections = Dictionary(grouping: try Rules.all(), by: \.section)

        #expect(Set(sections.keys) == Rules.sections)
        #expect(sections.values.map(\.count).reduce(0, +) > 250)
        for (section, rules) in sections {
            let numbers = rules.map(\.number)
            #expect(numbers == Set(numbers).sorted() && numbers[0] == 1, "section \(section)")
        }
    }

    @Test func `the name of a rule has two to five words and is unique in its section`() throws {
        let rules = try Rules.all()

        for (path, sameName) in Dictionary(grouping: rules, by: \.path) {
            #expect(sameName.count == 1, "two rules are called \(path)")
        }
        for rule in rules {
            let words = rule.name.split(separator: "-", omittingEmptySubsequences: false)
            #expect((2...5).contains(words.count) && !words.contains(""), "\(rule)")
        }
    }

    @Test func `every citation names an existing rule with its number`() throws {
        let existing = Set(try Rules.all().map(\.description))

        for file in Rules.testFiles() + Rules.guides() {
            let unknown = try Rules.citations(in: file).subtracting(existing)
            #expect(unknown.isEmpty, "not in Docs/RULES.md, cited in \(file.lastPathComponent)")
        }
    }

    @Test func `every rule is cited by a test or marked as not tested`() throws {
        let cited = Set(try Rules.testFiles().flatMap(Rules.citations))

        let missing = try Rules.all()
            .filter { !$0.isMarkedAsNotTested && !cited.contains($0.description) }
        #expect(missing.isEmpty, "in Docs/RULES.md, cited by no test")
    }
}

/// A rule of `Docs/RULES.md`.
private struct Rule: CustomStringConvertible {
    let section: String
    let name: String
    let number: Int
    var isMarkedAsNotTested = false

    /// The section and the name, such as `screen/rollback-keeps-newer-content`.
    var path: String { "\(section)/\(name)" }
    /// The form in which tests cite the rule, such as `screen/rollback-keeps-newer-content (28)`.
    var description: String { "\(path) (\(number))" }
}

private enum Rules {
    static let sections: Set = [
        "screen", "catalog", "pages", "json", "cache", "retry", "tokens", "coalescing",
        "cancellation", "requests", "errors", "security", "reads", "favorites", "testing",
        "outbox",
    ]

    /// Parses the headings, such as ``## The catalog (`catalog`)``, and the rules below them, such as
    /// `14. **return-to-shown-text.** …`.
    static func all() throws -> [Rule] {
        let text = try String(
            contentsOf: Repository.root.appending(path: "Docs/RULES.md"),
            encoding: .utf8
        )
        var section = ""
        var rules: [Rule] = []
        for line in text.split(separator: "\n") {
            if let heading = line.wholeMatch(of: /## .+ \(`(\w+)`\)/) {
                section = String(heading.1)
            } else if let rule = line.prefixMatch(of: /(\d+)\. \*\*([a-z0-9-]+)\.\*\*/) {
                let number = try #require(Int(rule.1))
                rules.append(Rule(section: section, name: String(rule.2), number: number))
            } else if line.hasPrefix("    (not tested: "), let last = rules.indices.last {
                rules[last].isMarkedAsNotTested = true
            }
        }
        return rules
    }

    /// The rules that the comments of a file cite, such as `// Rule: pages/every-loop-starts-over (2)`.
    ///
    /// One comment can cite several rules, separated by semicolons.
    static func citations(in file: URL) throws -> Set<String> {
        let marker = "// Rule"
        let comments = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix(marker) }
        return Set(
            comments.flatMap { comment in
                comment.dropFirst(marker.count + 1).split(separator: ";")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
        )
    }

    /// The test files of all packages, except this one, whose comments contain examples.
    static func testFiles() -> [URL] {
        Repository.testFiles().filter { $0.lastPathComponent != "RulesTests.swift" }
    }

    /// The documents that show how rules are cited.
    static func guides() -> [URL] {
        ["Docs/RULES.md", "Docs/CONTRIBUTING.md"].map { Repository.root.appending(path: $0) }
    }
}
