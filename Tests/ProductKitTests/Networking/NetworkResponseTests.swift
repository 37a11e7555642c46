import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkResponseTests {
    @Test func `a response is an empty success by default`() {
        let response = NetworkResponse()

        #expect(response.statusCode == 200 && response.headers == [:])
        #expect(response.body.isEmpty && response.url == nil)
    }

    @Test func `a value is encoded as JSON and decoded again`() throws {
        let response = try NetworkResponse(
            statusCode: 201,
            headers: ["ETag": "1"],
            json: Product.boots
        )

        #expect(response.statusCode == 201)
        #expect(response.headers == ["ETag": "1", "Content-Type": "application/json"])
        #expect(try response.json() == Product.boots)
    }

    @Test func `a given content type is kept`() throws {
        let type = "application/problem+json"
        let response = try NetworkResponse(headers: ["content-type": type], json: ["title": "No"])

        #expect(response.headers == ["Content-Type": type])
    }

    @Test func `a value that cannot be encoded throws the error of the encoder`() {
        #expect(throws: EncodingError.self) { try NetworkResponse(json: Double.infinity) }
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "Application/JSON",
        "application/vnd.api+json", "text/json", "text/plain", "text/plain; charset=utf-8",
        "application/octet-stream", "text/javascript", nil,
    ])
    func `JSON is decoded with any media type that servers use for it`(type: String?) throws {
        var response = NetworkResponse(body: Data("[7]".utf8))
        response.headers["Content-Type"] = type

        #expect(try response.json([Int].self) == [7])
    }

    @Test func `an empty body is unreadable`() throws {
        let error = try #require(
            #expect(throws: NetworkError.self) { try NetworkResponse().json(Product.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.statusCode == 200)
        #expect(
            error.details
                == "Expected JSON, but the response body is empty. Check the URL and the method."
        )
    }

    @Test(arguments: ["text/html", "TEXT/HTML; charset=utf-8", "application/xml", "image/png"])
    func `another media type is unreadable even if the body is JSON`(type: String) throws {
        let response = NetworkResponse(headers: ["Content-Type": type], body: Data("7".utf8))

        let error = #expect(throws: NetworkError.self) { try response.json(Int.self) }

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("It is not JSON.") == true)
        #expect(error?.debugDescription.contains(type) == true)
        #expect(error?.body == response.body)
    }

    @Test(arguments: [
        (#"{"id": "boots", "name": 7}"#, "“name”"),
        (
            #"{"id": "boots", "name": "Boots", "prices": [{"currency": "EUR"}]}"#,
            "“prices[0].amount”"
        ),
    ])
    func `an error contains the path of an invalid member`(body: String, path: String) throws {
        let error = #expect(throws: NetworkError.self) {
            try NetworkResponse.json(body).json(Product.self)
        }

        #expect(error?.code == .unreadable && error?.underlying is DecodingError)
        #expect(error?.debugDescription.contains(path) == true)
    }

    @Test(arguments: ["<html>", "{", "[7", "nul", "{\"id\": \"boots\"", "\u{FEFF}"])
    func `a body that is not JSON is unreadable`(body: String) throws {
        let error = #expect(throws: NetworkError.self) {
            try NetworkResponse(body: Data(body.utf8)).json(Product.self)
        }

        #expect(error?.code == .unreadable)
        #expect(error?.body == Data(body.utf8))
    }
}
