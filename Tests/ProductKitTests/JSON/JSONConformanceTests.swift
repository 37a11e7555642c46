import Foundation
import ProductKit
import Testing

/// The reader of elements against the decoder of whole arrays, and both against RFC 8259.
@Suite(.timeLimit(.minutes(5))) struct JSONConformanceTests {
    /// What the decoder accepts and we do not: a comma before the end of an array.
    private static let stricter: Set = ["a comma behind a value"]
    private static let members = (before: Data(#"{"n": 0, "items": "#.utf8), behind: Data("}".utf8))

    @Test func `there are more than two hundred cases, each with a name of its own`() {
        #expect(JSONCase.all.count > 200)
        #expect(Set(JSONCase.all.map(\.name)).count == JSONCase.all.count)
    }

    @Test(arguments: JSONCase.all)
    func `an element is accepted and refused as the standard and the decoder say`(
        text: JSONCase
    ) async throws {
        let array = Data("[".utf8) + text.bytes + Data("]".utf8)

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(array))
        let decoded = try? JSONDecoder().decode([JSONValue].self, from: array)

        if text.verdict != .either { #expect(outcome.isAccepted == (text.verdict == .accept)) }
        if Self.stricter.contains(text.name) {
            #expect(decoded != nil)
            #expect(outcome.error?.reason == .emptyElement)
        } else {
            #expect(outcome.isAccepted == (decoded != nil))
            #expect(decoded == nil || outcome.elements == decoded)
        }
    }

    @Test(arguments: JSONCase.all)
    func `a text of its own is accepted only as the decoder does`(text: JSONCase) async throws {
        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(text.bytes))
        let decoded = try? JSONDecoder().decode([JSONValue].self, from: text.bytes)

        #expect(outcome.isAccepted == (decoded != nil))
        #expect(decoded == nil || outcome.elements == decoded)
    }

    @Test(arguments: JSONCase.all)
    func `an array in an object is accepted only as the decoder does`(text: JSONCase) async throws {
        let object = Self.members.before + text.bytes + Self.members.behind

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(object, in: "items"))
        let decoded = try? JSONDecoder().decode(Items.self, from: object).items

        #expect(outcome.isAccepted == (decoded != nil))
        #expect(decoded == nil || outcome.elements == decoded)
    }

    @Test(arguments: JSONCase.all)
    func `what stands beside an array is accepted only as the decoder does`(
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
            ("a comma at the end", "[1,]", .utf8, .emptyElement),
            ("a comma and blanks at the end", "[\"\",\n ]", .utf8, .emptyElement),
            ("UTF-16", "[1]", .utf16LittleEndian, .bytesAfterEnd),
            ("UTF-16 the other way round", "[1]", .utf16BigEndian, .noArray),
            ("UTF-16 with its mark", "[1]", .utf16, .noArray),
            ("UTF-32", "[1]", .utf32LittleEndian, .bytesAfterEnd),
            ("65 levels", nested(levels: 65), .utf8, .tooDeep),
        ] as [(String, String, String.Encoding, JSONElementsError.Reason)]
    )
    func `in this we are stricter than the decoder`(
        what: String,
        text: String,
        encoding: String.Encoding,
        reason: JSONElementsError.Reason
    ) async throws {
        let array = try #require(text.data(using: encoding))

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(array))

        #expect(throws: Never.self) { try JSONDecoder().decode([JSONValue].self, from: array) }
        #expect(outcome.error?.reason == reason)
    }

    // Rule: json/input-may-be-split-anywhere (7)
    @Test(arguments: JSONCase.all)
    func `bytes may be cut anywhere`(text: JSONCase) async throws {
        let array = Data("[0, ".utf8) + text.bytes + Data(", 1]".utf8)
        let whole = try await JSONOutcome(of: JSONElements<JSONValue>(array))

        for size in [1, 2, 3, 7] {
            let pieces = array.pieces(of: size)
            #expect(try await JSONOutcome(of: JSONElements(pieces: pieces)) == whole)
        }
        for place in 0...array.count {
            let pieces = array.pieces(cutAt: [place])
            #expect(try await JSONOutcome(of: JSONElements(pieces: pieces)) == whole)
        }
    }

    // Rule: json/input-may-be-split-anywhere (7)
    @Test(arguments: JSONCase.all)
    func `bytes around an array may be cut anywhere`(text: JSONCase) async throws {
        let object = Self.members.before + text.bytes + Self.members.behind
        let whole = try await JSONOutcome(of: JSONElements<JSONValue>(object, in: "items"))

        for size in [1, 2, 3, 7] {
            let source = JSONElements<JSONValue>(pieces: object.pieces(of: size), in: "items")
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
