import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkResponseTests {
    @Test func `an answer is a success without anything by default`() {
        let response = NetworkResponse()

        #expect(response.statusCode == 200)
        #expect(response.headers == [:])
        #expect(response.body.isEmpty)
        #expect(response.url == nil)
    }

    @Test func `a value goes out as JSON and comes back`() throws {
        let response = try NetworkResponse(
            statusCode: 201,
            headers: ["ETag": "1"],
            json: Product.boots
        )

        #expect(response.statusCode == 201)
        #expect(response.headers == ["ETag": "1", "Content-Type": "application/json"])
        #expect(try response.json() == Product.boots)
    }

    @Test func `a given content type stays`() throws {
        let type = "application/problem+json"
        let response = try NetworkResponse(headers: ["content-type": type], json: ["title": "No"])

        #expect(response.headers == ["Content-Type": type])
    }

    @Test func `a value that is no JSON throws the encoder's error`() {
        #expect(throws: EncodingError.self) { try NetworkResponse(json: Double.infinity) }
    }

    @Test(
        arguments: [
            "application/json", "application/json; charset=utf-8", "Application/JSON",
            "application/vnd.api+json", "text/json", "text/plain", "text/plain; charset=utf-8",
            "application/octet-stream", "text/javascript",
        ]
    )
    func `JSON is read under every media type that servers give it`(type: String) throws {
        let response = NetworkResponse(headers: ["Content-Type": type], body: Data("[7]".utf8))

        #expect(try response.json([Int].self) == [7])
    }

    @Test func `JSON without a media type is read`() throws {
        #expect(try NetworkResponse(body: Data("7".utf8)).json(Int.self) == 7)
    }

    @Test func `an empty body is unreadable`() throws {
        let error = try #require(
            #expect(throws: NetworkError.self) { try NetworkResponse().json(Product.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.statusCode == 200)
        #expect(
            error.localizedDescription
                == "The answer is empty where JSON was due; check the address and the method."
        )
    }

    @Test(arguments: ["text/html", "TEXT/HTML; charset=utf-8", "application/xml", "image/png"])
    func `another media type is unreadable even when the body is JSON`(type: String) throws {
        let response = NetworkResponse(headers: ["Content-Type": type], body: Data("7".utf8))

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Int.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.localizedDescription.contains(type))
        #expect(error.body == response.body)
    }

    @Test func `a member of another type is named`() throws {
        let response = NetworkResponse.json(#"{"id": "boots", "name": 7}"#)

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Product.self) }
        )

        #expect(error.code == .unreadable)
        #expect(error.underlying is DecodingError)
        #expect(error.localizedDescription.contains("“name”"))
    }

    @Test func `a missing member is named with the way to it`() throws {
        let response = NetworkResponse.json(
            #"{"id": "boots", "name": "Boots", "prices": [{"currency": "EUR"}]}"#
        )

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Product.self) }
        )

        #expect(error.localizedDescription.contains("“prices[0].amount”"))
    }

    @Test(arguments: ["<html>", "{", "[7", "nul", "{\"id\": \"boots\"", "\u{FEFF}"])
    func `what is no JSON at all is unreadable`(body: String) throws {
        let error = try #require(
            #expect(throws: NetworkError.self) {
                try NetworkResponse(body: Data(body.utf8)).json(Product.self)
            }
        )

        #expect(error.code == .unreadable)
        #expect(error.body == Data(body.utf8))
    }
}
