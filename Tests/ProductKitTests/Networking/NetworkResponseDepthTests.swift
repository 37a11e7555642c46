import Foundation
import ProductKit
import Testing

/// Responses that are refused before they are decoded.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkResponseDepthTests {
    // Rule: json/nesting-is-limited (9)
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `64 levels are decoded and 65 are refused without a decoder`(
        open: String,
        close: String
    ) throws {
        let inner = open == "[" ? "" : "0"
        func response(levels: Int) -> NetworkResponse {
            .json(
                String(repeating: open, count: levels) + inner
                    + String(repeating: close, count: levels)
            )
        }

        _ = try response(levels: 64).json(JSONValue.self)
        let error = #expect(throws: NetworkError.self) {
            try response(levels: 65).json(Unseen.self)
        }

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("more than 64 nested") == true)
    }

    @Test func `brackets in strings do not count`() throws {
        let text = String(repeating: "[", count: 100)

        let read = try NetworkResponse.json(#"["\#(text)", "\"\#(text)", "\\"]"#)
            .json([String].self)

        #expect(read == [text, "\"" + text, "\\"])
    }

    @Test func `depth after a string that ends with a backslash counts`() throws {
        let deep = String(repeating: "[", count: 65)

        #expect(throws: NetworkError.self) {
            try NetworkResponse.json(#"["\\", \#(deep)"#).json(Unseen.self)
        }
    }

    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf16,
    ])
    func `an encoding that could hide depth is unreadable`(encoding: String.Encoding) throws {
        let body = try #require("[[1]]".data(using: encoding))

        let error = #expect(throws: NetworkError.self) {
            try NetworkResponse(body: body).json(Unseen.self)
        }

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("not UTF-8") == true)
    }

    @Test func `a byte order mark is ignored`() throws {
        #expect(try NetworkResponse.json("\u{FEFF}[7]").json([Int].self) == [7])
    }

    @Test func `problem details that are too deep are ignored`() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)

        let shallow = NetworkError(.problem(#"{"title": "No", "x": []}"#, statusCode: 400))
        let error = NetworkError(.problem(#"{"title": "No", "x": \#(deep)}"#, statusCode: 400))

        #expect(shallow.problem?.title == "No")
        #expect(error.problem == nil)
    }
}
