import Foundation
import ProductKit
import Testing

/// Code of the articles about other backends, and of comments of the library.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdapterSamples {
    private let boots = Product(id: "boots", name: "Boots")

    @Test func `envelopes`() async throws {
        let id: Product.ID = "boots"
        let api = URL.api
        let cursor: PageCursor? = nil
        let networking: any Networking = .closure { request in
            switch request.url?.lastPathComponent {
            case "boots": .json(#"{"data": {"product": {"id": 1, "name": "Boots"}}}"#)
            default: .json(#"{"result": {"goods": []}, "links": {"next": "2"}, "count": 3}"#)
            }
        }
        let client = NetworkClient(baseURL: api, networking: networking)
        do {
            let product = NetworkRequest<Product>.get("products", id).inside("data.product")
            #expect(try await client.send(product).name == "Boots")
        }
        do {
            let page = NetworkRequest<Page<Product>>.get("goods")
                .page(items: "result.goods", next: "links.next", total: "count")
            #expect(try await client.send(page) == Page([], next: "2", total: 3))
        }
        do {
            let request = NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
                .following(cursor)
            #expect(request.query.map(\.value) == ["boots"])
        }
        do {
            let page = NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
                .page(.linked, following: cursor)
            #expect(try await client.send(page).total == 3)
        }
        do {
            let text = "2.50"
            let price = try MemberPath("price").reading { try Price(text, currency: "EUR") }
            #expect(price == Price(minorUnits: 250, currency: "EUR"))
        }
    }

    @Test func `the next page is in a Link field`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                .json(
                    #"[{"sku": 1, "label": "Pan"}]"#,
                    headers: request.url?.query() == "find=pan&page=2"
                        ? [:] : ["Link": "<?page=2>; rel=\"next\"", "X-Total": "2"]
                )
            }
        )
        let search: @Sendable (ProductQuery, PageCursor?) async throws -> Page<Product> = {
            query,
            cursor in
            let request = NetworkRequest<Page<Good>>.get("goods", query: ["find": query.text])
                .map { goods, response in
                    var page = goods.map { good in try good.product }
                    page.next = response.nextPage
                    page.total = response.headers["X-Total"].flatMap { Int($0) }
                    return page
                }
            return try await client.send(request.following(cursor))
        }

        let first = try await search("pan", nil)

        #expect(first.next == "https://api.example.com/v1/goods?page=2")
        #expect(first.total == 2)
        #expect(try await search("pan", first.next).next == nil)
    }

    @Test func `summaries and composed products`() async throws {
        do {
            let product = Product(id: "boots", name: "Boots", description: "Waterproof")
            let row = product.summary(of: [.prices, .images])
            #expect(row.description == nil && row.unknownMembers.contains(.description))
        }
        do {
            let product = Fetched(boots, source: .network)
            let price = Fetched(2, source: .cache(asOf: .distantPast))
            let source = product.source.combined(with: price.source)
            #expect(source == price.source)
        }
        do {
            let rows = Page([ShopRow(id: "boots"), ShopRow(id: "pan")])
            let shop = PriceShop()
            let page = try await rows.concurrentMap { row in
                try await row.product(price: shop.price(of: row.id))
            }
            #expect(page.items.map(\.prices.count) == [1, 1])
        }
    }

    @Test func `offsets and unions`() async throws {
        let (id, cursor): (Product.ID, PageCursor?) = ("boots", "20")
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.httpMethod == "GET" || request.httpBody == Data(#"{"page":20}"#.utf8)
                    ? .json(#"[{"id": 1, "name": "Pan"}]"#, headers: ["X-WP-TotalPages": "22"])
                    : .json(#"{"data": {"addToList": {"id": 7}}}"#)
            }
        )
        let page = NetworkRequest<Page<Product>>.get("goods", query: ["search": "pan"])
            .page(.numbered, following: cursor)
        let search = NetworkRequest<Page<Product>>.post("search")
            .page(.numbered, following: cursor) { number in ["page": number] }
            .reading()
        let found = try await client.send(search)
        let addition = NetworkRequest<Void>.post("graphql")
            .json(GraphQLDocument("mutation($id: ID!) { addToList(id: $id) { … } }", ["id": id]))
            .failing(
                at: "data.addToList",
                having: "errorCode",
                code: "errorCode",
                codes: ["LIST_NOT_FOUND": .notFound]
            )
        try await client.send(addition)

        #expect(try await client.send(page).next == "21" && found.next == "21")
        for body in [
            #"{"errors": [{"message": "No"}], "data": null}"#,
            #"{"data": {"addToList": {"errorCode": "LIST_NOT_FOUND", "message": "No"}}}"#,
        ] {
            let failing = NetworkClient(baseURL: .api, networking: .closure { _ in .json(body) })
                .failing(at: "errors", code: "extensions.code")
            let error = await #expect(throws: NetworkError.self) {
                try await failing.send(addition)
            }
            #expect(error?.code == (body.contains("LIST") ? .notFound : .rejected))
        }
    }

    @Test func `failures`() async throws {
        let id: Product.ID = "boots"
        let api = URL.api
        let networking: any Networking = .closure { request in
            request.url?.lastPathComponent == "boots"
                ? .json(#"{"errors": [{"message": "Later", "extensions": {"code": "BUSY"}}]}"#)
                : .json(#"{"error": {"id": "stale", "text": "Changed"}}"#, statusCode: 422)
        }
        let client = NetworkClient(
            baseURL: api,
            networking: networking,
            failure: { response in
                NetworkError(
                    response,
                    message: "error.text",
                    code: "error.id",
                    codes: ["stale": .conflict]
                )
            }
        )
        let request = NetworkRequest<Product>.get("products", id)
            .inside("data.product")
            .failing(at: "errors", code: "extensions.code", codes: ["BUSY": .throttled])

        let busy = await #expect(throws: NetworkError.self) { try await client.send(request) }
        let stale = await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Product>.get("pan"))
        }

        #expect(busy?.code == .throttled)
        #expect(stale?.code == .conflict)
    }

    @Test func `errors of your own`() async throws {
        let (id, sku): (Product.ID, Product.ID) = ("boots", "pan")
        let document = ["query": "{ product { id name } }"]
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.httpMethod == "POST"
                    ? .json(#"{"data": {"product": null}}"#) : NetworkResponse(statusCode: 404)
            }
        )
        do {
            let product = NetworkRequest<Product>.get("goods", sku)
                .throwing(ProductError.notFound(sku), for: .notFound)
            await #expect(throws: ProductError.notFound(sku)) { try await client.send(product) }
        }
        do {
            let product = NetworkRequest<Product?>.post("graphql").json(document)
                .inside("data.product")
                .unwrapped()
                .throwing(ProductError.notFound(id), for: .notFound)
            await #expect(throws: ProductError.notFound(id)) { try await client.send(product) }
        }
    }

    @Test func `documents`() async throws {
        let (id, query, cursor): (Product.ID, ProductQuery, PageCursor?) = ("boots", "pan", "abc")
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                #expect(request.line == "POST https://api.example.com/v1/graphql")
                let body = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
                return body.contains("nodes")
                    ? .json(
                        """
                        {"data": {"products": {"nodes": [{"id": "boots", "name": "Boots"}],
                         "pageInfo": {"endCursor": "abc", "hasNextPage": false}}}}
                        """
                    )
                    : .json(#"{"data": {"product": {"id": "boots", "name": "Boots"}}}"#)
            }
        )
        let request = NetworkRequest<Product?>.post("graphql")
            .json(GraphQLDocument("query($id: ID!) { product(id: $id) { id name } }", ["id": id]))
            .reading()
            .inside("data.product")
            .unwrapped()
            .throwing(ProductError.notFound(id), for: .notFound)
        let product = try await client.send(request)
        let document = GraphQLDocument(
            """
            query($text: String, $first: Int!, $after: String) {
              products(search: $text, first: $first, after: $after) {
                nodes { id name } pageInfo { endCursor hasNextPage }
              }
            }
            """,
            ["text": query.text, "first": query.limit ?? 20, "after": cursor?.rawValue]
        )
        let search = NetworkRequest<Page<Product>>.post("graphql").json(document).reading().page(
            items: "data.products.nodes",
            next: "data.products.pageInfo.endCursor",
            hasNext: "data.products.pageInfo.hasNextPage"
        )
        let page = try await client.send(search)

        #expect(product.name == "Boots")
        #expect(page.items.count == 1 && page.next == nil)
    }

    @Test func `a product is made from two responses`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.url?.lastPathComponent == "price"
                    ? .json(#"{"amount": "39.95", "currency": "EUR"}"#)
                    : .json(#"{"sku": 7, "label": "Pan"}"#)
            }
        )
        let loader = ProductLoader(load: { sku in
            async let good = client.send(NetworkRequest<Good>.get("goods", sku))
            async let price = client.send(NetworkRequest<Price>.get("goods", sku, "price"))
            var product = try await good.product
            product.prices = [try await price]
            return product
        })

        let pan = try await loader.loadProduct(withID: "7")

        #expect(pan.price(in: "EUR") == Price(minorUnits: 3995, currency: "EUR"))
    }

    @Test func `favorites are stored in a list`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.url?.lastPathComponent == "baskets"
                    ? .json(
                        """
                        {"result": {"baskets": [{"id": 7, "title": "Favorites", "revision": 1,
                         "lines": [{"number": 1, "sku": 4711}]}]}}
                        """
                    )
                    : .json(#"{"good": {"sku": 4711, "label": "Pan"}}"#)
            }
        )
        let backend = ProductBackend(
            client: client,
            favoritesList: "Favorites",
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
        let service = ProductService(backend: backend, localUser: .shopper, user: .guest)

        #expect(try await service.viewModel(forProductWithID: "4711").isFavorite)
        #expect(try await service.listManager.lists().items.isEmpty)
    }

    @Test func `comments of the library`() async throws {
        let api = URL.api
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        let backend = ProductBackend(
            client: NetworkClient(baseURL: api),
            cache: ResponseCache(directory: folder),
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
        #expect("\(backend)" == "ProductBackend(https://api.example.com/v1)")
        do {
            let lists = ListManager(addProduct: { _, _ in }, lists: { _ in Page([]) })
            let shop = ProductLoader(load: { id in Product(id: id, name: "Boots") })
            let loader = shop.storingFavorites(inListNamed: "Favorites", of: lists)
            let listManager = lists.hidingLists(named: "Favorites")
            #expect(try await !loader.loadProduct(withID: "boots").isFavorite)
            #expect(try await listManager.lists() == Page([]))
        }
    }

    @Test func `lines`() async throws {
        let shop = LineShop()
        let lines = ListLines(
            read: { list in try await shop.contents(of: list) },
            add: { product, contents in try await shop.addLine(product, to: contents) },
            remove: { lines, contents in try await shop.remove(lines, from: contents) }
        )
        let lists = ListManager(lines: lines)

        try await lists.addProduct(withID: "boots", toListWithID: "wishlist")
        try await lists.addProduct(withID: "boots", toListWithID: "wishlist")
        #expect(await shop.lines.count == 1)
        do {
            let lines = ListLines(
                read: { list in try await shop.allContents().contents(ofListWithID: list) },
                add: { product, contents in try await shop.addLine(product, to: contents) },
                remove: { lines, contents in try await shop.remove(lines, from: contents) }
            )
            #expect(try await lines.list("wishlist").products == ["boots"])
        }
        try await lists.removeProduct(withID: "boots", fromListWithID: "wishlist")
        #expect(try await lists.list(withID: "wishlist").products.isEmpty)
    }
}

private struct ShopRow {
    let id: Product.ID

    func product(price: Price) -> Product {
        Product(id: id, name: "", prices: [price])
    }
}

private struct PriceShop {
    func price(of id: Product.ID) async throws -> Price {
        Price(minorUnits: 250, currency: "EUR")
    }
}

private actor LineShop {
    private(set) var lines: [ListLines.Line] = []

    func contents(of list: ProductList.ID) throws -> ListLines.Contents {
        ListLines.Contents(id: list, name: "Wishlist", lines: lines)
    }

    func allContents() throws -> Page<ListLines.Contents> {
        Page([try contents(of: "wishlist")])
    }

    func addLine(_ product: Product.ID, to contents: ListLines.Contents) throws {
        lines.append(ListLines.Line(id: "\(lines.count)", product: product))
    }

    func remove(_ removed: [ListLines.Line.ID], from contents: ListLines.Contents) throws {
        lines.removeAll { removed.contains($0.id) }
    }
}
