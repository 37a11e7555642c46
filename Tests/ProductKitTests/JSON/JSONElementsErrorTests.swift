import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONElementsErrorTests {
    typealias Reason = JSONElementsError.Reason

    // Rule: json/broken-array-throws (8)
    @Test(
        arguments: [
            ("", .noArray, 0, 0), (" \n", .noArray, 0, 2), ("{}", .noArray, 0, 0),
            ("7", .noArray, 0, 0), ("null", .noArray, 0, 0), (" x", .noArray, 0, 1),
            ("]", .noArray, 0, 0), ("\u{FEFF}", .noArray, 0, 3), ("\u{FEFF}1", .noArray, 0, 3),
            ("[1,]", .missingElement, 1, 3), ("[,1]", .missingElement, 0, 1),
            ("[,]", .missingElement, 0, 1), ("[1,,2]", .missingElement, 1, 3),
            ("[1, \n]", .missingElement, 1, 5), ("[1}", .mismatchedBracket, 0, 2),
            ("[}", .mismatchedBracket, 0, 1), ("[1,}", .mismatchedBracket, 1, 3),
            ("[{\"a\": 1]", .mismatchedBracket, 0, 8), ("[[1}]", .mismatchedBracket, 0, 3),
            ("[1, [{]}]", .mismatchedBracket, 1, 6), ("[1]]", .trailingBytes, 1, 3),
            ("[1] 2", .trailingBytes, 1, 4), ("[1][2]", .trailingBytes, 1, 3),
            ("[1],", .trailingBytes, 1, 3), ("[1]\u{0}", .trailingBytes, 1, 3),
            ("[", .unexpectedEnd, 0, 1), ("[1", .unexpectedEnd, 0, 2),
            ("[1,", .unexpectedEnd, 1, 3),
            ("[1, [2", .unexpectedEnd, 1, 6), ("[1, \"a]", .unexpectedEnd, 1, 7),
            ("[1, \"\\", .unexpectedEnd, 1, 6), ("[1, {\"a\": [2]", .unexpectedEnd, 1, 13),
        ] as [(String, Reason, Int, Int)]
    )
    func `an invalid array is an error with a reason, index and offset`(
        text: String,
        reason: Reason,
        index: Int,
        offset: Int
    ) async throws {
        let whole = try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8)))

        #expect(whole.failure?.reason == reason)
        #expect(whole.failure?.index == index)
        #expect(whole.failure?.offset == offset)
        for size in 1...3 {
            let chunks = Data(text.utf8).chunks(of: size)
            #expect(try await JSONOutcome(of: JSONElements(chunks: chunks)) == whole)
        }
    }

    // Rule: json/nesting-is-limited (9)
    @Test(arguments: [("[", "]", "0"), (#"{"a":"#, "}", "0"), (#"{"a":["#, "]}", "0")])
    func `64 levels are accepted`(open: String, close: String, inner: String) async throws {
        let text = "[" + nested(open, close, levels: 62) + "]"

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8)))

        #expect(outcome.isAccepted)
        #expect(outcome.elements.count == 1)
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `the 64th level is the deepest one that is accepted`() async throws {
        let text = nested("[", "]", levels: 64)
        let mismatched = nested("[", "]", levels: 63).dropLast() + "}"

        #expect(try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8))).isAccepted)
        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(Data(mismatched.utf8)))
        #expect(outcome.failure?.reason == .mismatchedBracket)
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `a mismatched bracket is found at each of 64 levels`() async throws {
        let text = Array(nested(#"{"":["#, "]}", levels: 62).utf8)
        let positions = text.indices.filter {
            text[$0] == UInt8(ascii: "]") || text[$0] == UInt8(ascii: "}")
        }

        for position in positions {
            var text = text
            text[position] ^= 0x20
            let array = Data("[".utf8) + text + Data("]".utf8)
            let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(array))
            #expect(outcome.failure?.reason == .mismatchedBracket)
            #expect(outcome.failure?.offset == position + 1)
        }
    }

    // Rule: json/nesting-is-limited (9)
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `65 levels are rejected before a decoder receives them`(
        open: String,
        close: String
    ) async throws {
        let text = "[" + nested(open, close, levels: 64) + "]"

        let outcome = try await JSONOutcome(of: JSONElements<Unseen>(Data(text.utf8)))

        #expect(outcome.failure?.reason == .tooDeep)
        #expect(outcome.failure?.offset == 1 + 63 * open.utf8.count)
        #expect(outcome.elements.isEmpty)
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `objects around an array count as levels`() async throws {
        let accepted = #"{"a": {"b": \#(nested("[", "]", levels: 62))}}"#
        let rejected = #"{"a": {"b": \#(nested("[", "]", levels: 63))}}"#
        let beside = #"{"x": \#(nested("[", "]", levels: 64)), "a": {"b": []}}"#

        for (text, reason) in [(accepted, nil), (rejected, .tooDeep), (beside, Reason.tooDeep)] {
            let source = JSONElements<JSONValue>(Data(text.utf8), in: "a", "b")
            #expect(try await JSONOutcome(of: source).failure?.reason == reason)
        }
    }

    // Rule: json/nesting-is-limited (9)
    @Test func `brackets in strings and closed brackets do not count as levels`() async throws {
        let brackets = String(repeating: "[{", count: 100)
        let text =
            #"["\#(brackets)", \#(String(repeating: "[[]],", count: 100)) {"\#(brackets)": 1}]"#

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(Data(text.utf8)))

        #expect(outcome.isAccepted)
        #expect(outcome.elements.count == 102)
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test(arguments: [0, 1, 63, 64, 65, 130])
    func `the complete elements before an error are returned`(count: Int) async throws {
        let numbers = (0..<count).map { "\($0)," }.joined()

        for (end, reason) in [
            ("7}", Reason.mismatchedBracket), ("}", .mismatchedBracket), ("[7", .unexpectedEnd),
            (",", .missingElement),
        ] {
            let outcome = try await JSONOutcome(
                of: JSONElements<Int>(Data("[\(numbers)\(end)".utf8))
            )
            #expect(outcome.elements == Array(0..<count))
            #expect(outcome.failure?.reason == reason)
            #expect(outcome.failure?.index == count)
        }
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test func `an error is thrown once, and then the loop ends`() async throws {
        var batches = JSONElements<Int>(Data("[1, 2, }".utf8)).makeAsyncIterator()

        #expect(try await batches.next()?.elements == [1, 2])
        await #expect(throws: JSONElementsError.self) { try await batches.next() }
        #expect(try await batches.next() == nil)
        #expect(try await batches.next() == nil)
    }

    @Test func `the message contains the problem, the position and a remedy`() async throws {
        let outcome = try await JSONOutcome(of: JSONElements<Int>(Data("[1, 2, }".utf8)))

        #expect(
            outcome.failure?.message
                == "The data cannot be read completely: a closing bracket does not match the open "
                + "bracket (at byte 7, complete elements before it: 2). "
                + "Correct the program that wrote the data."
        )
    }

    private func nested(_ open: String, _ close: String, levels: Int) -> String {
        let pairs = open.utf8.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count
        let count = levels / pairs
        let inner = open.hasSuffix(":") ? "0" : ""
        return String(repeating: open, count: count) + inner
            + String(repeating: close, count: count)
    }
}
