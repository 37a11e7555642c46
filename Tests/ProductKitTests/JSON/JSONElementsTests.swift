import Dispatch
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONElementsTests {
    // Rule: json/identifier-is-string-or-integer (1)
    @Test func `an identifier is a string or an integer`() async throws {
        let outcome = try await read(#"[{"id": "a/b", "name": "A"}, {"id": 42, "name": "B"}]"#)

        #expect(outcome.elements.map(\.id) == ["a/b", "42"])
        #expect(outcome.isAccepted)
    }

    // Rule: json/null-means-absent (2)
    @Test func `null is the same as an absent member, and unknown members are ignored`()
        async throws
    {
        let outcome = try await read(
            #"[{"id": 1, "name": "A", "prices": null, "url": null, "x": {"y": [1]}}]"#
        )

        #expect(outcome.elements == [Product(id: "1", name: "A")])
        #expect(outcome.isAccepted)
    }

    // Rule: json/text-amounts-are-exact (3); json/number-amounts-are-exact (4)
    @Test(arguments: [#""1234567890.0123456789""#, "1234567890.0123456789"])
    func `an amount is exact, as a string and as a number`(amount: String) async throws {
        let outcome = try await read(
            #"[{"id": 1, "name": "A", "prices": [{"amount": \#(amount), "currency": "EUR"}]}]"#
        )

        let price = try Price("1234567890.0123456789", currency: "EUR")
        #expect(outcome.elements.first?.prices == [price])
    }

    // Rule: json/text-amounts-are-exact (3)
    @Test(arguments: ["1e2", "+1", "9,99", "٩", "1 000", "", "NaN"])
    func `a string with an exponent, a plus sign or a local format is not an amount`(
        text: String
    ) async throws {
        let outcome = try await read(
            #"[{"id": 1, "name": "A", "prices": [{"amount": "\#(text)", "currency": "EUR"}]}]"#
        )

        #expect(outcome.rejected.map(\.member) == ["prices[0].amount"])
    }

    // Rule: json/bad-element-is-reported (5)
    @Test func `an invalid element is reported with its index, member and reason`()
        async throws
    {
        let outcome = try await read(
            """
            [{"id": 1, "name": "A"}, {"id": 2}, 3, {"id": 4, "name": "D", "prices":
             [{"amount": "1", "currency": "EUR"}, {"amount": "x", "currency": "EUR"}]},
             {"id": 5, "name": "E"}]
            """
        )

        let rejected = outcome.rejected
        #expect(outcome.elements.map(\.id) == ["1", "5"])
        #expect(rejected.map(\.index) == [1, 2, 3])
        #expect(rejected.map(\.member) == ["name", "", "prices[1].amount"])
        #expect(rejected.first?.reason == "It is missing.")
        #expect(
            rejected.last?.reason == InvalidPrice.amount("x").localizedDescription
        )
        #expect(outcome.failure == nil)
    }

    // Rule: json/bad-element-is-reported (5)
    @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 200])
    func `an index counts from the start of the whole array`(index: Int) async throws {
        let elements = (0...200).map { $0 == index ? #"{"id": 1}"# : #"{"id": 1, "name": "A"}"# }

        let outcome = try await read("[\(elements.joined(separator: ","))]")

        #expect(outcome.elements.count == 200)
        #expect(outcome.rejected.map(\.index) == [index])
        #expect(outcome.rejected.map(\.member) == ["name"])
    }

    // Rule: json/invalid-json-element-is-reported (6)
    @Test(
        arguments: [
            "NaN", "nul", "01", "1 2", "'a'", "{1: 2}", #"{"id" 1}"#, #"{"id": 1, "name": "\x"}"#,
            "{\"id\": 1, \"name\": \"a\u{1}\"}", "\u{0}", "1\u{0}", "\u{FEFF}1", "{,}", "[1,,2]",
        ]
    )
    func `an element that is not JSON does not affect other elements`(text: String) async throws {
        var elements = (0..<70).map { #"{"id": \#($0), "name": "A"}"# }
        elements.insert(text, at: 40)

        let outcome = try await read("[\(elements.joined(separator: ", "))]")

        #expect(outcome.elements.count == 70)
        #expect(outcome.elements.map(\.id.rawValue) == (0..<70).map { "\($0)" })
        #expect(outcome.rejected.map(\.index) == [40])
        #expect(outcome.rejected.map(\.member) == [""])
        #expect(outcome.rejected.allSatisfy { !$0.reason.contains("Error") })
        #expect(outcome.failure == nil)
    }

    // Rule: json/invalid-json-element-is-reported (6)
    @Test func `an element that is not JSON is reported as such`() async throws {
        let outcome = try await read("[nul]")

        let rejected = RejectedElement(index: 0, member: "", reason: "It is not valid JSON.")
        #expect(outcome.rejected == [rejected])
    }

    // Rule: json/invalid-json-element-is-reported (6)
    @Test func `an element with invalid UTF-8 does not affect other elements`() async throws {
        let invalid = Data(#"{"id": 2, "name": ""#.utf8) + [0xC3, 0x28] + Data(#""}"#.utf8)
        let text =
            Data(#"[{"id": 1, "name": "A"}, "#.utf8) + invalid
            + Data(#", {"id": 3, "name": "C"}]"#.utf8)

        let outcome = try await JSONOutcome(of: JSONElements<Product>(text))

        #expect(outcome.elements.map(\.id) == ["1", "3"])
        #expect(outcome.rejected.map(\.index) == [1])
    }

    // Rule: json/invalid-json-element-is-reported (6)
    @Test func `bytes inside of the array are not detected as UTF-16`() async throws {
        let text = Data("[\u{0}1\u{0},\u{0}2\u{0}]".utf8)

        let outcome = try await JSONOutcome(of: JSONElements<JSONValue>(text))

        #expect(outcome.elements.isEmpty)
        #expect(outcome.rejected.map(\.index) == [0, 1])
    }

    @Test(arguments: ["[]", " [ ] ", "\u{FEFF}[]", "\n[\t\r\n]\n"])
    func `an empty array has no batch`(text: String) async throws {
        let outcome = try await read(text)

        #expect(outcome.isAccepted)
        #expect(outcome.batchSizes == [])
    }

    @Test(arguments: [(1, [1]), (64, [64]), (65, [64, 1]), (130, [64, 64, 2])])
    func `a batch has 64 elements, and the last batch has the remaining ones`(
        count: Int,
        sizes: [Int]
    ) async throws {
        let numbers = (0..<count).map(String.init).joined(separator: ",")

        let outcome = try await JSONOutcome(of: JSONElements<Int>(Data("[\(numbers)]".utf8)))

        #expect(outcome.batchSizes == sizes)
        #expect(outcome.elements == Array(0..<count))
    }

    @Test func `a batch of large elements has fewer than 64`() async throws {
        let element = "\"\(String(repeating: "a", count: 100_000))\""
        let text = "[\(Array(repeating: element, count: 7).joined(separator: ","))]"

        let outcome = try await JSONOutcome(of: JSONElements<String>(Data(text.utf8)))

        #expect(outcome.batchSizes == [3, 3, 1])
    }

    @Test func `a batch of invalid elements is returned`() async throws {
        var batches = JSONElements<Product>(Data("[1, 2]".utf8)).makeAsyncIterator()

        let batch = try #require(try await batches.next())

        #expect(batch.elements.isEmpty)
        #expect(batch.rejected.map(\.index) == [0, 1])
        #expect(try await batches.next() == nil)
        #expect(try await batches.next() == nil)
    }

    @Test func `a byte order mark at the start is skipped`() async throws {
        let text = Data("\u{FEFF}[1]".utf8)

        #expect(try await JSONOutcome(of: JSONElements<Int>(text)).elements == [1])
        for size in 1...4 {
            let chunks = text.chunks(of: size)
            #expect(try await JSONOutcome(of: JSONElements<Int>(chunks: chunks)).elements == [1])
        }
    }

    @Test(arguments: ["\u{FEFF}\u{FEFF}[1]", " \u{FEFF}[1]"])
    func `a byte order mark anywhere else is an error`(text: String) async throws {
        #expect(try await read(text).failure?.reason == .noArray)
    }

    @Test @MainActor func `elements are decoded off the caller's actor`() async throws {
        for try await batch in JSONElements<Remote>(Data("[1, 2]".utf8)) {
            MainActor.assertIsolated()
            #expect(batch.elements.count == 2)
        }
    }

    @Test @MainActor func `a batch is decoded off the caller's actor without a loop`()
        async throws
    {
        var batches = JSONElements<Remote>(Data("[1]".utf8)).makeAsyncIterator()

        #expect(try await batches.next()?.elements.count == 1)
    }

    private func read(_ text: String) async throws -> JSONOutcome<Product> {
        try await JSONOutcome(of: JSONElements(Data(text.utf8)))
    }
}

/// A value that must not be decoded on the main actor.
private struct Remote: Decodable {
    init(from decoder: any Decoder) {
        dispatchPrecondition(condition: .notOnQueue(.main))
    }
}
