import Foundation
import ProductKit
import Testing

/// Texts made by chance, the same in every run.
///
/// With `PRODUCTKIT_FUZZ_SECONDS=60` there are as many as take about a minute in a release build.
@Suite(.timeLimit(.minutes(10))) struct JSONFuzzTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["PRODUCTKIT_FUZZ_SECONDS"].flatMap(Int.init) ?? 0

    // Rule: json/bad-element-is-reported (5); json/invalid-json-element-is-reported (6)
    // Rule: json/input-may-be-split-anywhere (7); json/broken-array-throws (8)
    // Rule: json/nesting-is-limited (9); json/elements-before-error-are-returned (10)
    @Test(arguments: 0..<max(4, rounds))
    func `the reader is never laxer than the decoder, and stricter only about commas and UTF-16`(
        seed: Int
    ) async throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<(Self.rounds > 0 ? 3_000 : 150) {
            let text = JSONText.random(using: &chance)

            let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(text))
            let decoded = try? JSONDecoder().decode([JSONValue].self, from: text)

            if outcome.isAccepted {
                #expect(outcome.elements == decoded, "\(text.base64EncodedString())")
            } else if decoded != nil, !text.prefix(4).contains(0) {
                #expect(outcome.error?.reason == .emptyElement, "\(text.base64EncodedString())")
            }
            let size = Int.random(in: 1...9, using: &chance)
            let pieces = JSONElements<JSONValue>(pieces: text.pieces(of: size))
            let cut = try await JSONOutcome(of: pieces)
            #expect(cut == outcome, "\(text.base64EncodedString()) in pieces of \(size)")
        }
    }

    // Rule: json/bad-element-is-reported (5)
    @Test(arguments: 0..<max(2, rounds / 4))
    func `good elements survive bad neighbors`(seed: Int) async throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<(Self.rounds > 0 ? 500 : 20) {
            let bad = ["nul", "01", "{1}", "\"\\x\"", "\u{1}", "[1 2]", "NaN"]
            let isGood = (0..<150).map { _ in Bool.random(using: &chance) }
            let texts = isGood.enumerated().map { index, isGood in
                isGood ? "\(index)" : bad.randomElement(using: &chance) ?? ""
            }

            let text = Data("[\(texts.joined(separator: ","))]".utf8)
            let outcome = try await JSONOutcome(of: JSONElements<Int>(text))

            #expect(outcome.elements == isGood.indices.filter { isGood[$0] })
            #expect(outcome.rejected.map(\.index) == isGood.indices.filter { !isGood[$0] })
        }
    }
}

/// Texts that are arrays, or nearly.
private enum JSONText {
    static func random(using chance: inout SeededGenerator) -> Data {
        let count = Int.random(in: 0...4, using: &chance)
        let elements = (0..<count).map { _ in value(depth: 3, using: &chance) }
        var text = Array("[\(elements.joined(separator: blank(using: &chance) + ","))]".utf8)
        // Half of them stay as they are.
        for _ in 0..<max(0, Int.random(in: -3...3, using: &chance)) {
            damage(&text, using: &chance)
        }
        return Data(text)
    }

    private static func value(depth: Int, using chance: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &chance) {
        case 0: return ["null", "true", "false"].randomElement(using: &chance) ?? ""
        case 1: return "\(Int.random(in: -1_000...1_000, using: &chance))"
        case 2: return ["0.5", "-1e3", "1E+2", "0", "-0.0"].randomElement(using: &chance) ?? ""
        case 3, 4: return string(using: &chance)
        case 5, 6:
            let elements = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
                value(depth: depth - 1, using: &chance)
            }
            return "[\(elements.joined(separator: ","))]"
        default:
            let members = (0..<Int.random(in: 0...3, using: &chance)).map { index in
                "\"\(index)\":\(blank(using: &chance))\(value(depth: depth - 1, using: &chance))"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private static func string(using chance: inout SeededGenerator) -> String {
        let parts = [
            "a", "abcdefgh", "\\\"", "\\\\", "\\n", "\\u00e9", "é", "😀", "[", "]", "{", "}", ",",
            " ",
        ]
        let text = (0..<Int.random(in: 0...12, using: &chance)).map { _ in
            parts.randomElement(using: &chance) ?? ""
        }
        return "\"\(text.joined())\""
    }

    private static func blank(using chance: inout SeededGenerator) -> String {
        ["", "", " ", "\n", "\t ", "\r\n"].randomElement(using: &chance) ?? ""
    }

    private static func damage(_ text: inout [UInt8], using chance: inout SeededGenerator) {
        let place = Int.random(in: 0...text.count, using: &chance)
        let bytes = Array("[]{},:\"\\ 0-.eEtnu/\u{0}\u{1}\u{B}".utf8) + [0x80, 0xC3, 0xFF, 0xEF]
        let byte = bytes.randomElement(using: &chance) ?? 0
        switch Int.random(in: 0..<5, using: &chance) {
        case 0: text.insert(byte, at: place)
        case 1: if place < text.count { text[place] = byte }
        case 2: if place < text.count { text.remove(at: place) }
        case 3: text.insert(contentsOf: text.suffix(place).prefix(5), at: place)
        default: text.removeLast(min(place / 4, text.count))
        }
    }
}
