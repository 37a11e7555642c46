import Foundation
import ProductKit
import Testing

/// Compares `JSONElements` with `JSONDecoder` for random texts, which are the same in every run.
///
/// `PRODUCTKIT_FUZZ_SECONDS=60` increases their number so that a release build takes about a minute.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JSONFuzzTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["PRODUCTKIT_FUZZ_SECONDS"].flatMap(Int.init) ?? 0

    // Rule: json/bad-element-is-reported (5); json/invalid-json-element-is-reported (6)
    // Rule: json/input-may-be-split-anywhere (7); json/broken-array-throws (8)
    // Rule: json/nesting-is-limited (9); json/elements-before-error-are-returned (10)
    @Test(arguments: 0..<max(4, rounds))
    func `no text is accepted that the decoder rejects, and only commas and UTF-16 are stricter`(
        seed: Int
    ) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<(Self.rounds > 0 ? 3_000 : 150) {
            let text = JSONText.random(using: &random)

            let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(text))
            let decoded = try? JSONDecoder().decode([JSONValue].self, from: text)

            if outcome.isAccepted {
                #expect(outcome.elements == decoded, "\(text.base64EncodedString())")
            } else if decoded != nil, !text.prefix(4).contains(0) {
                #expect(outcome.failure?.reason == .missingElement, "\(text.base64EncodedString())")
            }
            let size = Int.random(in: 1...9, using: &random)
            let chunks = JSONElements<JSONValue>(chunks: text.chunks(of: size))
            let split = try await JSONOutcome(of: chunks)
            #expect(split == outcome, "\(text.base64EncodedString()) in chunks of \(size)")
        }
    }

    // Rule: json/bad-element-is-reported (5)
    @Test(arguments: 0..<max(2, rounds / 4))
    func `invalid elements do not affect valid elements`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<(Self.rounds > 0 ? 500 : 20) {
            let invalid = ["nul", "01", "{1}", "\"\\x\"", "\u{1}", "[1 2]", "NaN"]
            let isValid = (0..<150).map { _ in Bool.random(using: &random) }
            let texts = isValid.enumerated().map { index, isValid in
                isValid ? "\(index)" : invalid.randomElement(using: &random) ?? ""
            }

            let text = Data("[\(texts.joined(separator: ","))]".utf8)
            let outcome = try await JSONOutcome(of: JSONElements<Int>(text))

            #expect(outcome.elements == isValid.indices.filter { isValid[$0] })
            #expect(outcome.rejected.map(\.index) == isValid.indices.filter { !isValid[$0] })
        }
    }
}

/// A generator for arrays, half of which are damaged.
private enum JSONText {
    static func random(using random: inout SeededGenerator) -> Data {
        let count = Int.random(in: 0...4, using: &random)
        let elements = (0..<count).map { _ in value(depth: 3, using: &random) }
        var text = Array("[\(elements.joined(separator: whitespace(using: &random) + ","))]".utf8)
        // The number of damages is 0 for half of the texts.
        for _ in 0..<max(0, Int.random(in: -3...3, using: &random)) {
            damage(&text, using: &random)
        }
        return Data(text)
    }

    private static func value(depth: Int, using random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return ["null", "true", "false"].randomElement(using: &random) ?? ""
        case 1: return "\(Int.random(in: -1_000...1_000, using: &random))"
        case 2: return ["0.5", "-1e3", "1E+2", "0", "-0.0"].randomElement(using: &random) ?? ""
        case 3, 4: return string(using: &random)
        case 5, 6:
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                value(depth: depth - 1, using: &random)
            }
            return "[\(elements.joined(separator: ","))]"
        default:
            let members = (0..<Int.random(in: 0...3, using: &random)).map { index in
                "\"\(index)\":\(whitespace(using: &random))\(value(depth: depth - 1, using: &random))"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private static func string(using random: inout SeededGenerator) -> String {
        let parts = [
            "a", "abcdefgh", "\\\"", "\\\\", "\\n", "\\u00e9", "é", "😀", "[", "]", "{", "}", ",",
            " ",
        ]
        let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            parts.randomElement(using: &random) ?? ""
        }
        return "\"\(text.joined())\""
    }

    private static func whitespace(using random: inout SeededGenerator) -> String {
        ["", "", " ", "\n", "\t ", "\r\n"].randomElement(using: &random) ?? ""
    }

    private static func damage(_ text: inout [UInt8], using random: inout SeededGenerator) {
        let position = Int.random(in: 0...text.count, using: &random)
        let bytes = Array("[]{},:\"\\ 0-.eEtnu/\u{0}\u{1}\u{B}".utf8) + [0x80, 0xC3, 0xFF, 0xEF]
        let byte = bytes.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<5, using: &random) {
        case 0: text.insert(byte, at: position)
        case 1: if position < text.count { text[position] = byte }
        case 2: if position < text.count { text.remove(at: position) }
        case 3: text.insert(contentsOf: text.suffix(position).prefix(5), at: position)
        default: text.removeLast(min(position / 4, text.count))
        }
    }
}
