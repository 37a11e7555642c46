import Foundation
import ProductKit
import Testing

/// Products with the usual requests of a REST API.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RESTProductsTests {
    private struct Good: Decodable {
        let id: Product.ID
        let name: String
        let text: String
    }

    private let received = Lines()

    // Rule: requests/usual-requests-of-products (20)
    @Test func `each operation sends its request`() async throws {
        let loader = loader { _ in
            .json(
                """
                {"good": {"id": 7, "name": "Pan", "text": "Iron"}, "next": "c2",
                "rows": [{"id": 7, "name": "Pan", "text": "Iron"}, {"id": 8}]}
                """
            )
        }

        let pan = try await loader.loadProduct(withID: "7")
        let page = try await loader.products(matching: ProductQuery(text: "pan", limit: 5))
        _ = try await loader.products(matching: ProductQuery(ids: ["7", "8"]), after: page.next)
        let favorite = try await loader.setFavoriteStatus(true, forProductWithID: "7")

        #expect(pan == Product(id: "7", name: "Pan", description: "Iron"))
        #expect(page.items == [pan.summary(of: [.prices])] && page.rejectedCount == 1)
        #expect(favorite?.name == "Favorite")
        #expect(try await loader.favorites().items.map(\.isFavorite) == [true])
        #expect(
            received.all == [
                "GET v1/my/goods/7?shop=3&size=9", "GET v1/my/search?q=pan&shop=3&size=5",
                "GET v1/my/search?ids=7%2C8&shop=3&size=2&after=c2",
            ]
        )
    }

    // Rule: requests/usual-requests-of-products (20)
    @Test func `without identifiers, without another path, and without a product`() async throws {
        let client = client { request in
            request.url?.path() == "/v1/goods"
                ? .json(#"[{"id": 7, "name": "Pan", "text": ""}]"#) : .json("{}", statusCode: 404)
        }
        let loader = ProductLoader(
            client: client,
            path: ["goods"],
            pages: PageFormat(),
            searchQuery: { ["q": $0.text] },
            product: { (good: Good, _) in Product(id: good.id, name: good.name) }
        )

        await #expect(throws: UnsupportedOperation("search by ids")) {
            try await loader.products(matching: ProductQuery(ids: ["7"]))
        }
        #expect(received.all.isEmpty)
        await #expect(throws: ProductError.notFound("9")) {
            try await loader.loadProduct(withID: "9")
        }
        #expect(try await loader.products(matching: "").items == [Product(id: "7", name: "Pan")])
        await #expect(throws: UnsupportedOperation("setFavorite")) {
            try await loader.setFavoriteStatus(true, forProductWithID: "7")
        }
        #expect(received.all == ["GET v1/goods/9", "GET v1/goods"])
    }

    // Rule: requests/usual-requests-of-products (20)
    @Test func `rows of another type`() async throws {
        let client = client { request in
            request.url?.path() == "/v1/goods"
                ? .json(
                    #"{"total": 4, "rows": [{"title": "Pan"}, {"title": ""}, {}, {"advert": "Sale"}]}"#
                )
                : .json(#"{"id": 7, "name": "Pan", "text": "Iron"}"#)
        }
        let loader = ProductLoader(
            client: client,
            path: ["goods"],
            pages: PageFormat(items: "rows", total: "total"),
            searchQuery: { ["q": $0.text] },
            product: { (good: Good, _) in Product(id: good.id, name: good.name) },
            row: { (row: [String: String], _) in
                if row["advert"] != nil { return nil }
                guard let title = row["title"], !title.isEmpty else { throw InvalidIdentifier("") }
                return Product(id: Product.ID(title), name: title)
            }
        )

        #expect(try await loader.loadProduct(withID: "7") == Product(id: "7", name: "Pan"))
        let page = try await loader.products(matching: "pan")
        #expect(page.items == [Product(id: "Pan", name: "Pan")])
        #expect(page.rejectedCount == 2 && page.total == nil)
    }

    // Rule: requests/value-is-decoded-once (23)
    @Test func `what is beside the rows is decoded once for a page`() async throws {
        struct Pictures: Decodable {
            static let count = Counter()
            let url: URL

            init(from decoder: any Decoder) throws {
                _ = Self.count.next()
                url = try decoder.singleValueContainer().decode(URL.self)
            }
        }
        let rows = (1...9).map { #"{"id": \#($0), "name": "Pan", "text": ""}"# }
        let client = client { _ in
            .json(#"{"picture": "https://a.example/b", "rows": [\#(rows.joined(separator: ","))]}"#)
        }
        let loader = ProductLoader(
            client: client,
            path: ["goods"],
            pages: PageFormat(items: "rows"),
            searchQuery: { _ in [:] },
            product: { (good: Good, response) in
                let picture = try response.json(Pictures.self, at: "picture")
                #expect(throws: NetworkError.self) { try response.json(Int.self, at: "picture") }
                return Product(id: good.id, name: good.name, images: [picture.url])
            }
        )

        let page = try await loader.products(matching: "")

        #expect(page.items.count == 9 && page.items.allSatisfy { $0.images.count == 1 })
        #expect(Pictures.count.count == 1)
    }

    // Rule: requests/value-is-decoded-once (23)
    @Test func `another body, type or path is decoded again`() async throws {
        let request = NetworkRequest<[String: Int]>.get("goods").map { _, response in
            var changed = response
            changed.body = Data(#"{"a": 3, "b": 4}"#.utf8)
            var webPage = response
            _ = try webPage.json(Int.self, at: "a")
            webPage.headers["Content-Type"] = "text/html"
            #expect(throws: NetworkError.self) { try webPage.json(Int.self, at: "a") }
            return [
                try response.json(Int.self, at: "a"), try response.json(Int.self, at: "b"),
                Int(try response.json(Double.self, at: "a")), try changed.json(Int.self, at: "a"),
            ]
        }

        let values = try await client { _ in .json(#"{"a": 1, "b": 2}"#) }.send(request)

        #expect(values == [1, 2, 1, 3])
    }

    // Rule: requests/usual-requests-of-products (20)
    @Test func `an error of the query is thrown, and nothing is sent`() async throws {
        let client = client { _ in .json("[]") }
        let loader = ProductLoader(
            client: client,
            path: ["goods"],
            pages: PageFormat(),
            query: { ["user": try client.signedInUserID] },
            searchQuery: { _ in ["user": try client.signedInUserID] },
            product: { (good: Good, _) in Product(id: good.id, name: good.name) }
        )

        await expectNetworkError(.unauthorized) { try await loader.loadProduct(withID: "9") }
        await expectNetworkError(.unauthorized) { try await loader.products(matching: "pan") }
        #expect(received.all.isEmpty)
    }

    private func loader(
        respond: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> ProductLoader {
        ProductLoader(
            client: client(respond: respond),
            path: ["my", "goods"],
            searchPath: ["my", "search"],
            inside: "good",
            pages: PageFormat(items: "rows", next: "next", cursor: "after"),
            query: { ["shop": "3", "none": nil, "size": "9"] },
            searchQuery: { query in
                [
                    "q": query.text, "size": query.limit?.description,
                    "ids": query.ids.map(\.rawValue).joined(separator: ","),
                ]
            },
            findsIDs: true,
            rowMembers: [.prices],
            favorites: { _ in Page([Product(id: "9", name: "Favorite")]) },
            setFavorite: { id, _ in Product(id: id, name: "Favorite") },
            product: { (good: Good, _) in
                Product(id: good.id, name: good.name, description: good.text)
            }
        )
    }

    private func client(
        respond: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) -> NetworkClient {
        NetworkClient { [received] request in
            received.add(request.line.replacing("https://api.example.com/", with: ""))
            return try respond(request)
        }
    }
}
