import Foundation
import ProductKit
import Testing

/// Compares `JSONElements` with `JSONDecoder`, and both with RFC 8259.
@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONConformanceTests {
    /// The cases that `JSONDecoder` accepts and `JSONElements` rejects: a trailing comma.
    private static let stricter: Set = ["a comma after a value"]
    private static let members = (before: Data(#"{"n": 0, "items": "#.utf8), after: Data("}".utf8))

    @Test func `there are more than two hundred cases with unique names`() {
        #expect(JSONCase.all.count > 200)
        #expect(Set(JSONCase.all.map(\.name)).count == JSONCase.all.count)
    }

    @Test(arguments: JSONCase.all)
    func `an element is accepted or rejected as the standard and the decoder do`(
        text: JSONCase
    ) async throws {
        let array = Data("[".utf8) + text.bytes + Data("]".utf8)

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(array))
        let decoded = try? JSONDecoder().decode([JSONValue].self, from: array)

        if text.verdict != .either { #expect(outcome.isAccepted == (text.verdict == .accept)) }
        if Self.stricter.contains(text.name) {
            #expect(decoded != nil)
            #expect(outcome.failure?.reason == .missingElement)
        } else {
            #expect(outcome.isAccepted == (decoded != nil))
            #expect(decoded == nil || outcome.elements == decoded)
        }
    }

    @Test(arguments: JSONCase.all)
    func `a whole text is accepted only if the decoder accepts it`(text: JSONCase) async throws {
        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(text.bytes))
        let decoded = try? JSONDecoder().decode([JSONValue].self, from: text.bytes)

        #expect(outcome.isAccepted == (decoded != nil))
        #expect(decoded == nil || outcome.elements == decoded)
    }

    @Test(arguments: JSONCase.all)
    func `an array in an object is accepted only if the decoder accepts it`(
        text: JSONCase
    ) async throws {
        let object = Self.members.before + text.bytes + Self.members.after

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(object, in: "items"))
        let decoded = try? JSONDecoder().decode(Items.self, from: object).items

        #expect(outcome.isAccepted == (decoded != nil))
        #expect(decoded == nil || outcome.elements == decoded)
    }

    @Test(arguments: JSONCase.all)
    func `a member beside the array is accepted only if the decoder accepts it`(
        text: JSONCase
    ) async throws {
        for texts in [(#"{"n": "#, #", "items": [7]}"#), (#"{"items": [7], "n": "#, "}")] {
            let object = Data(texts.0.utf8) + text.bytes + Data(texts.1.utf8)

            let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(object, in: "items"))
            let decoded = try? JSONDecoder().decode(Items.self, from: object).items

            #expect(outcome.isAccepted == (decoded != nil))
            #expect(decoded == nil || outcome.elements == decoded)
        }
    }

    @Test(
        arguments: [
            ("a trailing comma", "[1,]", .utf8, .missingElement),
            ("a trailing comma and whitespace", "[\"\",\n ]", .utf8, .missingElement),
            ("little-endian UTF-16", "[1]", .utf16LittleEndian, .trailingBytes),
            ("big-endian UTF-16", "[1]", .utf16BigEndian, .noArray),
            ("UTF-16 with a byte order mark", "[1]", .utf16, .noArray),
            ("UTF-32", "[1]", .utf32LittleEndian, .trailingBytes),
            ("65 levels", nested(levels: 65), .utf8, .tooDeep),
        ] as [(String, String, String.Encoding, JSONElementsError.Reason)]
    )
    func `some texts are rejected that the decoder accepts`(
        name: String,
        text: String,
        encoding: String.Encoding,
        reason: JSONElementsError.Reason
    ) async throws {
        let array = try #require(text.data(using: encoding))

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(array))

        #expect(throws: Never.self) { try JSONDecoder().decode([JSONValue].self, from: array) }
        #expect(outcome.failure?.reason == reason)
    }

    // Rule: json/input-may-be-split-anywhere (7)
    @Test(arguments: JSONCase.all)
    func `a text can be split at any byte`(text: JSONCase) async throws {
        let array = Data("[0, ".utf8) + text.bytes + Data(", 1]".utf8)
        let whole = try await JSONOutcome(of: JSONElements<JSONValue>(array))

        for size in [1, 2, 3, 7] {
            let chunks = array.chunks(of: size)
            #expect(try await JSONOutcome(of: JSONElements(chunks: chunks)) == whole)
        }
        for position in 0...array.count {
            let chunks = array.chunks(splitAt: [position])
            #expect(try await JSONOutcome(of: JSONElements(chunks: chunks)) == whole)
        }
    }

    // Rule: json/input-may-be-split-anywhere (7)
    @Test(arguments: JSONCase.all)
    func `the text around an array can be split at any byte`(text: JSONCase) async throws {
        let object = Self.members.before + text.bytes + Self.members.after
        let whole = try await JSONOutcome(of: JSONElements<JSONValue>(object, in: "items"))

        for size in [1, 2, 3, 7] {
            let source = JSONElements<JSONValue>(chunks: object.chunks(of: size), in: "items")
            #expect(try await JSONOutcome(of: source) == whole)
        }
    }
}

private func nested(levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
}

private struct Items: Decodable {
    let items: [JSONValue]
}
