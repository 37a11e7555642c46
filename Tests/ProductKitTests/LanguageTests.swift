import Foundation
import Testing

/// Checks that code and documentation use the terms of `Docs/GLOSSARY.md` and follow the rules for
/// text in `Docs/STYLE.md`.
///
/// Comments, strings, names and Markdown are split into words, names also at capital letters. Phrases
/// of these words are compared with the table below. A quotation between “ and ” is not checked.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LanguageTests {
    @Test(arguments: Language.files())
    func `a file uses the terms of the glossary`(file: URL) throws {
        for finding in Language.findings(in: try Language.text(of: file)) {
            Issue.record("\(finding)", sourceLocation: location(finding.line, in: file))
        }
    }

    @Test(arguments: Repository.files(in: "Sources", withExtensions: ["swift"]))
    func `a public declaration's comment starts with a noun phrase or a verb`(file: URL) throws {
        for summary in Language.publicSummaries(in: try Language.text(of: file)) {
            let word = String(summary.text.prefix { $0.isLetter })
            let advice = "begin with a noun phrase or a verb in the third person, not “\(word)”"
            if Language.misplacedFirstWords.contains(word) {
                Issue.record("\(advice)", sourceLocation: location(summary.line, in: file))
            }
        }
    }

    @Test(arguments: [
        ("/// Answers the question.", ["answers", "question"]),
        ("let lastAnswer = askedURLs()", ["answer", "asked"]),
        ("The header is no\n/// token.", ["is no"]),
        ("There is no response, and it is no longer fresh.", []),
        ("A stand-in, a request in flight, and a SingleFlight.", ["stand in"]),
        ("The cache’s word counts, unlike “the server's word”.", ["cache s word"]),
        ("Favourite colours are initialised.", ["favourite", "colours", "initialised"]),
        ("The task, unmasked: basked in it.", []),
        ("/// What is stored stays.", ["What"]),
        ("Is it stale? What is a cursor?", []),
        (#"return "First line.\nAnswers to B""#, ["answers"]),
    ])
    func `the scanner finds words, phrases and clauses`(text: String, phrases: [String]) {
        #expect(Language.findings(in: text).map(\.phrase) == phrases)
    }
}

/// The phrases not to use, and what to write instead.
///
/// A star at the end of a word stands for any ending.
private let replacements = """
    answer, answers, answered, answering → response, respond, return, result
    question, questions → request
    ask, asks, asked, asking, unasked → request, send, call, without revalidation
    stand in, stands in, stood in, standing in, stand ins → stale-if-error, replace, serve instead
    vouch, vouches, vouched → confirm, revalidate
    make old, makes old, made old, make it old, makes it old, made it old, make them old → invalidate
    makes them old, make all old, makes all old, makes what old, made that old → invalidate
    harmless → safe, idempotent
    doubt, doubts, doubted, doubtful → unknown outcome, may have reached the server
    scope, scopes → partition
    epoch, epochs → generation
    cheaply → with a conditional request
    overtake, overtakes, overtaken, overtaking, overtook → superseded
    flight, flights, boarding, seat, seats, landing → single flight, in flight
    take a turn, takes a turn, take its turn, takes its turn, take the turn → keyed lock, waiter
    takes the turn, whose turn → keyed lock, waiter
    on its way, on their way, on the way, in line → in flight, pending, waiting
    given up → cancelled, timed out, stopped
    wish, wishes, wished → requested value, pending edit
    believe, believes, believed → apply, confirm
    settle, settles, settled, settling → confirm, finish
    withdraw, withdraws, withdrawn, withdrew → roll back
    learn, learns, learned, learnt, learning → apply, receive
    shelf, shelves → entry, snapshot
    go on, goes on, going on, went on → continue
    read on, reads on, reading on → load the next page, continue
    server s word, network s word, backend s word, one s word, cache s word → response, value
    tell, tells, told, telling → report, notify, return, show
    say, says, said, saying → return, contain, report, describe
    want, wants, wanted, wanting → request, require, expect
    forget, forgets, forgot, forgotten, forgetting → remove, invalidate
    tick, ticks → logical timestamp, membership
    selecting field, selecting fields → vary fields
    shared work → single flight
    refresh behind → stale-while-revalidate, refresh in the background
    may be repeated → is idempotent
    nobody, somebody, whoever → the subject: a caller, a waiter, no task, another user
    newcomer, newcomers, stranger, strangers → caller, reader
    upstairs, downstairs → the name of the room
    be had, was had, were had, is had, are had → available, reachable
    at any rate → (leave it out)
    of its own accord, of their own accord → by itself
    is no, are no, was no, were no, be no → is not a
    behaviour*, favourite*, catalogue*, colour*, honour*, neighbour*, licence → American spelling
    serialis*, normalis*, recognis*, organis*, initialis*, authoris*, synchronis* → American spelling
    optimise, optimised, optimises, optimising, optimisation → American spelling
    spelt, centre, judgement, whilst → American spelling
    """

