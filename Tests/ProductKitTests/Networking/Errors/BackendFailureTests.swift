import Foundation
import ProductKit
import Testing

/// Failures that backends report in a format of their own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BackendFailureTests {
    @Test(arguments: [
        (#"{"result": {"errorCode": "X", "message": "No"}}"#, true),
        (#"{"result": [{"errorCode": "X", "message": "No"}]}"#, true),
        (#"{"result": {"id": 7}}"#, false), (#"{"result": [{"id": 7}]}"#, false),
        (#"{"result": null}"#, false), (#"{"result": {"errorCode": null}}"#, false),
    ])
    func `a result is a failure if it has a member`(body: String, isFailure: Bool) async throws {
        let request = NetworkRequest<Void>.post("a")
            .failing(at: "result", having: "errorCode", code: "errorCode", codes: ["X": .conflict])

        guard isFailure else { return try await client(body).send(request) }
        let error = await client(body).error(of: request)
        #expect(error?.code == .conflict && error?.problem?.detail == "No")
    }

    @Test func `members of a backend's own format become problem details`() {
        let response = NetworkResponse.json(
            #"{"errors": [{"code": "Stale", "message": "Version mismatch"}]}"#,
            statusCode: 400
        )

        let error = NetworkError(
            response,
            message: "errors[0].message",
            code: "errors[0].code",
            codes: ["Stale": .conflict]
        )

        #expect(error.code == .conflict && error.statusCode == 400)
        #expect(error.problem?.type == "Stale" && error.problem?.status == 400)
        #expect(error.problem?.detail == "Version mismatch")
        #expect(error.localizedDescription == "Version mismatch.")
        #expect(error.body == response.body)
    }

    // Rule: errors/texts-are-for-users (21)
    @Test(arguments: [
        "Unauthorized", "not found", " Internal Server Error\\n", "Not found.",
        "404 Page Not Found", "425 Too Early", "Request-URI Too Long", "Precondition Required",
        "Network Authentication Required", "404: Not Found", "504 Gateway Time-out",
    ])
    func `a message that is only the name of a status code is not shown`(message: String) {
        let response = NetworkResponse.json(#"{"message": "\#(message)"}"#, statusCode: 403)

        let error = NetworkError(response, message: "message")

        #expect(error.problem?.detail != nil)
        #expect(error.localizedDescription == NetworkError(.forbidden).localizedDescription)
    }

    @Test(arguments: [
        ("errors", "Is short. Unknown. Used."), ("errors.sku", "Unknown. Used."),
        ("errors.name", "Is short."), ("empty", "Is short"), ("count", "Is short"),
    ])
    func `the messages of invalid fields are joined`(path: MemberPath, message: String) {
        let response = NetworkResponse.json(
            #"{"errors": {"sku": ["Unknown", {"token": "x"}, 7, "Used."], "name": "Is short", "#
                + #""trace": {"token": "x"}, "none": null}, "empty": [{}, []], "count": 3, "#
                + #""flag": true}"#,
            statusCode: 422
        )

        let error = NetworkError(response, message: "errors", "errors.name", fieldMessages: path)

        #expect(error.problem?.detail == message)
        #expect(NetworkError(response, message: "errors").problem == nil)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `the messages of a hundred fields are read`() {
        let fields = (100..<250).map { "\"f\($0)\": \"\($0)\"" }.joined(separator: ",")
        let response = NetworkResponse.json("{\(fields)}", statusCode: 422)

        let error = NetworkError(response, fieldMessages: [])

        let texts = (100..<200).map { "\($0)." }.joined(separator: " ")
        #expect(error.problem?.detail == texts)
    }

    @Test(arguments: [("A1", nil), ("A2", "Sold out")])
    func `the messages of some codes are not for users`(code: String, message: String?) {
        let response = NetworkResponse.json(
            #"{"code": "\#(code)", "text": "Sold out"}"#,
            statusCode: 409
        )

        let error = NetworkError(
            response,
            message: "text",
            code: "code",
            codes: ["A1": .rejected],
            hidingMessagesOf: ["A1"]
        )

        #expect(error.problem?.detail == message && error.problem?.type == code)
        #expect(error.code == (code == "A1" ? .rejected : .conflict))
    }

    @Test func `a code may be a number, and the status code decides for unknown ones`() {
        let response = NetworkResponse.json(#"{"code": 1407, "message": "Gone"}"#, statusCode: 404)

        let unknown = NetworkError(response, message: "x", code: "code", codes: ["1": .conflict])
        let known = NetworkError(response, message: "x", code: "code", codes: ["1407": .throttled])

        #expect(unknown.code == .notFound && unknown.problem?.type == "1407")
        #expect(known.code == .throttled && known.problem?.type == "1407")
        #expect(known.problem?.detail == nil)
        #expect(NetworkError(response, message: "message").problem?.type == "about:blank")
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "7", "<html>", "\"text\"", "[[[]]]", #"{"error": null}"#,
        #"{"error": "text"}"#, #"{"error": {"id": {}, "text": []}}"#, "{\"error\":", "\u{0}",
        #"{"error": [{"id": 1}]}"#, #"{"error": {"id": 1.5, "text": true}}"#,
        String(repeating: "[", count: 10_000),
    ])
    func `any body results in an error with the status code`(body: String) {
        for headers in [[:], ["Content-Type": "application/json"], ["Content-Type": "text/html"]]
            as [NetworkHeaders]
        {
            let error = NetworkError(
                NetworkResponse(statusCode: 503, headers: headers, body: Data(body.utf8)),
                message: "error.text",
                code: "error.id"
            )

            #expect(error.code == .unavailable && error.statusCode == 503)
            #expect(error.problem == nil)
        }
    }

    @Test func `a body without the members is decoded as problem details`() {
        let response = NetworkResponse.problem(#"{"title": "Out of stock"}"#, statusCode: 409)

        let error = NetworkError(response, message: "error.text", code: "error.id")

        #expect(error.problem?.title == "Out of stock")
    }

    @Test(arguments: [
        #"{"errors": [{"message": "No", "extensions": {"code": "BUSY"}}, {}], "data": 1}"#,
        #"{"errors": {"message": "No", "extensions": {"code": "BUSY"}}, "data": 1}"#,
    ])
    func `a failure in a successful response is thrown`(body: String) async throws {
        let request = NetworkRequest<Int>.post("graphql")
            .failing(at: "errors", code: "extensions.code", codes: ["BUSY": .throttled])
            .inside("data")

        let error = await client(body).error(of: request)

        #expect(error?.code == .throttled && error?.statusCode == 200)
        #expect(error?.problem?.detail == "No" && error?.problem?.type == "BUSY")
        #expect(error?.method == "POST")
    }

    @Test(arguments: [#"{"errors": ["No"]}"#, #"{"errors": "No"}"#])
    func `a failure that is a string is its own message`(body: String) async throws {
        let error = await client(body).error(of: .failingRequest)

        #expect(error?.code == .rejected && error?.problem?.detail == "No")
    }

    @Test(arguments: ["[{}]", "[null]", "true", "7", "{\"a\": []}", "[[]]"])
    func `a failure without a message is thrown`(failure: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await client("{\"errors\": \(failure), \"data\": 1}").send(.failingRequest)
        }

        #expect(error?.code == .rejected)
    }

    @Test(arguments: ["[]", "{}", "null", "\"\"", "false"])
    func `an empty value at the path of failures is a success`(nothing: String) async throws {
        let client = client("{\"errors\": \(nothing), \"data\": 1}")

        #expect(try await client.send(.failingRequest) == 1)
    }

    @Test(arguments: [
        (#"{"errors": ["A"], "data": {"userErrors": [{"message": "B"}]}}"#, "A"),
        (#"{"data": {"userErrors": [{"message": "B"}]}}"#, "B"),
    ])
    func `the first failure that is found is thrown`(body: String, detail: String) async throws {
        let request = NetworkRequest<Int>.failingRequest.failing(at: "data.userErrors")

        let error = await client(body).error(of: request)

        #expect(error?.problem?.detail == detail)
    }

    @Test func `a mapped request throws failures`() async throws {
        let request = NetworkRequest<Int>.failingRequest.map { number, _ in number + 1 }

        await #expect(throws: NetworkError.self) {
            try await client(#"{"errors": ["No"], "data": 1}"#).send(request)
        }
        #expect(try await client(#"{"data": 1}"#).send(request) == 2)
    }

    private func client(_ body: String) -> NetworkClient {
        NetworkClient { _ in .json(body) }
    }
}

extension NetworkRequest<Int> {
    fileprivate static var failingRequest: NetworkRequest {
        .post("graphql").inside("data").failing(at: "errors")
    }
}
