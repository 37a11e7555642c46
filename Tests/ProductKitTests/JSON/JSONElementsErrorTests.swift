import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONElementsErrorTests {
    typealias Reason = JSONElementsError.Reason

    // Rule: json/broken-array-throws (8)
    @Test(
        arguments: [
            ("", .noArray, 0, 0), (" \n", .noArray, 0, 2), ("{}", .noArray, 0, 0),
            ("7", .noArray, 0, 0), ("null", .noArray, 0, 0), (" x", .noArray, 0, 1),
            ("]", .noArray, 0, 0), ("\u{FEFF}", .noArray, 0, 3), ("\u{FEFF}1", .noArray, 0, 3),
            ("[1,]", .emptyElement, 1, 3), ("[,1]", .emptyElement, 0, 1),
            ("[,]", .emptyElement, 0, 1), ("[1,,2]", .emptyElement, 1, 3),
            ("[1, \n]", .emptyElement, 1, 5), ("[1}", .wrongBracket, 0, 2),
            ("[}", .wrongBracket, 0, 1), ("[1,}", .wrongBracket, 1, 3),
            ("[{\"a\": 1]", .wrongBracket, 0, 8), ("[[1}]", .wrongBracket, 0, 3),
            ("[1, [{]}]", .wrongBracket, 1, 6), ("[1]]", .bytesAfterEnd, 1, 3),
            ("[1] 2", .bytesAfterEnd, 1, 4), ("[1][2]", .bytesAfterEnd, 1, 3),
            ("[1],", .bytesAfterEnd, 1, 3), ("[1]\u{0}", .bytesAfterEnd, 1, 3),
            ("[", .earlyEnd, 0, 1), ("[1", .earlyEnd, 0, 2), ("[1,", .earlyEnd, 1, 3),
            ("[1, [2", .earlyEnd, 1, 6), ("[1, \"a]", .earlyEnd, 1, 7),
            ("[1, \"\\", .earlyEnd, 1, 6), ("[1, {\"a\": [2]", .earlyEnd, 1, 13),
        ] as [(String, Reason, Int, Int)]
    )
    func `what is no array is an error with its reason, index and offset`(
        text: String,
        reason: Reason,
        index: Int,
        offset: Int
    ) async throws {
        let whole = try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8)))

        #expect(whole.error?.reason == reason)
        #expect(whole.error?.index == index)
        #expect(whole.error?.offset == offset)
        for size in 1...3 {
            let pieces = Data(text.utf8).pieces(of: size)
            #expect(try await JSONOutcome(of: JSONElements(pieces: pieces)) == whole)
        }
    }

    // Rule: json/nesting-is-limited (9)
    @Test(arguments: [("[", "]", "0"), (#"{"a":"#, "}", "0"), (#"{"a":["#, "]}", "0")])
    func `64 levels are read`(open: String, close: String, inner: String) async throws {
        let text = "[" + nested(open, close, levels: 62) + "]"

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8)))

        #expect(outcome.isAccepted)
        #expect(outcome.elements.count == 1)
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `the deepest level is the 64th`() async throws {
        let text = nested("[", "]", levels: 64)
        let crooked = nested("[", "]", levels: 63).dropLast() + "}"

        #expect(try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8))).isAccepted)
        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(Data(crooked.utf8)))
        #expect(outcome.error?.reason == .wrongBracket)
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `each of 64 levels remembers its kind of bracket`() async throws {
        let text = Array(nested(#"{"":["#, "]}", levels: 62).utf8)
        let places = text.indices.filter {
            text[$0] == UInt8(ascii: "]") || text[$0] == UInt8(ascii: "}")
        }

        for place in places {
            var text = text
            text[place] ^= 0x20
            let array = Data("[".utf8) + text + Data("]".utf8)
            let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(array))
            #expect(outcome.error?.reason == .wrongBracket)
            #expect(outcome.error?.offset == place + 1)
        }
    }

    // Rule: json/nesting-is-limited (9)
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `65 levels are refused before any decoder sees them`(
        open: String,
        close: String
    ) async throws {
        let text = "[" + nested(open, close, levels: 64) + "]"

        let outcome = try await JSONOutcome(of: JSONElements<Unseen>(Data(text.utf8)))

        #expect(outcome.error?.reason == .tooDeep)
        #expect(outcome.error?.offset == 1 + 63 * open.utf8.count)
        #expect(outcome.elements.isEmpty)
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `objects around an array count as levels`() async throws {
        let accepted = #"{"a": {"b": \#(nested("[", "]", levels: 62))}}"#
        let refused = #"{"a": {"b": \#(nested("[", "]", levels: 63))}}"#
        let beside = #"{"x": \#(nested("[", "]", levels: 64)), "a": {"b": []}}"#

        for (text, reason) in [(accepted, nil), (refused, .tooDeep), (beside, Reason.tooDeep)] {
            let source = JSONElements<JSONValue>(Data(text.utf8), in: "a", "b")
            #expect(try await JSONOutcome(of: source).error?.reason == reason)
        }
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `brackets in strings and brackets that are closed do not count`() async throws {
        let brackets = String(repeating: "[{", count: 100)
        let text =
            #"["\#(brackets)", \#(String(repeating: "[[]],", count: 100)) {"\#(brackets)": 1}]"#

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8)))

        #expect(outcome.isAccepted)
        #expect(outcome.elements.count == 102)
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test(arguments: [0, 1, 63, 64, 65, 130])
    func `what is complete before an error is given out`(count: Int) async throws {
        let numbers = (0..<count).map { "\($0)," }.joined()

        for (end, reason) in [
            ("7}", Reason.wrongBracket), ("}", .wrongBracket), ("[7", .earlyEnd),
            (",", .emptyElement),
        ] {
            let outcome = try await JSONOutcome(
                of: JSONElements<Int>(Data("[\(numbers)\(end)".utf8))
            )
            #expect(outcome.elements == Array(0..<count))
            #expect(outcome.error?.reason == reason)
            #expect(outcome.error?.index == count)
        }
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test func `an error is thrown once, and then there is nothing more`() async throws {
        var batches = JSONElements<Int>(Data("[1, 2, }".utf8)).makeAsyncIterator()

        #expect(try await batches.next()?.elements == [1, 2])
        await #expect(throws: JSONElementsError.self) { try await batches.next() }
        #expect(try await batches.next() == nil)
        #expect(try await batches.next() == nil)
    }

    @Test func `the message says what happened, where and what to do`() async throws {
        let outcome = try await JSONOutcome(of: JSONElements<Int>(Data("[1, 2, }".utf8)))

        #expect(
            outcome.error?.localizedDescription
                == "A closing bracket does not match the one that is open (at byte 7, complete "
                + "elements before it: 2). Correct what wrote the text."
        )
        #expect(outcome.error.map { "\($0.reason)" } == "wrongBracket")
    }

    private func nested(_ open: String, _ close: String, levels: Int) -> String {
        let pairs = open.utf8.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count
        let count = levels / pairs
        let inner = open.hasSuffix(":") ? "0" : ""
        return String(repeating: open, count: count) + inner
            + String(repeating: close, count: count)
    }
}
