import Foundation
import ProductKit
import Testing

/// Failures that backends tell of in words of their own.
@Suite(.timeLimit(.minutes(5))) struct ToldFailureTests {
    @Test func `a backend's own words become a problem`() {
        let answer = NetworkResponse.json(
            #"{"errors": [{"code": "Stale", "message": "Version mismatch"}]}"#,
            statusCode: 400
        )

        let error = NetworkError(
            answer,
            message: "errors[0].message",
            code: "errors[0].code",
            codes: ["Stale": .conflict]
        )

        #expect(error.code == .conflict)
        #expect(error.statusCode == 400)
        #expect(error.problem?.type == "Stale")
        #expect(error.problem?.detail == "Version mismatch")
        #expect(error.problem?.status == 400)
        #expect(error.reason.hasPrefix("Version mismatch. "))
        #expect(error.body == answer.body)
    }

    @Test func `a code may be a number, and one that is not known means what the status means`() {
        let answer = NetworkResponse.json(#"{"code": 1407, "message": "Gone"}"#, statusCode: 404)

        let error = NetworkError(answer, message: "message", code: "code", codes: ["1": .conflict])

        #expect(error.problem?.type == "1407")
        #expect(error.code == .notFound)
        let known = NetworkError(answer, message: "x", code: "code", codes: ["1407": .throttled])
        #expect(known.code == .throttled)
        #expect(known.problem?.type == "1407")
        #expect(known.problem?.detail == nil)
        #expect(NetworkError(answer, message: "message").problem?.type == "about:blank")
    }

    @Test(
        arguments: [
            "", "null", "[]", "{}", "7", "<html>", "\"text\"", "[[[]]]", #"{"error": null}"#,
            #"{"error": "text"}"#, #"{"error": {"id": {}, "text": []}}"#, "{\"error\":", "\u{0}",
            #"{"error": [{"id": 1}]}"#, #"{"error": {"id": 1.5, "text": true}}"#,
            String(repeating: "[", count: 10_000),
        ]
    )
    func `whatever the body holds there is an error with the status`(body: String) {
        for headers in [[:], ["Content-Type": "application/json"], ["Content-Type": "text/html"]]
            as [NetworkHeaders]
        {
            let answer = NetworkResponse(
                statusCode: 503,
                headers: headers,
                body: Data(body.utf8)
            )

            let error = NetworkError(answer, message: "error.text", code: "error.id")

            #expect(error.code == .unavailable)
            #expect(error.statusCode == 503)
            #expect(error.problem == nil)
        }
    }

    @Test func `a body without the members is read as problem details`() {
        let answer = NetworkResponse.problem(#"{"title": "Out of stock"}"#, statusCode: 409)

        let error = NetworkError(answer, message: "error.text", code: "error.id")

        #expect(error.problem?.title == "Out of stock")
    }

    @Test func `long words are cut off`() {
        let text = String(repeating: "é", count: 5_000)
        let answer = NetworkResponse.json(
            "{\"m\": \"\(text)\", \"c\": \"\(text)\"}",
            statusCode: 400
        )

        let problem = NetworkError(answer, message: "m", code: "c").problem

        #expect((problem?.type.utf8.count ?? 0) + (problem?.detail?.utf8.count ?? 0) <= 4_096)
    }

    @Test(
        arguments: [
            #"{"errors": [{"message": "No", "extensions": {"code": "BUSY"}}, {}], "data": 1}"#,
            #"{"errors": {"message": "No", "extensions": {"code": "BUSY"}}, "data": 1}"#,
        ]
    )
    func `a success that tells of a failure is one`(body: String) async throws {
        let request = NetworkRequest<Int>.post("graphql")
            .failing(at: "errors", code: "extensions.code", codes: ["BUSY": .throttled])
            .inside("data")

        let error = await #expect(throws: NetworkError.self) {
            try await client(body).send(request)
        }

        #expect(error?.code == .throttled)
        #expect(error?.statusCode == 200)
        #expect(error?.problem?.detail == "No")
        #expect(error?.problem?.type == "BUSY")
        #expect(error?.method == "POST")
    }

    @Test(arguments: [#"{"errors": ["No"]}"#, #"{"errors": "No"}"#])
    func `a failure that is a text tells itself`(body: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await client(body).send(.failingRequest)
        }

        #expect(error?.code == .rejected)
        #expect(error?.problem?.detail == "No")
    }

    @Test(arguments: ["[{}]", "[null]", "true", "7", "{\"a\": []}", "[[]]"])
    func `a failure without words is a failure`(failure: String) async throws {
        let body = "{\"errors\": \(failure), \"data\": 1}"

        let error = await #expect(throws: NetworkError.self) {
            try await client(body).send(.failingRequest)
        }

        #expect(error?.code == .rejected)
    }

    @Test(arguments: ["[]", "{}", "null", "\"\"", "false"])
    func `nothing where failures stand is a success`(nothing: String) async throws {
        let body = "{\"errors\": \(nothing), \"data\": 1}"

        #expect(try await client(body).send(.failingRequest) == 1)
    }

    @Test func `the first place that tells of a failure counts`() async throws {
        let request = NetworkRequest<Int>.failingRequest.failing(at: "data.userErrors")
        let body = #"{"errors": ["A"], "data": {"userErrors": [{"message": "B"}]}}"#

        let first = await #expect(throws: NetworkError.self) {
            try await client(body).send(request)
        }
        let second = await #expect(throws: NetworkError.self) {
            try await client(#"{"data": {"userErrors": [{"message": "B"}]}}"#).send(request)
        }

        #expect(first?.problem?.detail == "A")
        #expect(second?.problem?.detail == "B")
    }

    @Test func `a request that is mapped still fails`() async throws {
        let request = NetworkRequest<Int>.failingRequest.map { number, _ in number + 1 }

        await #expect(throws: NetworkError.self) {
            try await client(#"{"errors": ["No"], "data": 1}"#).send(request)
        }
        #expect(try await client(#"{"data": 1}"#).send(request) == 2)
    }

    private func client(_ body: String) -> NetworkClient {
        NetworkClient(baseURL: .api, networking: .closure { _ in .json(body) })
    }
}

extension NetworkRequest<Int> {
    fileprivate static var failingRequest: NetworkRequest {
        .post("graphql").inside("data").failing(at: "errors")
    }
}
