import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkRequestTests {
    private let text = "boots"

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
        #expect(request.parts.method == method && request.parts.segments == ["a"])
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
        #expect(request.parts.method == method && request.parts.segments == ["a"])
        #expect(request.parts.headers == ["Accept": "application/json, */*;q=0.1"])
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

    @Test func `a header field is set, replaced and removed`() {
        let request = NetworkRequest<Product>.get("a")
            .header("If-Match", "1")
            .header("if-match", "2")
            .header("accept", nil)

        #expect(request.parts.headers == ["If-Match": "2"])
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

    @Test func `a literal keeps its order, and may repeat a name`() {
        let request = NetworkRequest<Product>.get("a", query: ["z": text, "b": nil, "z": "2"])

        #expect(items(of: request) == ["z=boots", "z=2"])
    }

    @Test(arguments: [1, nil])
    func `a literal of any expressions keeps its order, and may repeat a name`(limit: Int?) {
        let ids = ["2", "1"]
        let conditional = NetworkRequest<Product>.get(
            "a",
            query: [
                "z": text.isEmpty ? nil : text, "c": ids.isEmpty ? nil : ids.joined(separator: ","),
                "b": limit?.description, "z": limit.map { "\($0)" },
            ]
        ).map { product, _ in [product] }
        let inferred: NetworkRequest<Product> = .get(
            "a",
            query: ["z": text, "a": nil, "z": "\(7)"]
        )

        #expect(
            conditional.query.map(\.value) == ["boots", "2,1"] + (limit == nil ? [] : ["1", "1"])
        )
        #expect(items(of: inferred) == ["z=boots", "z=7"])
    }

    @Test func `query items are taken as they are`() throws {
        var request = NetworkRequest<Product>.get("a")

        request.query = ["7", nil].map { URLQueryItem(name: "id", value: $0) }

        #expect(
            try request.urlRequest(relativeTo: .api).line
                == "GET https://api.example.com/v1/a?id=7&id="
        )
    }

    private func items(of request: NetworkRequest<Product>) -> [String] {
        request.query.map { "\($0.name)=\($0.value ?? "nil")" }
    }
}