/// Phrases that contain one of the phrases above and are fine.
private let exceptions = """
    in flight, single flight, in line with, line in line, landing page, wish list, wish lists, read on the
    there is no, there are no, there was no, there were no, there be no
    is no longer, are no longer, was no longer, were no longer, be no longer
    """

private struct Finding: CustomStringConvertible {
    let line: Int
    let phrase: String
    let advice: String

    var description: String { "line \(line): not “\(phrase)”, but: \(advice)" }
}

private func location(_ line: Int, in file: URL) -> SourceLocation {
    let path = Repository.path(of: file)
    return SourceLocation(fileID: "ProductKit/\(path)", filePath: path, line: line, column: 1)
}

private enum Language {
    /// Words with which the comment of a public declaration does not begin.
    static let misplacedFirstWords: Set = [
        "What", "Whatever", "Who", "Whoever", "Whose", "When", "Where", "Why", "How", "Which",
        "That",
        "If", "Because", "Return", "Create", "Load", "Make", "Send", "Store", "Remove", "Call",
        "Wait",
    ]

    /// The files whose text is checked: all except this one.
    static func files() -> [URL] {
        let extensions: Set = ["swift", "md", "sh", "py", "puml", "iuml", "yaml", "yml", "c", "h"]
        return ["Sources", "Tests", "Docs", "README.md", ".ci/run", ".github"]
            .flatMap { Repository.files(in: $0, withExtensions: extensions) }
            .filter { $0.lastPathComponent != "LanguageTests.swift" }
    }

    /// The text of a file, without the table cells that show what not to write.
    static func text(of file: URL) throws -> String {
        let text = try String(contentsOf: file, encoding: .utf8)
        switch file.lastPathComponent {
        case "GLOSSARY.md": return text.removingCells { $0.dropLast(2) }
        case "STYLE.md": return text.removingCells { $0.dropFirst(2) }
        default: return text
        }
    }

    /// The first lines of the documentation comments of public declarations.
    static func publicSummaries(in text: String) -> [(line: Int, text: Substring)] {
        var summaries: [(line: Int, text: Substring)] = []
        var summary: (line: Int, text: Substring)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("///") {
                summary = summary ?? (index + 1, code.dropFirst(3).drop { $0 == " " })
            } else if let found = summary {
                if code.hasPrefix("public ") || code.contains(" public ") {
                    summaries.append(found)
                }
                let isAttribute = code.hasPrefix("@") && !code.contains(" ")
                if !isAttribute { summary = nil }
            }
        }
        return summaries
    }

    static func findings(in text: String) -> [Finding] {
        let bytes = Array(text.utf8)
        let words = words(in: bytes)
        var findings: [Finding] = []
        var allowedEnd = 0
        for (index, word) in words.enumerated() {
            for phrase in Phrase.allowed[word.text] ?? [] where phrase.begins(words[index...]) {
                allowedEnd = max(allowedEnd, index + phrase.words.count)
            }
            for phrase in Phrase.replaced(word.text)
            where phrase.begins(words[index...]) && index + phrase.words.count > allowedEnd {
                let found = words[index..<(index + phrase.words.count)]
                findings.append(
                    Finding(
                        line: word.line,
                        phrase: found.map(\.text).joined(separator: " "),
                        advice: phrase.advice
                    )
                )
            }
            if let clause = clause(beginningWith: word, in: bytes) {
                findings.append(
                    Finding(line: word.line, phrase: clause, advice: "a noun as the subject")
                )
            }
        }
        return findings
    }

    /// The first word of a clause that is the subject of a sentence, as in “What is stored stays”.
    ///
    /// Only comments and Markdown have sentences, and a question may begin with that word.
    private static func clause(beginningWith word: Word, in bytes: [UInt8]) -> String? {
        guard ["what", "who", "whatever"].contains(word.text), isUpper(bytes[word.start]) else {
            return nil
        }
        let isNewline = { (byte: UInt8) in byte == UInt8(ascii: "\n") }
        let lineStart = bytes[..<word.start].lastIndex(where: isNewline).map { $0 + 1 } ?? 0
        let lineEnd = bytes[word.start...].firstIndex(where: isNewline) ?? bytes.endIndex
        let before = String(decoding: bytes[lineStart..<word.start], as: UTF8.self)
        let after = String(decoding: bytes[word.start..<lineEnd], as: UTF8.self)
        let marks = before.filter { !" /*-".contains($0) }
        let beginsSentence = marks.isEmpty || marks.last.map { ".:;".contains($0) } ?? false
        return beginsSentence && !after.contains("?") ? String(after.prefix { $0.isLetter }) : nil
    }
}

