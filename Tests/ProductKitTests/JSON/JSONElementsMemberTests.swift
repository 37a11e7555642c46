import Foundation
import ProductKit
import Testing

/// Arrays inside of objects, found by the names of their members.
@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONElementsMemberTests {
    @Test(
        arguments: [
            #"{"items": [1, 2]}"#, #" { "items" : [ 1 , 2 ] } "#, "\u{FEFF}{\"items\":[1,2]}",
            #"{"total": 2, "items": [1, 2], "next": null}"#,
            #"{"it\u0065ms": [1, 2]}"#, #"{"a": {"items": [3]}, "items": [1, 2]}"#,
            #"{"a": [{"items": [3]}], "b": "items", "items": [1, 2], "c": {"items": [4]}}"#,
            #"{"x": "]}\"", "\"items\"": [3], "items": [1, 2]}"#,
            #"{"item": [3], "itemss": [4], "": [5], "items": [1, 2]}"#,
            #"{"items": [1, 2], "items": [3]}"#, #"{"items": [1, 2], "items": null}"#,
        ]
    )
    func `an array is found by the name of its member`(text: String) async throws {
        let outcome = try await read(text)

        #expect(outcome.isAccepted)
        #expect(outcome.elements == [1, 2])
        for size in [1, 2, 3, 7] {
            let chunks = Data(text.utf8).chunks(of: size)
            let source = JSONElements<Int>(chunks: chunks, in: "items")
            #expect(try await JSONOutcome(of: source) == outcome)
        }
    }

    @Test func `members lead through several objects`() async throws {
        let text =
            #"{"a": {"c": [3]}, "data": {"x": {"y": 1}, "products": {"nodes": [1, 2]}}, "z": 1}"#

        let outcome = try await JSONOutcome(
            of: JSONElements<Int>(Data(text.utf8), in: "data", "products", "nodes")
        )

        #expect(outcome.isAccepted)
        #expect(outcome.elements == [1, 2])
    }

    @Test(
        arguments: [
            "{}", "[1, 2]", "[]", "", "7", #"{"items": null}"#, #"{"items": {}}"#,
            #"{"items": 7}"#, #"{"items": "[1]"}"#, #"{"item": [1]}"#, #"{"Items": [1]}"#,
            #"{"a": {"items": [1]}}"#, #"{"a": 1, "b": 2}"#, #"{"items": null, "items": [1]}"#,
        ]
    )
    func `a text without the member has no array`(text: String) async throws {
        let outcome = try await read(text)

        #expect(outcome.failure?.reason == .noArray)
        #expect(outcome.elements.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"items" [1]}"#, .invalidJSON), (#"{items: [1]}"#, .invalidJSON),
            ("{,}", .invalidJSON),
            (#"{"items": [1]]"#, .mismatchedBracket),
            (#"{"items": [1], "a": [}"#, .mismatchedBracket),
            (#"{"a": 1], "items": [1]}"#, .mismatchedBracket), (#"{"items": [1]"#, .unexpectedEnd),
            (#"{"items": [1], "a"#, .unexpectedEnd), ("{", .unexpectedEnd),
            (#"{"items": "#, .unexpectedEnd),
            (#"{"items": [1]} 2"#, .trailingBytes), (#"{"items": [1]}}"#, .trailingBytes),
            (#"{"items": [1] 2}"#, .invalidJSON), (#"{"items": [1] "a": 2}"#, .invalidJSON),
            (#"{"items": [1], "a" 2}"#, .invalidJSON), (#"{"a": nul, "items": [1]}"#, .invalidJSON),
            (#"{"a": 1, , "items": [1]}"#, .invalidJSON), (#"{"a": , "items": [1]}"#, .invalidJSON),
            (#"{"items": [1,]}"#, .missingElement), (#"{"items": [1}"#, .mismatchedBracket),
        ] as [(String, JSONElementsError.Reason)]
    )
    func `invalid JSON around an array is an error`(
        text: String,
        reason: JSONElementsError.Reason
    ) async throws {
        let outcome = try await read(text)

        #expect(outcome.failure?.reason == reason)
        for size in [1, 2, 3, 7] {
            let chunks = Data(text.utf8).chunks(of: size)
            let source = JSONElements<Int>(chunks: chunks, in: "items")
            #expect(try await JSONOutcome(of: source) == outcome)
        }
    }

    @Test func `elements are returned before an error after the array`() async throws {
        let outcome = try await read(#"{"items": [1, 2], "a": nul}"#)

        #expect(outcome.elements == [1, 2])
        #expect(outcome.failure?.reason == .invalidJSON)
        #expect(outcome.failure?.index == 2)
    }

    @Test(arguments: 1...60)
    func `the text around an array has a maximum size`(
        maximum: Int
    ) async throws {
        let text = #"{"total": 2, "data": {"x": "y", "items": [1, 2]}, "n": 0}"#
        var source = JSONElements<Int>(Data(text.utf8), in: "data", "items")
        source.maximumElementSize = maximum

        let outcome = try await JSONOutcome(of: source)

        // The text between the brackets of the array does not count.
        let size = text.utf8.count - 4
        #expect(outcome.failure?.reason == (maximum < size ? .tooLarge : nil))
    }

    private func read(_ text: String) async throws -> JSONOutcome<Int> {
        try await JSONOutcome(of: JSONElements(Data(text.utf8), in: "items"))
    }
}
