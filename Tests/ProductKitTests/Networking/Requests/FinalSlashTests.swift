import Foundation
import ProductKit
import Testing

/// Requests whose paths end in a slash.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FinalSlashTests {
    @Test(arguments: [
        ("https://a.example", "https://a.example/goods/7/?q=%2F"),
        ("https://a.example/v1", "https://a.example/v1/goods/7/?q=%2F"),
        ("https://a.example/v1/", "https://a.example/v1/goods/7/?q=%2F"),
        ("https://a.example/v1?tenant=7", "https://a.example/v1/goods/7/?tenant=7&q=%2F"),
    ])
    func `the path ends in a slash before the query`(base: String, address: String) throws {
        let request = NetworkRequest<Product>.get("goods", 7, query: ["q": "/"])

        #expect(try line(of: request, relativeTo: #require(URL(string: base))) == "GET \(address)")
    }

    @Test func `a segment may end in a slash, and a request without segments has none`() throws {
        #expect(try line(of: .get("a/")) == "GET https://api.example.com/v1/a%2F/")
        #expect(try line(of: .get()) == "GET https://api.example.com/v1")
    }

    // Rule: requests/slash-is-appended-everywhere (1)
    @Test func `a client sends each request with a slash, also through behaviors`() async throws {
        let seen = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                seen.add("sent \(request.line)")
                return NetworkResponse(statusCode: 404)
            },
            behaviors: [
                ClosureBehavior(intercept: { request, next in
                    seen.add("intercepted \(request.method) \(request.url.absoluteString)")
                    return try await next(request)
                })
            ],
            appendsSlash: true
        )

        let error = await client.error(of: .boots)

        let address = "https://api.example.com/v1/products/walking-boots/"
        #expect(seen.all == ["intercepted GET \(address)", "sent GET \(address)"])
        #expect(error?.url?.absoluteString == address)
    }

    // Rule: requests/slash-is-appended-everywhere (1)
    @Test func `a stored response is served, removed and invalidated with a slash`() async throws {
        let responses = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                responses.add(request.line)
                if request.httpMethod == "PUT" { return NetworkResponse(statusCode: 204) }
                return .json("7", headers: ["Cache-Control": "max-age=86400"])
            },
            behaviors: [
                CachingBehavior(
                    cache: ResponseCache(),
                    partition: { "" },
                    related: OpenAPIContract.relatedURLs(baseURL: .api)
                )
            ],
            appendsSlash: true
        )
        let list = NetworkRequest<Int>.get("lists", "a")
        let lists = NetworkRequest<Int>.get("lists")

        for request in [list, list, lists, lists] { _ = try await client.send(request) }
        try await client.send(.put("lists", "a"))
        for request in [list, lists] { _ = try await client.send(request) }
        for _ in 1...2 {
            await #expect(throws: NetworkError.self) {
                try await client.send(NetworkRequest<Product>.get("other"))
            }
        }

        let base = "https://api.example.com/v1"
        #expect(
            responses.all == [
                "GET \(base)/lists/a/", "GET \(base)/lists/", "PUT \(base)/lists/a/",
                "GET \(base)/lists/a/", "GET \(base)/lists/", "GET \(base)/other/",
                "GET \(base)/other/",
            ]
        )
    }

    // Rule: requests/slash-is-appended-everywhere (1)
    @Test(arguments: ["/products/walking-boots", "/products/walking-boots/"]) @MainActor
    func `a service invalidates the responses of a URL with or without its slash`(
        path: String
    ) async throws {
        let requests = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                requests.next()
                return try .boots(to: request)
            },
            behaviors: [CachingBehavior(cache: ResponseCache(), partition: { "" })],
            appendsSlash: true
        )
        let service = ProductService.contract(client: client)
        let url = try #require(URL(string: URL.api.absoluteString + path))

        _ = try await service.loader.fetchProduct(withID: "walking-boots")
        _ = try await service.loader.fetchProduct(withID: "walking-boots")
        #expect(requests.count == 1)
        service.invalidate(url)
        _ = try await service.loader.fetchProduct(withID: "walking-boots")

        #expect(requests.count == 2)
    }

    // Rule: requests/slash-is-appended-everywhere (1); cache/success-removes-responses (44)
    @Test(arguments: [true, false])
    func `a related URL and an invalidated one are spelled as in requests`(
        appendsSlash: Bool
    ) async throws {
        let (requests, api) = (Counter(), URL.api.appending(path: "shop:1"))
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { request in
                if request.httpMethod == "GET" { requests.next() }
                return .json(
                    #"{"id": "a:1", "name": "A"}"#,
                    headers: ["Cache-Control": "max-age=9"]
                )
            },
            appendsSlash: appendsSlash
        )
        let backend = ProductBackend(
            client: client,
            cache: ResponseCache(),
            related: { _ in [api.appending(path: "goods/a:1")] },
            effects: .stopped,
            loader: { client in
                ProductLoader(
                    load: { id in try await client.send(.get("goods", id)) },
                    setFavorite: { id, _ in
                        try await client.send(NetworkRequest<Void>.put("stars", id))
                        return Product(id: id, name: "A")
                    }
                )
            },
            listManager: { _ in .only() }
        )
        let service = backend.service(of: .guest)

        for _ in 1...2 {
            _ = try await service.loader.fetchProduct(withID: "a:1", policy: .standard)
        }
        #expect(requests.count == 1)
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "a:1")
        _ = try await service.loader.fetchProduct(withID: "a:1", policy: .standard)
        #expect(requests.count == 2)
        service.invalidate(api.appending(path: "goods/a:1"))
        _ = try await service.loader.fetchProduct(withID: "a:1", policy: .standard)

        #expect(requests.count == 3)
    }

    @Test func `related URLs end in a slash if the written URL does`() throws {
        let related = OpenAPIContract.relatedURLs(baseURL: .api)
        let url = try #require(URL(string: "https://api.example.com/v1/favorites/7/?a=b"))

        #expect(
            related(url).map(\.absoluteString) == [
                "https://api.example.com/v1/products/7/", "https://api.example.com/v1/products/",
                "https://api.example.com/v1/favorites/",
            ]
        )
    }

    private func line(
        of request: NetworkRequest<Product>,
        relativeTo baseURL: URL = .api
    ) throws -> String {
        try request.urlRequest(relativeTo: baseURL, appendsSlash: true).line
    }
}