private struct Phrase {
    let words: [String]
    let advice: String

    static let allowed = parse(exceptions.split(separator: "\n").map { ($0, "") })

    private static let banned = parse(
        replacements.split(separator: "\n").map { line in
            let sides = line.split(separator: "→")
            return (sides[0], sides[1].trimmingCharacters(in: .whitespaces))
        }
    )
    /// The phrases of one word with any ending, by their first four letters.
    private static let stems = Dictionary(
        grouping: banned.values.joined().filter { $0.words[0].hasSuffix("*") }
    ) { String($0.words[0].prefix(4)) }

    /// The banned phrases that may begin with a word.
    static func replaced(_ word: String) -> [Phrase] {
        let stems = stems[String(word.prefix(4))] ?? []
        return (banned[word] ?? []) + stems.filter { word.hasPrefix($0.words[0].dropLast()) }
    }

    /// The phrases of lines, by their first word.
    private static func parse(_ lines: [(phrases: Substring, advice: String)]) -> [String: [Phrase]]
    {
        let phrases = lines.flatMap { line in
            line.phrases.split(separator: ",").map { phrase in
                Phrase(words: phrase.split(separator: " ").map(String.init), advice: line.advice)
            }
        }
        return Dictionary(grouping: phrases) { $0.words[0] }
    }

    /// Whether words begin with this phrase, apart from its first word, which is known to be there.
    func begins(_ found: ArraySlice<Word>) -> Bool {
        guard words.count > 1 else { return true }
        return words.count <= found.count
            && zip(words, found).dropFirst().allSatisfy { $0 == $1.text && $1.followsDirectly }
    }
}

/// A word of a text, in lower case.
private struct Word {
    let text: String
    let line: Int
    let start: Int
    /// Whether only white space, hyphens, apostrophes or comment marks separate it from the word
    /// before.
    let followsDirectly: Bool
}

/// Splits a text into words: at everything that is not a letter, and inside of names at capitals.
private func words(in bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    var (line, index, isJoined) = (1, 0, false)
    while index < bytes.count {
        let start = index
        while index < bytes.count, isLetter(bytes[index]),
            index == start || !isCapitalInName(index, in: bytes)
        {
            index += 1
        }
        if index > start {
            let text = String(decoding: bytes[start..<index].map { $0 | 0x20 }, as: UTF8.self)
            words.append(Word(text: text, line: line, start: start, followsDirectly: isJoined))
            isJoined = true
            continue
        }
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        if isEscapeSequence(index, in: bytes) {
            index += 2
            isJoined = false
        } else if let end = endOfQuotation(at: index, in: bytes) {
            line += bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
            index = end
            isJoined = false
        } else if bytes[index...].starts(with: "’".utf8) {
            index += 3
        } else {
            isJoined = isJoined && joiners.contains(bytes[index])
            index += 1
        }
    }
    return words
}

private let joiners = Set(" \n\t/-_'".utf8)

private func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
}

private func isUpper(_ byte: UInt8) -> Bool { isLetter(byte) && byte & 0x20 == 0 }

/// Whether a new word of a name begins here, as at each bar in `last|URL|Request`.
private func isCapitalInName(_ index: Int, in bytes: [UInt8]) -> Bool {
    guard isUpper(bytes[index]) else { return false }
    if !isUpper(bytes[index - 1]) { return true }
    guard index + 1 < bytes.count else { return false }
    return isLetter(bytes[index + 1]) && !isUpper(bytes[index + 1])
}

/// Whether an escape sequence, whose letter is not text, begins here.
private func isEscapeSequence(_ index: Int, in bytes: [UInt8]) -> Bool {
    bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count && isLetter(bytes[index + 1])
}

/// The index after the closing quotation mark, if a quotation of at most 500 bytes begins here.
private func endOfQuotation(at index: Int, in bytes: [UInt8]) -> Int? {
    guard bytes[index] == 0xE2, bytes[index...].starts(with: "“".utf8) else { return nil }
    return bytes[index...].prefix(500).indices
        .first { bytes[$0] == 0xE2 && bytes[$0...].starts(with: "”".utf8) }
        .map { $0 + 3 }
}

extension String {
    /// The text with only some cells of each row in its Markdown tables.
    fileprivate func removingCells(
        _ remaining: (ArraySlice<Substring>) -> ArraySlice<Substring>
    ) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                guard line.hasPrefix("|") else { return String(line) }
                let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                return remaining(cells[...]).joined(separator: "|")
            }
            .joined(separator: "\n")
    }
}
