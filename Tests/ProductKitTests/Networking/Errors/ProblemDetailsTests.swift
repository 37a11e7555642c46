import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProblemDetailsTests {
    // Rule: errors/problem-details (3)
    @Test func `all members are decoded`() throws {
        let response = NetworkResponse.problem(
            """
            {"type": "https://example.com/out-of-credit", "title": "Out of credit", "status": 403,
             "detail": "Your balance is 30.", "instance": "/account/12345", "balance": 30,
             "errors": [{"detail": "must be positive", "pointer": "#/age"}, {"detail": "no"}]}
            """,
            statusCode: 403
        )

        let problem = try #require(NetworkError(response).problem)

        #expect(problem.type == "https://example.com/out-of-credit" && problem.status == 403)
        #expect(problem.title == "Out of credit" && problem.detail == "Your balance is 30.")
        #expect(problem.instance == "/account/12345")
        #expect(problem.errors.map(\.detail) == ["must be positive", "no"])
        #expect(problem.errors.map(\.pointer) == ["#/age", nil])
    }

    // Rule: errors/problem-details (3)
    @Test func `a missing type is about:blank`() throws {
        let response = NetworkResponse.problem(#"{"title": "No"}"#, statusCode: 400)

        let problem = try #require(NetworkError(response).problem)

        #expect(problem.type == "about:blank" && problem.detail == nil)
        #expect(problem.instance == nil && problem.errors.isEmpty)
    }

    // Rule: errors/problem-details (3)
    @Test(arguments: ["200", "\"404\"", "null", "1e400", "[]"])
    func `the status code of the response takes precedence`(member: String) throws {
        let response = NetworkResponse.problem(
            #"{"title": "No", "status": \#(member)}"#,
            statusCode: 503
        )

        // A number that no type can hold spoils the document, not the error.
        let error = NetworkError(response)

        #expect(error.statusCode == 503)
        #expect(error.problem?.status ?? 503 == 503)
    }

    // Rule: errors/problem-details (3)
    @Test func `members of a wrong type are ignored`() throws {
        let response = NetworkResponse.problem(
            """
            {"type": 7, "title": ["No"], "detail": "Why", "instance": {}, "errors":
             [7, null, {"detail": 7}, {"pointer": "/a"}, {"detail": "kept", "pointer": 7}]}
            """,
            statusCode: 400
        )

        let problem = try #require(NetworkError(response).problem)

        #expect(problem.type == "about:blank" && problem.detail == "Why")
        #expect(problem.title == nil && problem.instance == nil)
        #expect(problem.errors.map(\.detail) == ["kept"])
        #expect(problem.errors.map(\.pointer) == [nil])
    }

    @Test(
        arguments: [
            #"{"type": "x"}"#, #"{"title": "x"}"#, #"{"detail": "x"}"#, #"{"instance": "x"}"#,
            #"{"errors": [{"detail": "x"}]}"#,
        ].map { ($0, true) }
            + ["", "{}", "[]", "7", "{", #"{"error": "x"}"#, #"{"errors": [7]}"#].map {
                ($0, false)
            }
    )
    func `one member is needed, and sufficient`(body: String, hasProblem: Bool) {
        #expect((NetworkError(.problem(body, statusCode: 400)).problem != nil) == hasProblem)
    }

    // Rule: errors/problem-details (3)
    @Test(arguments: [200, 201, 299])
    func `a success has no problem details`(statusCode: Int) {
        let response = NetworkResponse.problem(#"{"title": "Boots"}"#, statusCode: statusCode)

        #expect(NetworkError(.unreadable, response: response).problem == nil)
    }

    @Test(
        arguments: [
            ("application/problem+json", true), ("Application/Problem+JSON; charset=utf-8", true),
            ("application/json", true), ("text/html", false), ("text/plain", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func `only a JSON response has problem details`(type: String?, isRead: Bool) {
        var response = NetworkResponse.problem(#"{"title": "No"}"#, statusCode: 400)
        response.headers["Content-Type"] = type

        #expect((NetworkError(response).problem != nil) == isRead)
    }

    @Test func `problem details contain at most 4 KiB of text`() throws {
        let flood = String(repeating: "ö", count: 1 << 20)
        let part = #"{"detail": "\#(flood)", "pointer": "\#(flood)"}"#
        let response = NetworkResponse.problem(
            #"{"instance": "/a", "title": "T", "detail": "\#(flood)", "errors": [\#(part), \#(part)]}"#,
            statusCode: 400
        )

        let problem = try #require(NetworkError(response).problem)

        let texts =
            [problem.title, problem.detail, problem.instance]
            + problem.errors.flatMap { [$0.detail, $0.pointer] }
        #expect(texts.compactMap(\.self).map(\.utf8.count).reduce(0, +) <= 4_096)
        #expect(problem.instance == "/a" && problem.title == "T")
        #expect(problem.detail?.hasPrefix("öö") == true)
    }
}
