import Foundation
import ProductKit
import Testing

/// Cursors that are URLs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageURLTests {
    private let sent = Lines()

    // Rule: security/next-page-on-same-host (32)
    @Test(
        arguments: [
            (
                "https://api.example.com/v1/products?q=boots&cursor=c2&limit=5",
                "?q=boots&cursor=c2&limit=5"
            ),
            ("https://api.example.com/v1/products?q=&page=2", "?q=&page=2"),
            ("https://api.example.com/v1/products?q=a&page=2", "?q=a&page=2"),
            ("HTTPS://API.Example.com:443/v1/products?q=a&page=2", "?q=a&page=2"),
            ("https://api.example.com/elsewhere/../admin?q=a&page=2", "?q=a&page=2"),
            ("https://me:secret@api.example.com/v1/products?q=a&page=2#top", "?q=a&page=2"),
            ("https://api.example.com/?q=a%26b%3Dc&x=%C3%BC", "?q=a%26b%3Dc&x=%C3%BC"),
            ("https://api.example.com/?q=red+boots&x=1%2B1", "?q=red%20boots&x=1%2B1"),
        ] as [(PageCursor, String)]
    )
    func `the query of a URL on the same origin is followed`(
        cursor: PageCursor,
        query: String
    ) async throws {
        _ = try await loader.products(matching: "first", after: cursor)
        _ = try await loader.favorites(after: cursor)
        _ = try await lists.lists(after: cursor)

        let expected = ["products", "favorites", "lists"]
            .map { "GET https://api.example.com/v1/\($0)\(query)" }
        #expect(sent.all == expected)
    }

    // Rule: requests/next-page-keeps-query (9)
    @Test(
        arguments: [
            ("?page=2&limit=5", "page=2&limit=5"), ("/v1/products?page=2", "page=2"),
            ("https://api.example.com/v1/products?page=2", "page=2"),
        ] as [(PageCursor, String)]
    )
    func `a link without the search text finds the same products`(
        cursor: PageCursor,
        query: String
    ) async throws {
        _ = try await loader.products(matching: ProductQuery(ids: ["7", "8"]), after: cursor)
        _ = try await loader.products(matching: "boots", after: cursor)

        let expected = ["ids=7&ids=8", "q=boots"]
            .map { "GET https://api.example.com/v1/products?\($0)&\(query)" }
        #expect(sent.all == expected)
    }

    // Rule: security/next-page-on-same-host (32); security/no-token-in-text (15)
    @Test(
        arguments: [
            "https://elsewhere.example/v1/products?page=2", "//evil.example/v1?page=2",
            "https://api.example.com.evil.example/?page=2", "http://com/v1?page=2",
            "https://api.example.com@evil.example/?page=2", "HTTP://evil.example",
            "https://sub.api.example.com/?page=2", "https://me:canary@evil.example/?token=canary",
        ] as [PageCursor]
    )
    func `a URL on another host is not followed, and the error contains no secret`(
        cursor: PageCursor
    ) async throws {
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await loader.products(after: cursor) },
            { _ = try await loader.favorites(after: cursor) },
            { _ = try await lists.lists(after: cursor) },
        ]

        for call in calls {
            let error = try #require(await #expect(throws: NetworkError.self) { try await call() })
            #expect(error.code == .redirect)
            #expect(error.debugDescription.contains("on another server"))
            #expect(!"\(error.localizedDescription) \(error.debugDescription)".contains("canary"))
        }
        #expect(sent.all.isEmpty)
    }

    // Rule: security/next-page-on-same-host (32)
    @Test(
        arguments: [
            // The scheme and the port behind a proxy.
            "http://api.example.com/v1/products?page=2", "http://api.example.com:8080/p?page=2",
            "https://api.example.com:8443/?page=2", "HTTP://API.Example.com:3000/v1?page=2",
            "//api.example.com/v1/products?page=2", "https://me:secret@api.example.com/?page=2",
            // Relative URLs.
            "/v2/goods?page=2", "?page=2", "/?page=2", "//api.example.com/v1/goods?page=2",
        ] as [PageCursor]
    )
    func `another URL of the same host is followed at the base URL`(
        cursor: PageCursor
    ) async throws {
        _ = try await loader.products(after: cursor)

        #expect(sent.all == ["GET https://api.example.com/v1/products?page=2"])
    }

    // Rule: security/next-page-on-same-host (32)
    @Test(
        arguments: [
            ("//elsewhere.example", "%2F%2Felsewhere.example"), ("/../admin", "%2F..%2Fadmin"),
            ("ftp://elsewhere.example/2", "ftp%3A%2F%2Felsewhere.example%2F2"),
            ("page=2", "page%3D2"), ("https:2", "https%3A2"), ("", ""),
        ] as [(PageCursor, String)]
    )
    func `a cursor that is not an http or https URL is sent as a cursor`(
        cursor: PageCursor,
        value: String
    ) async throws {
        _ = try await loader.products(after: cursor)

        #expect(sent.all == ["GET https://api.example.com/v1/products?cursor=\(value)"])
    }

    @Test func `the query of the base URL is sent once`() async throws {
        let base = URL.api.appending(queryItems: [URLQueryItem(name: "shop", value: "7")])

        _ = try await ProductLoader(baseURL: base, networking: networking)
            .products(after: "https://api.example.com/v1/products?shop=7&page=2")

        #expect(sent.all == ["GET https://api.example.com/v1/products?shop=7&page=2"])
    }

    @Test func `pages are followed from URL to URL`() async throws {
        let loader = ProductLoader(
            baseURL: .api,
            networking: .closure { request in
                let next = #""next": "https://api.example.com/v1/products?page=2""#
                return request.url?.query() == "page=2"
                    ? .json(#"{"items": [{"id": 2, "name": "B"}]}"#)
                    : .json(#"{"items": [{"id": 1, "name": "A"}], \#(next)}"#)
            }
        )

        let ids = try await loader.pages().reduce(into: []) { $0 += $1.items.map(\.id) }

        #expect(ids == ["1", "2"])
    }

    private var loader: ProductLoader { ProductLoader(baseURL: .api, networking: networking) }

    private var lists: ListManager { ListManager(baseURL: .api, networking: networking) }

    private var networking: ClosureNetworking {
        .closure { request in
            sent.add(request.line)
            return .json(#"{"items": []}"#)
        }
    }
}
