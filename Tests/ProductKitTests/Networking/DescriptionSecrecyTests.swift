import Foundation
import ProductKit
import Testing

/// Tests that descriptions, mirrors and dumps contain no body and no secret of a header or URL.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DescriptionSecrecyTests {
    private let response = NetworkResponse(
        headers: [
            "Content-Type": "text/html", "Content-Length": "14", "Retry-After": "7",
            "Set-Cookie": "canary", "Authorization": "canary", "X-Api-Key": "canary",
        ],
        body: Data("{\"id_token\": \"canary\"}".utf8),
        url: URL(string: "https://me:canary@api.example.com/v1?token=canary&page=2#canary")
    )

    // Rule: security/bodies-on-request-only (36)
    @Test func `the error for a token endpoint's response contains its body only on request`()
        throws
    {
        var response = response
        response.headers["Content-Type"] = "application/json"
        response.body = Data(#"{"access_token": "canary", "title": "canary", "id": [7]}"#.utf8)

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Product.self) }
        )

        let texts = texts(of: error)
        #expect(!texts.contains("canary") && texts.contains("status code: 200"))
        #expect(Mirror(reflecting: error).children.isEmpty)
        #expect(error.body == response.body)
    }

    // Rule: security/bodies-on-request-only (36)
    @Test(arguments: [200, 401, 500])
    func `no error shows the body of its response`(statusCode: Int) {
        var response = response
        response.statusCode = statusCode

        let texts = texts(of: NetworkError(response))

        #expect(!texts.contains("canary") && texts.contains("text/html"))
    }

    // Rule: security/bodies-on-request-only (36); security/no-url-secrets-in-text (16)
    @Test func `a response shows its status, its size and unsuspicious fields only`() {
        #expect(
            "\(response)" == """
                NetworkResponse(200, https://api.example.com/v1?token=redacted&page=2, \
                [Content-Type: text/html, Content-Length: 14, Retry-After: 7, \
                Set-Cookie: redacted, Authorization: redacted, X-Api-Key: redacted], 22 bytes)
                """
        )
        #expect(!texts(of: response).contains("canary"))
    }

    // Rule: security/bodies-on-request-only (36)
    @Test(arguments: [
        "Cookie", "set-cookie", "AUTHORIZATION", "Proxy-Authorization", "ETag", "Location", "Link",
        "WWW-Authenticate", "Idempotency-Key", "X-Anything", "Referer", "User-Agent",
    ])
    func `the value of a header field is hidden unless it is known to contain no secret`(
        name: String
    ) {
        let headers: NetworkHeaders = [name: "canary", "content-TYPE": "text/plain"]

        #expect("\(headers)" == "[\(name): redacted, content-TYPE: text/plain]")
        #expect(!texts(of: headers).contains("canary"))
    }

    // Rule: security/bodies-on-request-only (36); security/no-url-secrets-in-text (16)
    @Test func `a request shows its path, its size and unsuspicious fields only`() throws {
        let request = NetworkRequest<Product>
            .get("products", "a/b", query: ["q": "boots", "token": "canary"])
            .header("Authorization", "canary")
            .json("canary")

        #expect(
            "\(request)" == """
                NetworkRequest(GET products/a/b?q=boots&token=redacted, [Accept: \
                application/json, Authorization: redacted, Content-Type: application/json], JSON)
                """
        )
        #expect(!texts(of: request).contains("canary"))
    }

    // Rule: security/no-token-in-text (15); security/no-url-secrets-in-text (16)
    @Test func `a client and a backend show their base URL without secrets`() throws {
        let baseURL = try #require(response.url)
        let networking = ClosureNetworking.closure { [response] _ in response }
        let client = NetworkClient(
            baseURL: baseURL,
            networking: networking,
            behaviors: [TokenBehavior { "canary" }]
        )
        let backend = ProductBackend(
            baseURL: baseURL,
            networking: networking,
            behaviors: [ClosureBehavior(additionalHeaders: { ["X-Api-Key": "canary"] })]
        )

        #expect("\(client)" == "NetworkClient(https://api.example.com/v1?token=redacted&page=2)")
        #expect("\(backend)" == "ProductBackend(https://api.example.com/v1?token=redacted&page=2)")
        #expect(!texts(of: client).contains("canary") && !texts(of: backend).contains("canary"))
    }

    // Rule: security/bodies-on-request-only (36)
    @Test func `values that contain them show no more`() async throws {
        let response = response
        let client = NetworkClient(
            baseURL: try #require(response.url),
            networking: .closure { _ in response }
        )
        let cache = ResponseCache()
        let caching = NetworkClient(behaviors: [CachingBehavior(cache: cache, partition: { "" })]) {
            _ in
            var response = response
            response.headers["Cache-Control"] = "max-age=60"
            return response
        }
        _ = try? await caching.send(.boots)
        let failure = NetworkError(response)
        let values: [Any] = [
            [response], ["a": response.headers], (response, 1), Optional(response) as Any,
            Result<NetworkResponse, any Error>.success(response),
            Result<NetworkResponse, any Error>.failure(failure),
            Fetched(1, source: .staleIfError(asOf: .distantPast, failure: failure)),
            cache, CachingBehavior(cache: cache, partition: { "" }), ListManager(client: client),
            ProductLoader(client: client),
        ]

        for value in values {
            #expect(!texts(of: value).contains("canary"))
        }
    }

    /// All texts that a program can print about a value.
    private func texts(of value: Any) -> String {
        var texts = [
            "\(value)", String(describing: value), String(reflecting: value),
            (value as? any Error)?.localizedDescription ?? "",
            Mirror(reflecting: value).children.map { "\($0)" }.joined(),
        ].joined(separator: "\n")
        dump(value, to: &texts)
        return texts
    }
}
