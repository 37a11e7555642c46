import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkResponseTests {
    @Test func `a response is an empty success by default`() {
        let response = NetworkResponse()

        #expect(response.statusCode == 200)
        #expect(response.headers == [:])
        #expect(response.body.isEmpty)
        #expect(response.url == nil)
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

    @Test(
        arguments: [
            "application/json", "application/json; charset=utf-8", "Application/JSON",
            "application/vnd.api+json", "text/json", "text/plain", "text/plain; charset=utf-8",
            "application/octet-stream", "text/javascript",
        ]
    )
    func `JSON is decoded with any media type that servers use for it`(type: String) throws {
        let response = NetworkResponse(headers: ["Content-Type": type], body: Data("[7]".utf8))

        #expect(try response.json([Int].self) == [7])
    }

    @Test func `JSON without a media type is decoded`() throws {
        #expect(try NetworkResponse(body: Data("7".utf8)).json(Int.self) == 7)
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

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Int.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.debugDescription.contains("It is not JSON."))
        #expect(error.debugDescription.contains(type))
        #expect(error.body == response.body)
    }

    @Test func `an error contains the member of a wrong type`() throws {
        let response = NetworkResponse.json(#"{"id": "boots", "name": 7}"#)

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Product.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.underlying is DecodingError)
        #expect(error.debugDescription.contains("“name”"))
    }

    @Test func `an error contains the path of a missing member`() throws {
        let response = NetworkResponse.json(
            #"{"id": "boots", "name": "Boots", "prices": [{"currency": "EUR"}]}"#
        )

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Product.self) }
        )

        #expect(error.debugDescription.contains("“prices[0].amount”"))
    }

    @Test(arguments: ["<html>", "{", "[7", "nul", "{\"id\": \"boots\"", "\u{FEFF}"])
    func `a body that is not JSON is unreadable`(body: String) throws {
        let error = try #require(
            #expect(throws: NetworkError.self) {
                try NetworkResponse(body: Data(body.utf8)).json(Product.self)
            }
        )

        #expect(error.code == .unreadable)
        #expect(error.body == Data(body.utf8))
    }
}
