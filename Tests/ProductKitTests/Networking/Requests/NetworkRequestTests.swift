import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkRequestTests {
    @Test(
        arguments: [
            (.get("a"), "GET"), (.put("a"), "PUT"), (.post("a"), "POST"),
            (.patch("a"), "PATCH"), (.delete("a"), "DELETE"),
        ] as [(NetworkRequest<Product>, String)]
    )
    func `a request with an output accepts and decodes JSON`(
        request: NetworkRequest<Product>,
        method: String
    ) throws {
        #expect(request.parts.method == method)
        #expect(request.parts.segments == ["a"])
        #expect(request.parts.headers == ["Accept": "application/json"])
        #expect("\(request)".hasSuffix(" 0 bytes)"))
        #expect(try request.decode(NetworkResponse(json: Product.boots)) == .boots)
    }

    @Test(
        arguments: [
            (.put("a"), "PUT"), (.post("a"), "POST"),
            (.patch("a"), "PATCH"), (.delete("a"), "DELETE"),
        ] as [(NetworkRequest<Void>, String)]
    )
    func `a request without output ignores the body`(
        request: NetworkRequest<Void>,
        method: String
    ) throws {
        #expect(request.parts.method == method)
        #expect(request.parts.segments == ["a"])
        #expect(request.parts.headers == [:])
        #expect(throws: Never.self) { try request.decode(NetworkResponse(statusCode: 204)) }
        #expect(throws: Never.self) { try request.decode(NetworkResponse(body: Data("ok".utf8))) }
        #expect(throws: NetworkError.self) { try request.decode(.webPage) }
    }

    @Test func `a request for the response returns it unchanged`() throws {
        let request = NetworkRequest<NetworkResponse>.get("a", query: ["q": "b"])

        #expect(try request.decode(.webPage) == .webPage)
        #expect(request.parts.headers == [:])
        #expect(request.query == [URLQueryItem(name: "q", value: "b")])
    }

    @Test func `segments may be strings, identifiers and numbers`() {
        let request = NetworkRequest<Product>.get("products", Product.boots.id, 42)

        #expect(request.parts.segments == ["products", "walking-boots", "42"])
    }

    @Test func `query items without a value are omitted and the others keep their order`() {
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

    @Test func `a header field is set, replaced and removed`() {
        let request = NetworkRequest<Product>.get("a")
            .header("If-Match", "1")
            .header("if-match", "2")
            .header("accept", nil)

        #expect(request.parts.headers == ["If-Match": "2"])
    }

    @Test func `a method returns another request and does not change this one`() {
        let request = NetworkRequest<Void>.put("a")

        _ = request.json(["a": 1]).header("If-Match", "1")

        #expect("\(request)" == "NetworkRequest(PUT a, [], 0 bytes)")
    }

    @Test func `a mapped request is sent unchanged and has another output`() throws {
        let request = NetworkRequest<Product>.put("a", "b").json(["c": 1]).header("D", "e")
        var queried = request
        queried.query = [URLQueryItem(name: "f", value: "g")]

        let mapped = queried.map { product, response in
            [product.name, response.headers["ETag"]]
        }

        #expect(try mapped.urlRequest(relativeTo: .api) == queried.urlRequest(relativeTo: .api))
        let response = try NetworkResponse(headers: ["ETag": "7"], json: Product.boots)
        #expect(try mapped.decode(response) == ["Walking Boots", "7"])
    }

    @Test func `an error of map is thrown`() {
        let request = NetworkRequest<NetworkResponse>.get("a").map { _, _ -> Int in
            throw UnsupportedOperation("map")
        }

        #expect(throws: UnsupportedOperation("map")) { try request.decode(NetworkResponse()) }
    }
}
