import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductLoaderContractTests {
    private let fieldsOfReads = ["Accept": "application/json", "Cache-Control": "max-age=0"]
    private static let ids: [(id: Product.ID, segment: String)] = [
        ("walking-boots", "walking-boots"), ("42", "42"), ("a/b", "a%2Fb"),
        ("größe", "gr%C3%B6%C3%9Fe"), ("gid://shop/Product/42", "gid%3A%2F%2Fshop%2FProduct%2F42"),
        ("a?b#c%d", "a%3Fb%23c%25d"), ("日本", "%E6%97%A5%E6%9C%AC"),
    ]

    @Test(arguments: ids)
    func `a product is loaded`(id: Product.ID, segment: String) async throws {
        let loader = ProductLoader.contract { request in
            #expect(request.line == "GET https://api.example.com/v1/products/\(segment)")
            #expect(request.allHTTPHeaderFields == fieldsOfReads)
            #expect(request.httpBody == nil)
            return try NetworkResponse(json: Product.boots)
        }

        #expect(try await loader.loadProduct(withID: id) == .boots)
    }

    @Test(
        arguments: [
            ("", nil, ""), ("boots", nil, "?q=boots"), ("", "2", "?cursor=2"),
            ("a&b=c+d #1", "x=/?", "?q=a%26b%3Dc%2Bd%20%231&cursor=x%3D%2F%3F"),
            (ProductQuery(ids: ["b", "a/ü"]), nil, "?ids=b&ids=a%2F%C3%BC"),
            (ProductQuery(limit: 100), nil, "?limit=100"),
            (
                ProductQuery(text: "x", ids: ["1"], limit: 5), "2",
                "?q=x&cursor=2&limit=5&ids=1"
            ),
        ] as [(ProductQuery, PageCursor?, String)]
    )
    func `a page of products is loaded`(
        query: ProductQuery,
        cursor: PageCursor?,
        sent: String
    ) async throws {
        let loader = ProductLoader.contract { request in
            #expect(request.line == "GET https://api.example.com/v1/products\(sent)")
            #expect(request.allHTTPHeaderFields == fieldsOfReads)
            return .json(#"{"items": [{"id": 1, "name": "A"}, 7], "next": "3", "total": 9}"#)
        }

        let page = try await loader.products(matching: query, after: cursor)

        #expect(page.items == [Product(id: "1", name: "A")])
        #expect(page.next == "3" && page.total == 9)
        #expect(page.rejected.map(\.index) == [1])
    }

    // Rule: security/next-page-on-same-host (32)
    @Test(arguments: ["//elsewhere.example", "/../admin", "elsewhere.example/v1?page=2"])
    func `a cursor that looks like another host or path is sent to the same URL`(
        cursor: PageCursor
    ) async throws {
        let loader = ProductLoader.contract { request in
            #expect(request.url?.host == "api.example.com")
            #expect(request.url?.path == "/v1/products")
            return .json(#"{"items": []}"#)
        }

        #expect(try await loader.products(matching: "", after: cursor).items.isEmpty)
    }

    @Test(arguments: [(nil, ""), ("a b", "?cursor=a%20b")] as [(PageCursor?, String)])
    func `a page of favorites is loaded`(cursor: PageCursor?, sent: String) async throws {
        let loader = ProductLoader.contract { request in
            #expect(request.line == "GET https://api.example.com/v1/favorites\(sent)")
            return .json(#"{"items": [{"id": "a", "name": "A", "isFavorite": true}]}"#)
        }

        let page = try await loader.favorites(after: cursor)

        #expect(page == Page([Product(id: "a", name: "A", isFavorite: true)]))
    }

    @Test(arguments: [(true, "PUT"), (false, "DELETE")], ids)
    func `a favorite status is sent as PUT or DELETE`(
        change: (isFavorite: Bool, method: String),
        product: (id: Product.ID, segment: String)
    ) async throws {
        let url = "https://api.example.com/v1/favorites/\(product.segment)"
        let loader = ProductLoader.contract { request in
            #expect(request.line == "\(change.method) \(url)")
            #expect(request.allHTTPHeaderFields == ["Accept": "application/json"])
            #expect(request.httpBody == nil)
            return try NetworkResponse(
                json: Product.boots.with { $0.isFavorite = change.isFavorite }
            )
        }

        let result = try await loader.setFavoriteStatus(
            change.isFavorite,
            forProductWithID: product.id
        )

        #expect(result?.isFavorite == change.isFavorite)
    }

    @Test(arguments: [(true, "PUT"), (false, "DELETE")], [200, 202, 204])
    func `after a success without a body the product is loaded again`(
        change: (isFavorite: Bool, method: String),
        statusCode: Int
    ) async throws {
        let product = Product(id: "a/b", name: "Walking Boots")
        let lines = Lines()
        let loader = ProductLoader.contract { request in
            lines.add(request.line)
            if request.httpMethod != "GET" { return NetworkResponse(statusCode: statusCode) }
            return try NetworkResponse(json: product)
        }

        let result = try await loader.setFavoriteStatus(change.isFavorite, forProductWithID: "a/b")

        #expect(result == product)
        let expected = [
            "\(change.method) https://api.example.com/v1/favorites/a%2Fb",
            "GET https://api.example.com/v1/products/a%2Fb",
        ]
        #expect(lines.all == expected)
    }

    // Rule: errors/missing-product-is-not-found (6)
    @Test(arguments: [404, 410])
    func `a product that does not exist is not found`(status: Int) async {
        let loader = ProductLoader.contract { _ in NetworkResponse(statusCode: status) }

        for call in calls(of: loader, productID: "a/b") {
            await #expect(throws: ProductError.notFound("a/b")) { try await call() }
        }
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test(arguments: [404, 410])
    func `a web page does not mean that a product was removed`(status: Int) async {
        let loader = ProductLoader.contract { _ in .webPage(statusCode: status) }

        for call in calls(of: loader, productID: "boots") {
            let error = await expectNetworkError(.unexpected) { try await call() }
            #expect(error?.statusCode == status)
            #expect(error?.debugDescription.contains("Check that the base URL") == true)
        }
    }

    @Test(arguments: [304, 400, 401, 403, 409, 412, 429, 500, 503])
    func `any other status code throws a network error`(status: Int) async {
        let loader = ProductLoader.contract { _ in NetworkResponse(statusCode: status) }

        for (_, call) in loader.everyOperation {
            let error = await #expect(throws: NetworkError.self) { try await call() }
            #expect(error?.statusCode == status)
        }
    }

    @Test func `a 404 for a page of products throws a network error`() async {
        let loader = ProductLoader.contract { _ in NetworkResponse(statusCode: 404) }

        await expectNetworkError(.notFound) { try await loader.products() }
        await expectNetworkError(.notFound) { try await loader.favorites() }
    }

    @Test(arguments: [.webPage, .json("{}")] as [NetworkResponse])
    func `a response that is not a product is unreadable`(response: NetworkResponse) async {
        let loader = ProductLoader.contract { _ in response }

        for call in calls(of: loader, productID: "boots") {
            await expectNetworkError(.unreadable) { try await call() }
        }
    }

    /// The calls for one product.
    private func calls(
        of loader: ProductLoader,
        productID id: Product.ID
    ) -> [@Sendable () async throws -> Void] {
        [
            { _ = try await loader.loadProduct(withID: id) },
            { _ = try await loader.setFavoriteStatus(true, forProductWithID: id) },
            { _ = try await loader.setFavoriteStatus(false, forProductWithID: id) },
        ]
    }
}
