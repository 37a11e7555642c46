import Foundation
import ProductKit
import Testing

/// Responses of a backend with JSON:API as plain JSON.
struct JSONAPIBehaviorTests {
    private struct Item: Decodable {
        struct Part: Decodable {
            let id: String
            var size: Decimal?
            var parts: [Part]?
        }

        let id: String
        var type: String?
        var name: String?
        var price: Decimal?
        var photo: Part?
        var parts: [Part]?
    }

    private let received = Lines()

    /// Returns the value that a request receives, if the server responds with a text.
    private func value<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        including names: String? = nil,
        at path: MemberPath = "data",
        of text: String
    ) async throws -> Value {
        let client = NetworkClient(behaviors: [JSONAPIBehavior()]) { _ in
            NetworkResponse(body: Data(text.utf8))
        }
        let request = NetworkRequest<Value>.get("items", query: ["include": names])
        return try await client.send(request.inside(path))
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a resource has its attributes and its related resources`() async throws {
        let item = try await value(
            Item.self,
            including: "photo,parts",
            of: #"""
                { "data" : {"type": "items", "id": "1",
                  "attributes": {"name": "A \"}\\", "price": 0.12345678901234567890123456789},
                  "relationships": {
                    "photo": {"data": {"id": "7", "type": "photos"}},
                    "parts": {"links": {}, "data": [{"type": "parts", "id": "2"}, {"type": "parts", "id": "3"}]},
                    "brand": {"links": {"related": "https://api.example.com/brand"}}}},
                  "included": [
                    {"type": "parts", "id": "3", "attributes": {"size": 3}},
                    {"type": "photos", "id": "2", "attributes": {"size": 9}},
                    {"type": "parts", "id": "2", "attributes": {"size": 2}}, {}, 7,
                    {"type": "photos", "id": "7", "attributes": {}}]}
                """#
        )

        #expect(item.type == "items")
        #expect(item.name == #"A "}\"#)
        #expect(item.price?.description == "0.12345678901234567890123456789")
        #expect(item.photo?.id == "7")
        #expect(item.photo?.size == nil)
        #expect(item.parts?.map(\.id) == ["2", "3"])
        #expect(item.parts?.map(\.size) == [2, 3])
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test(arguments: [(nil, nil), ("photo", nil), ("items.parts", 2), ("part", nil)])
    func `only relationships that the request includes are inserted`(
        names: String?,
        size: Decimal?
    ) async throws {
        let items = try await value(
            [Item].self,
            including: names,
            of: #"""
                {"data": [{"type": "items", "id": "1", "relationships": {"photo": {"data": null},
                  "parts": {"data": [{"type": "parts", "id": "2"}, {"type": "parts", "id": "4"}]}}}],
                  "included": [{"type": "parts", "id": "2", "attributes": {"size": 2}}]}
                """#
        )

        #expect(items.first?.parts?.map(\.id) == ["2", "4"])
        #expect(items.first?.parts?.map(\.size) == [size, nil])
        #expect(items.first?.photo == nil)
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a resource does not contain itself`() async throws {
        let item = try await value(
            Item.self,
            including: "parts",
            of: #"""
                {"data": {"type": "parts", "id": "1", "relationships": {"parts": {"data": [{"type": "parts", "id": "2"}]}}},
                  "included": [
                    {"type": "parts", "id": "1", "attributes": {"size": 1}},
                    {"type": "parts", "id": "2", "attributes": {"size": 2}, "relationships": {"parts": {"data": [
                      {"type": "parts", "id": "1"}, {"type": "parts", "id": "2"}]}}}]}
                """#
        )

        #expect(item.parts?.first?.size == 2)
        #expect(item.parts?.first?.parts?.map(\.id) == ["1", "2"])
        #expect(item.parts?.first?.parts?.map(\.size) == [nil, nil])
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a chain of resources ends before it exhausts the stack`() async throws {
        let chain = (2..<20_000).map { number in
            #"{"type": "parts", "id": "\#(number)", "relationships": {"parts": {"data": ["#
                + #"{"type": "parts", "id": "\#(number + 1)"}]}}}"#
        }
        var part = try await value(
            Item.Part.self,
            including: "parts",
            of: #"{"included": [\#(chain.joined(separator: ","))], "data": "#
                + #"{"type": "x", "id": "1", "relationships": {"parts": {"data": "#
                + #"[{"type": "parts", "id": "2"}]}}}}"#
        )

        var depth = 1
        while let next = part.parts?.first { (part, depth) = (next, depth + 1) }
        #expect(depth == 17)
        #expect(part.id == "17")
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a document whose resources multiply is too large`() async throws {
        let parts = (0..<100).map { #"{"type": "parts", "id": "\#($0)"}"# }.joined(separator: ",")
        let relationships = #""relationships": {"parts": {"data": [\#(parts)]}}"#
        let included = (0..<100).map { #"{"type": "parts", "id": "\#($0)", \#(relationships)}"# }

        let error = await #expect(throws: NetworkError.self) {
            try await value(
                Item.self,
                including: "parts",
                of: #"{"data": {"type": "items", "id": "1", \#(relationships)}, "#
                    + #""included": [\#(included.joined(separator: ","))]}"#
            )
        }

        #expect(error?.code == .tooLarge)
        #expect(error?.statusCode == 200)
        #expect(error?.debugDescription.contains("Include fewer of them.") == true)
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a large resource, and one that is read again and again, are too large`()
        async throws
    {
        let large = String(repeating: "a", count: 17 << 20)
        let padded = #"{"type": "parts", "id": "1", "meta": "\#(large.prefix(1 << 20))"}"#
        let references = Array(repeating: #"{"type": "parts", "id": "1"}"#, count: 70)
        for text in [
            #"{"data": {"type": "items", "id": "1", "attributes": {"name": "\#(large)"}}}"#,
            #"{"data": {"type": "items", "id": "1", "relationships": {"parts": {"data": "#
                + #"[\#(references.joined(separator: ","))]}}}, "included": [\#(padded)]}"#,
        ] {
            let error = await #expect(throws: NetworkError.self) {
                try await value(Item.self, including: "parts", of: text)
            }
            #expect(error?.code == .tooLarge)
        }
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `empty objects may be empty arrays`() async throws {
        let item = try await value(
            Item.self,
            of:
                #"{"data": {"type": "items", "id": "1", "attributes": [], "relationships": {"photo": [], "#
                + #""parts": {"data": [{"type": "parts", "id": "2"}]}}}}"#
        )

        #expect(item.photo == nil && item.parts?.map(\.id) == ["2"])
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a byte order mark is ignored`() async throws {
        let item = try await value(
            Item.self,
            of: "\u{FEFF}"
                + #"{"data": {"type": "items", "id": "1", "attributes": {"name": "A"}}}"#
        )

        #expect(item.name == "A")
    }

    // Rule: requests/json-api-is-plain-json (21); requests/fixed-fields-come-last (16)
    @Test func `an Accept of the client comes before that of JSON API`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [received] request in
                received.add(request.value(forHTTPHeaderField: "Accept") ?? "-")
                return .json("{}")
            },
            headers: ["Accept": "application/vnd.api+json;profile=a"],
            behaviors: [JSONAPIBehavior()]
        )

        _ = try await client.send(NetworkRequest<[String: Int]>.get("items"))

        #expect(received.all == ["application/vnd.api+json;profile=a"])
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `other members and other values stay as they are`() async throws {
        let text =
            #"{"meta": {"count": 7}, "data": [{"a": [1, {"b": "]"}]}, 3, []], "links": {"next": null}}"#

        #expect(try await value(Int.self, at: "meta.count", of: text) == 7)
        #expect(try await value(String.self, at: "data[0].a[1].b", of: text) == "]")
        #expect(try await value(Int.self, at: "data[1]", of: text) == 3)
        #expect(try await value(Int?.self, at: "data", of: #"{"data": null}"#) == nil)
        #expect(try await value([Int].self, at: [], of: "[1, 2]") == [1, 2])
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test(arguments: [
        #"{"data": {"type": "items", "id": "1", "attributes": {"name": "a}"#,
        #"{"data": {"type": "items""#,
        #"{"data": {"type": }}"#, #"{"data": "#, #"{"data""#, #"{"data": {"type": "a\"#, "{",
        "<html>", "",
        #"{"data": {"type": "items", "id": "1"}}<b>Warning</b>"#, #"{"data": []}]"#,
        #"{"data": {"type": "items", "id": "1", "attributes": {"name": "a",}}}"#,
        #"{"data": {"type": "items", "id": "1", "relationships": {"parts": {"data": []},}}}"#,
        #"{"data": {"type": "items", "id": "1", "attributes": 7}}"#,
        #"{"data": {"type": "items", "id": "1"}, "included": [{"type": "parts"}},]}"#,
        #"{"data": {"type": "items" "id": 1}}"#, #"{"data" {}}"#, #"{data: 1}"#, #"{"data": ]}"#,
    ])
    func `a text that is not valid is unreadable`(text: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await value(Item.self, of: text)
        }

        #expect(error?.code == .unreadable)
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a stored response that is unreadable is not served again`() async throws {
        let bodies = [
            #"{"data": {"type": "items", "id": "1", "attributes": 7}}"#,
            #"{"data": {"type": "items", "id": "1"}}"#,
        ]
        let caching = CachingBehavior(cache: ResponseCache(), partition: { "ann" })
        let client = NetworkClient(behaviors: [JSONAPIBehavior(), caching]) { [received] _ in
            received.add("")
            return .json(bodies[received.all.count - 1], headers: ["Cache-Control": "max-age=60"])
        }
        let request = NetworkRequest<Item>.get("items", "1").inside("data")

        await expectNetworkError(.unreadable) { try await client.send(request) }

        #expect(try await client.send(request).id == "1")
        #expect(try await client.send(request).id == "1")
        #expect(received.all.count == 2)
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `requests have the media type of JSON API`() async throws {
        let client = NetworkClient(behaviors: [JSONAPIBehavior()]) { [received] request in
            let names = ["Accept", "Content-Type"]
            let fields = names.map { request.value(forHTTPHeaderField: $0) ?? "-" }
            received.add(fields.joined(separator: " "))
            return .json("{}")
        }

        _ = try await client.send(NetworkRequest<[String: Int]>.get("items"))
        try await client.send(NetworkRequest<Void>.post("items").json(["a": 1]))
        try await client.send(
            NetworkRequest<Void>.post("items").header("Accept", "a/b")
                .header("Content-Type", "c/d").json(["a": 1])
        )

        let type = "application/vnd.api+json"
        #expect(received.all == ["\(type) -", "\(type) \(type)", "a/b c/d"])
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a draft has the type, the attributes and the relationships of a resource`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let id: Product.ID = "7"
        let drafts = [
            JSONAPIDraft("lists", attributes: ["name": "A"]),
            JSONAPIDraft("lists", id: id, attributes: ["size": 3]),
            JSONAPIDraft("lines", relationships: ["product": .init("products", id)]),
        ]

        #expect(
            try drafts.map { String(decoding: try encoder.encode($0), as: UTF8.self) } == [
                #"{"data":{"attributes":{"name":"A"},"type":"lists"}}"#,
                #"{"data":{"attributes":{"size":3},"id":"7","type":"lists"}}"#,
                #"{"data":{"attributes":{},"relationships":{"product":{"data":{"id":"7","type":"products"}}},"#
                    + #""type":"lines"}}"#,
            ]
        )
    }

    // Rule: requests/json-api-is-plain-json (21)
    @Test func `a failure is read as it is`() async throws {
        let failing = NetworkClient(
            behaviors: [JSONAPIBehavior()],
            failure: { NetworkError($0, message: "errors[0].detail", code: "errors[0].code") }
        ) { _ in
            .json(#"{"errors": [{"code": "4", "detail": "Sold out."}]}"#, statusCode: 422)
        }
        let error = await #expect(throws: NetworkError.self) {
            try await failing.send(NetworkRequest<Void>.post("items"))
        }
        #expect(error?.localizedDescription == "Sold out.")
        #expect(error?.problem?.type == "4")
    }
}
