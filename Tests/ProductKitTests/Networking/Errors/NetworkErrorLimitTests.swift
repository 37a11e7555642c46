import Foundation
import ProductKit
import Testing

/// Tests that an error contains a bounded part of a large response.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkErrorLimitTests {
    private static let flood = String(repeating: "ö", count: 1 << 20)

    // Rule: errors/texts-are-limited (8)
    @Test func `a reason is cut off between characters`() {
        let reasons = [
            String(repeating: "x", count: 4_096), String(repeating: "x", count: 4_097),
            "x" + Self.flood,
            String(repeating: "👨‍👩‍👧‍👦", count: 1_000), "x" + String(repeating: "\u{301}", count: 5_000),
        ].map { NetworkError(.rejected, reason: $0).reason }

        #expect(reasons.map(\.utf8.count) == [4_096, 4_096, 4_095, 4_075, 0])
        #expect(reasons[2].dropFirst().allSatisfy { $0 == "ö" })
        #expect(reasons[3].allSatisfy { $0 == "👨‍👩‍👧‍👦" })
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `a long content type is cut off`() {
        let response = NetworkResponse(
            statusCode: 500,
            headers: ["Content-Type": Self.flood],
            body: Data("x".utf8)
        )

        #expect(String(reflecting: NetworkError(response)).utf8.count < 5_000)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `a long member name is cut off in the message`() throws {
        let response = NetworkResponse.json(#"{"\#(Self.flood)": "x"}"#)

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json([String: Int].self) }
        )

        let details = try #require(error.details)
        #expect(details.utf8.count < 2_048)
        #expect(details.contains("“öö"))
        #expect(details.hasSuffix("Correct the server or the type to decode."))
        #expect(String(reflecting: error).utf8.count < 8_192)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `a failure in the format of a backend is cut off`() {
        let response = NetworkResponse.json(
            #"{"code": "\#(Self.flood)", "text": "\#(Self.flood)"}"#,
            statusCode: 422
        )

        let error = NetworkError(response, message: "text", code: "code")

        let problem = error.problem
        #expect((problem?.type.utf8.count ?? 0) + (problem?.detail?.utf8.count ?? 0) <= 4_096)
        #expect(error.reason.utf8.count <= 4_096)
        #expect(String(reflecting: error).utf8.count < 16_384)
    }

    // Rule: errors/response-fields-are-kept (11)
    @Test func `long header fields leave room for those that decide the delay`() {
        let response = NetworkResponse(
            statusCode: 503,
            headers: [
                "Content-Security-Policy": String(repeating: "x", count: 4_020),
                "X-Long": String(repeating: "x", count: 4_000), "Retry-After": "120",
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
            ]
        )

        let headers = NetworkError(response).headers
        let long = NetworkResponse(statusCode: 503, headers: ["Date": Self.flood, "X-Short": "1"])

        #expect(NetworkError(long).headers == ["X-Short": "1"])
        #expect(headers["Retry-After"] == "120" && headers["Date"] != nil)
        #expect(headers["Content-Security-Policy"] != nil && headers["X-Long"] == nil)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `of a long URL only the origin is kept`() throws {
        let url = URL.api.appending(queryItems: [URLQueryItem(name: "q", value: Self.flood)])

        let error = NetworkError(.timedOut, request: URLRequest(url: url))

        #expect(error.url?.absoluteString == "https://api.example.com")
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `at most 100 invalid parts of a request are read`() throws {
        let parts = Array(repeating: "0", count: 200_000) + [#"{"detail": "late"}"#]
        let response = NetworkResponse.problem(
            #"{"title": "No", "errors": [{"detail": "early"}, \#(parts.joined(separator: ","))]}"#,
            statusCode: 422
        )

        let problem = try #require(NetworkError(response).problem)

        #expect(problem.errors.map(\.detail) == ["early"])
    }
}
