import Foundation
import ProductKit
import Testing

/// Bodies of requests, which are encoded when the request is sent.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RequestBodyTests {
    private struct Draft: Encodable {
        var unitPrice = 1.5
        var taxes = [0.19]
        var password = "canary"
    }

    @Test func `a JSON body has sorted keys, plain slashes and a content type`() throws {
        let request = try NetworkRequest<Void>.put("a").json(["b": "x/y", "a": "ü"])
            .urlRequest(relativeTo: .api)

        #expect(request.text == #"{"a":"ü","b":"x/y"}"#)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `a content type of the request stays, in any order`() throws {
        let type = "application/vnd.api+json"
        for request in [
            NetworkRequest<Void>.put("a").header("content-type", type).json(["a": 1]),
            NetworkRequest<Void>.put("a").json(["a": 1]).header("content-type", type),
        ] {
            let sent = try request.urlRequest(relativeTo: .api)
            #expect(sent.value(forHTTPHeaderField: "Content-Type") == type)
        }
    }

    // Rule: requests/one-encoder-per-client (3)
    @Test func `the encoder of the client encodes the body, with sorted keys`() async throws {
        let sent = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                sent.add(request.text)
                return NetworkResponse(statusCode: 204)
            },
            encoder: {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                return encoder
            }
        )
        let names = "abcdefghijklmnop".map { "\($0)" }

        try await client.send(.post("a").json(Draft()))
        try await client.send(
            .post("a").json(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        )

        #expect(sent.all.first == #"{"password":"canary","taxes":[0.19],"unit_price":1.5}"#)
        #expect(sent.all.last == "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}")
    }

    // Rule: requests/invalid-body-is-not-sent (4)
    @Test(arguments: [
        (Draft(unitPrice: .nan), "unitPrice"), (Draft(taxes: [0, .infinity]), "taxes[1]"),
    ])
    private func `a body that cannot be encoded is not sent, and the error names the member`(
        draft: Draft,
        member: String
    ) async throws {
        let outcomes = Lines()
        let client = NetworkClient.sendingNothing(behaviors: [
            ClosureBehavior(afterFailure: { _ in outcomes.add("failed") })
        ])

        let error = try #require(await client.error(of: .post("a").json(draft)))

        #expect(error.code == .invalidRequest)
        #expect(!error.mayHaveReachedServer)
        let details = "The member “\(member)” of the body cannot be encoded."
        #expect(error.details?.hasPrefix(details) == true)
        #expect(error.url?.absoluteString == "https://api.example.com/v1/a")
        #expect(error.underlying is EncodingError)
        #expect(!error.debugDescription.contains("canary"))
        #expect(outcomes.all == ["failed"])
    }

    // Rule: requests/invalid-body-is-not-sent (4); security/no-token-in-text (15)
    @Test func `the error for a value that cannot be encoded does not contain it`() throws {
        let request = NetworkRequest<Void>.post("a").json(Secret())

        let error = #expect(throws: NetworkError.self) { try request.urlRequest(relativeTo: .api) }

        #expect(
            error?.debugDescription.contains("The body cannot be encoded. No such format.") == true
        )
        #expect(error?.debugDescription.contains("canary") == false)
        #expect("\(error?.underlying as Any)".contains("canary") == false)
    }

    private struct Secret: Encodable {
        let token = "canary"

        func encode(to encoder: any Encoder) throws {
            let context = EncodingError.Context(codingPath: [], debugDescription: "No such format.")
            throw EncodingError.invalidValue(self, context)
        }
    }

    // Rule: requests/form-body (5)
    @Test(arguments: [
        ("a", "a"), ("a b", "a+b"), ("a+b", "a%2Bb"), ("*-._", "*-._"), ("~", "%7E"),
        ("a&b=c", "a%26b%3Dc"), ("ü€😀", "%C3%BC%E2%82%AC%F0%9F%98%80"), ("\r\n", "%0D%0A"),
        ("%20", "%2520"), ("%2A", "%252A"), ("", ""), ("'()!", "%27%28%29%21"),
    ])
    func `the fields of a form are serialized as in the URL standard`(
        text: String,
        serialized: String
    ) throws {
        let request = try NetworkRequest<Void>.post("a").form([text: text, "b": nil, "c": "1"])
            .urlRequest(relativeTo: .api)

        #expect(request.text == "\(serialized)=\(serialized)&c=1")
        let type = request.value(forHTTPHeaderField: "Content-Type")
        #expect(type == "application/x-www-form-urlencoded")
    }

    // Rule: requests/form-body (5)
    @Test func `a form is built at run time from query items`() throws {
        let fields = ["1", nil].map { URLQueryItem(name: "id", value: $0) }

        let request = try NetworkRequest<Void>.post("a").form(fields).urlRequest(relativeTo: .api)

        #expect(request.text == "id=1&id=")
    }

    // Rule: requests/graphql-body (22)
    @Test(arguments: [false, true])
    func `a GraphQL document is sent with its variables`(usesSnakeCase: Bool) async throws {
        struct Filter: Encodable { let maxPrice: Decimal }
        let bodies = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                bodies.add(request.text)
                return .json("{}")
            },
            usesSnakeCase: usesSnakeCase,
            encoder: {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                encoder.dateEncodingStrategy = .secondsSince1970
                return encoder
            }
        )
        let cursor: PageCursor? = nil
        let variables: [String: (any Encodable & Sendable)?] = [
            "listID": ProductList.ID("a/b"), "first": 20, "after": cursor?.rawValue, "no": nil,
            "filter": Filter(maxPrice: 9.5), "day": Date(timeIntervalSince1970: 5),
            "page": URL(string: "https://a.example/"), "ids": ["1", "2"] as [Product.ID],
        ]

        for document in [GraphQLDocument("{ a }", variables), GraphQLDocument("{ a }")] {
            try await client.send(NetworkRequest<Void>.post("graphql").json(document))
        }

        let price = usesSnakeCase ? "max_price" : "maxPrice"
        let expected =
            #"{"query":"{ a }","variables":{"day":5,"filter":{"\#(price)":9.5},"first":20,"#
            + #""ids":["1","2"],"listID":"a/b","page":"https://a.example/"}}"#
        #expect(bodies.all == [expected, #"{"query":"{ a }","variables":{}}"#])
    }

    // Rule: requests/timeout-of-each-attempt (6)
    @Test func `a timeout is that of the request`() throws {
        let request = NetworkRequest<Product>.get("a")

        let fast = try request.timeout(.milliseconds(1_500)).map { product, _ in product.name }
            .urlRequest(relativeTo: .api)

        #expect(fast.timeoutInterval == 1.5)
        #expect(try request.urlRequest(relativeTo: .api).timeoutInterval == 60)
        for timeout in [Duration.zero, .seconds(-1), .seconds(2e9)] {
            let error = #expect(throws: NetworkError.self) {
                try request.timeout(timeout).urlRequest(relativeTo: .api)
            }
            #expect(error?.code == .invalidRequest)
        }
    }
}
