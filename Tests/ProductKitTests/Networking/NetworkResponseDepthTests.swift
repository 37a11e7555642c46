import Foundation
import ProductKit
import Testing

/// Answers that no decoder may see.
@Suite(.timeLimit(.minutes(5)))
struct NetworkResponseDepthTests {
    // Rule: json/nesting-is-limited (9)
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `64 levels are read and 65 refused before any decoder sees them`(
        open: String,
        close: String
    ) throws {
        let inner = open == "[" ? "" : "0"
        func answer(levels: Int) -> NetworkResponse {
            .json(
                String(repeating: open, count: levels) + inner
                    + String(repeating: close, count: levels)
            )
        }

        _ = try answer(levels: 64).json(JSONValue.self)
        let error = try #require(
            #expect(throws: NetworkError.self) { try answer(levels: 65).json(Unseen.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.localizedDescription.contains("more than 64 nested"))
    }

    @Test func `brackets in strings do not count`() throws {
        let text = String(repeating: "[", count: 100)

        let read = try NetworkResponse.json(#"["\#(text)", "\"\#(text)", "\\"]"#)
            .json([String].self)

        #expect(read == [text, "\"" + text, "\\"])
    }

    @Test func `depth behind a string that ends with a backslash is found`() throws {
        let deep = String(repeating: "[", count: 65)

        #expect(throws: NetworkError.self) {
            try NetworkResponse.json(#"["\\", \#(deep)"#).json(Unseen.self)
        }
    }

    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf16,
    ])
    func `another encoding, in which depth could hide, is unreadable`(
        encoding: String.Encoding
    ) throws {
        let body = try #require("[[1]]".data(using: encoding))

        let error = try #require(
            #expect(throws: NetworkError.self) {
                try NetworkResponse(body: body).json(Unseen.self)
            }
        )

        #expect(error.code == .unreadable)
        #expect(error.localizedDescription.contains("not UTF-8"))
    }

    @Test func `a byte order mark is no other encoding`() throws {
        #expect(try NetworkResponse.json("\u{FEFF}[7]").json([Int].self) == [7])
    }

    @Test func `problem details that are too deep count as none`() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)

        let shallow = NetworkError(.problem(#"{"title": "No", "x": []}"#, statusCode: 400))
        let error = NetworkError(.problem(#"{"title": "No", "x": \#(deep)}"#, statusCode: 400))

        #expect(shallow.problem?.title == "No")
        #expect(error.problem == nil)
    }
}
