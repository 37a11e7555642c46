import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkRequestTests {
    @Test(
        arguments: [
            (.get("a"), "GET"), (.put("a"), "PUT"), (.post("a"), "POST"), (.patch("a"), "PATCH"),
            (.delete("a"), "DELETE"),
        ] as [(NetworkRequest<Product>, String)]
    )
    func `a request for a value asks for JSON and reads it`(
        request: NetworkRequest<Product>,
        method: String
    ) throws {
        #expect(request.method == method)
        #expect(request.segments == ["a"])
        #expect(request.headers == ["Accept": "application/json"])
        #expect(request.body == nil)
        #expect(try request.decode(NetworkResponse(json: Product.boots)) == .boots)
    }

    @Test(
        arguments: [
            (.put("a"), "PUT"), (.post("a"), "POST"), (.patch("a"), "PATCH"),
            (.delete("a"), "DELETE"),
        ] as [(NetworkRequest<Void>, String)]
    )
    func `a request for nothing reads nothing, not even a web page`(
        request: NetworkRequest<Void>,
        method: String
    ) throws {
        #expect(request.method == method)
        #expect(request.segments == ["a"])
        #expect(request.headers == [:])
        #expect(throws: Never.self) { try request.decode(NetworkResponse(statusCode: 204)) }
        #expect(throws: Never.self) { try request.decode(.webPage) }
    }

    @Test func `a request for the answer itself brings it as it came`() throws {
        let request = NetworkRequest<NetworkResponse>.get("a", query: ["q": "b"])

        #expect(try request.decode(.webPage) == .webPage)
        #expect(request.headers == [:])
        #expect(request.query == [URLQueryItem(name: "q", value: "b")])
    }

    @Test func `segments are texts, identifiers and numbers`() {
        let request = NetworkRequest<Product>.get("products", Product.boots.id, 42)

        #expect(request.segments == ["products", "walking-boots", "42"])
    }

    @Test func `query items without a value are left out and the others keep their order`() {
        let request = NetworkRequest<Product>.get(
            "a",
            query: ["b": "1", "a": nil, "b": "", "c": "2"]
        )

        #expect(
            request.query == [
                URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "b", value: ""),
                URLQueryItem(name: "c", value: "2"),
            ]
        )
    }

    @Test func `a body of JSON has sorted keys, plain slashes and its content type`() throws {
        let request = try NetworkRequest<Void>.put("a").json(["b": "x/y", "a": "ü"])

        #expect(request.body == Data(#"{"a":"ü","b":"x/y"}"#.utf8))
        #expect(request.headers == ["Content-Type": "application/json"])
    }

    @Test func `a body that is no JSON throws the encoder's error`() {
        #expect(throws: EncodingError.self) { try NetworkRequest<Void>.put("a").json(Double.nan) }
    }

    @Test func `a header is set, replaced and left out`() {
        let request = NetworkRequest<Product>.get("a")
            .header("If-Match", "1")
            .header("if-match", "2")
            .header("accept", nil)

        #expect(request.headers == ["If-Match": "2"])
    }

    @Test func `a change makes another request and leaves this one`() throws {
        let request = NetworkRequest<Void>.put("a")

        _ = try request.json(["a": 1]).header("If-Match", "1")

        #expect(request.body == nil)
        #expect(request.headers == [:])
    }

    @Test func `a mapped request sends the same and means something else`() throws {
        let request = try NetworkRequest<Product>.put("a", "b").json(["c": 1]).header("D", "e")
        var queried = request
        queried.query = [URLQueryItem(name: "f", value: "g")]

        let mapped = queried.map { product, response in
            [product.name, response.headers["ETag"]]
        }

        #expect(try mapped.urlRequest(relativeTo: .api) == queried.urlRequest(relativeTo: .api))
        let answer = try NetworkResponse(headers: ["ETag": "7"], json: Product.boots)
        #expect(try mapped.decode(answer) == ["Walking Boots", "7"])
    }

    @Test func `what the mapping throws is thrown`() {
        let request = NetworkRequest<NetworkResponse>.get("a").map { _, _ -> Int in
            throw UnsupportedOperation("map")
        }

        #expect(throws: UnsupportedOperation("map")) { try request.decode(NetworkResponse()) }
    }
}
