import Foundation
import ProductKit
import Testing

/// An array inside of objects.
@Suite(.timeLimit(.minutes(5))) struct JSONElementsMemberTests {
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
    func `an array is found by its member`(text: String) async throws {
        let outcome = try await read(text)

        #expect(outcome.isAccepted)
        #expect(outcome.elements == [1, 2])
        for size in [1, 2, 3, 7] {
            let pieces = Data(text.utf8).pieces(of: size)
            let source = JSONElements<Int>(pieces: pieces, in: "items")
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
    func `without the member there is no array`(text: String) async throws {
        let outcome = try await read(text)

        #expect(outcome.error?.reason == .noArray)
        #expect(outcome.elements.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"items" [1]}"#, .notJSON), (#"{items: [1]}"#, .notJSON), ("{,}", .notJSON),
            (#"{"items": [1]]"#, .wrongBracket), (#"{"items": [1], "a": [}"#, .wrongBracket),
            (#"{"a": 1], "items": [1]}"#, .wrongBracket), (#"{"items": [1]"#, .earlyEnd),
            (#"{"items": [1], "a"#, .earlyEnd), ("{", .earlyEnd), (#"{"items": "#, .earlyEnd),
            (#"{"items": [1]} 2"#, .bytesAfterEnd), (#"{"items": [1]}}"#, .bytesAfterEnd),
            (#"{"items": [1] 2}"#, .notJSON), (#"{"items": [1] "a": 2}"#, .notJSON),
            (#"{"items": [1], "a" 2}"#, .notJSON), (#"{"a": nul, "items": [1]}"#, .notJSON),
            (#"{"a": 1, , "items": [1]}"#, .notJSON), (#"{"a": , "items": [1]}"#, .notJSON),
            (#"{"items": [1,]}"#, .emptyElement), (#"{"items": [1}"#, .wrongBracket),
        ] as [(String, JSONElementsError.Reason)]
    )
    func `what is wrong around an array is an error`(
        text: String,
        reason: JSONElementsError.Reason
    ) async throws {
        let outcome = try await read(text)

        #expect(outcome.error?.reason == reason)
        for size in [1, 2, 3, 7] {
            let pieces = Data(text.utf8).pieces(of: size)
            let source = JSONElements<Int>(pieces: pieces, in: "items")
            #expect(try await JSONOutcome(of: source) == outcome)
        }
    }

    @Test func `elements are given out before an error behind them`() async throws {
        let outcome = try await read(#"{"items": [1, 2], "a": nul}"#)

        #expect(outcome.elements == [1, 2])
        #expect(outcome.error?.reason == .notJSON)
        #expect(outcome.error?.index == 2)
    }

    @Test(arguments: 1...60)
    func `what stands around an array may be as large as allowed and no larger`(
        bound: Int
    ) async throws {
        let text = #"{"total": 2, "data": {"x": "y", "items": [1, 2]}, "n": 0}"#
        var source = JSONElements<Int>(Data(text.utf8), in: "data", "items")
        source.maximumElementSize = bound

        let outcome = try await JSONOutcome(of: source)

        // The two elements, their comma and their blank do not count.
        let size = text.utf8.count - 4
        #expect(outcome.error?.reason == (bound < size ? .tooLarge : nil))
    }

    private func read(_ text: String) async throws -> JSONOutcome<Int> {
        try await JSONOutcome(of: JSONElements(Data(text.utf8), in: "items"))
    }
}
