extension ProductLoader {
    /// Creates a loader with the requests that most REST backends have.
    ///
    /// ```swift
    /// let loader = ProductLoader(
    ///     client: client,
    ///     path: ["goods"],
    ///     inside: "good",
    ///     pages: .bazaar,
    ///     searchQuery: { query in ["find": query.text, "size": query.limit?.description] },
    ///     product: { (good: Good, _) in try good.product }
    /// )
    /// ```
    ///
    /// | Operation | Request |
    /// |---|---|
    /// | Load a product | `GET goods/{product}` with the items of `query` |
    /// | Load a page | `GET goods` with the items of `query` and `searchQuery` |
    ///
    /// Query items are sorted by name, with that of the next page at the end. One whose value is `nil` or empty is left
    /// out. A 404 to the first request throws ``ProductError/notFound(_:)``. For other requests, use
    /// ``init(load:search:favorites:setFavorite:)``.
    ///
    /// - Parameters:
    ///   - client: Sends the requests, below its base URL.
    ///   - path: The segments of the path of the products.
    ///   - searchPath: The segments of the path of the pages, if it is another one.
    ///   - envelope: The path of a product in the response that contains only this product; empty if the whole
    ///     body is the product.
    ///   - pages: The format of a page of products.
    ///   - query: Creates the query items of both requests, such as `{ ["currency": client.currency] }`.
    ///   - searchQuery: Creates the further ones of the request for a page, such as the text and the page size. An
    ///     item replaces that of `query` with the same name. The format adds that of the next page.
    ///   - findsIDs: Whether `searchQuery` also reads ``ProductQuery/ids``. With `false`, the default, a query with
    ///     identifiers throws ``UnsupportedOperation``.
    ///   - rowMembers: The members that a product of a page has, if the backend returns less there; see
    ///     ``Product/summary(of:)``.
    ///   - favorites: Loads a page of the user's favorites, as in ``init(load:search:favorites:setFavorite:)``. The
    ///     other parameters do not apply to it: return a ``Product/summary(of:)`` of a product that has less.
    ///   - setFavorite: Sets the favorite status, as in ``init(load:search:favorites:setFavorite:)``.
    ///   - product: Converts a product of a response, which may contain more than the product. A product of a
    ///     page for which it throws is in ``Page/rejected``.
    public init<Value: Decodable & Sendable>(
        client: NetworkClient,
        path: [String],
        searchPath: [String]? = nil,
        inside envelope: MemberPath = [],
        pages: PageFormat,
        query: @escaping @Sendable () throws -> [String: String?] = { [:] },
        searchQuery: @escaping @Sendable (ProductQuery) throws -> [String: String?],
        findsIDs: Bool = false,
        rowMembers: Product.Members? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil,
        product: @escaping @Sendable (Value, NetworkResponse) throws -> Product
    ) {
        self.init(
            client: client,
            path: path,
            searchPath: searchPath,
            inside: envelope,
            pages: pages,
            query: query,
            searchQuery: searchQuery,
            findsIDs: findsIDs,
            favorites: favorites,
            setFavorite: setFavorite,
            product: product,
            row: { (value: Value, response) in
                let product = try product(value, response)
                return rowMembers.map { product.summary(of: $0) } ?? product
            }
        )
    }

    /// Creates a loader with the requests that most REST backends have, whose pages contain values of another
    /// type than the response with one product.
    ///
    /// It sends the requests of
    /// ``init(client:path:searchPath:inside:pages:query:searchQuery:findsIDs:rowMembers:favorites:setFavorite:product:)``,
    /// which describes the other parameters. `row` converts an element of a page to a product. If it has less than a
    /// product that is loaded by itself, return its ``Product/summary(of:)``. With `nil`, the element is left out, and
    /// ``Page/total`` is `nil`. An element for which `row` throws is in ``Page/rejected``.
    public init<Value: Decodable & Sendable, Row: Decodable & Sendable>(
        client: NetworkClient,
        path: [String],
        searchPath: [String]? = nil,
        inside envelope: MemberPath = [],
        pages: PageFormat,
        query: @escaping @Sendable () throws -> [String: String?] = { [:] },
        searchQuery: @escaping @Sendable (ProductQuery) throws -> [String: String?],
        findsIDs: Bool = false,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil,
        product: @escaping @Sendable (Value, NetworkResponse) throws -> Product,
        row: @escaping @Sendable (Row, NetworkResponse) throws -> Product?
    ) {
        self.init(
            load: { id in
                let items = try query().nonEmpty
                let request = NetworkRequest<Value>("GET", path + [id.rawValue], query: items)
                    .inside(envelope)
                    .throwing(ProductError.notFound(id), for: .notFound)
                    .map(product)
                return try await client.send(request)
            },
            search: { products, cursor in
                guard findsIDs || products.ids.isEmpty else {
                    throw UnsupportedOperation("search by ids")
                }
                var products = products
                if products.limit == nil, !products.ids.isEmpty {
                    products.limit = products.ids.count
                }
                let items = try query().merging(searchQuery(products)) { $1 }.nonEmpty
                let request = NetworkRequest<Page<Row>>("GET", searchPath ?? path, query: items)
                    .page(pages, following: cursor)
                    .map { page, response in page.compactMap { try row($0, response) } }
                return try await client.send(request)
            },
            favorites: favorites,
            setFavorite: setFavorite
        )
    }
}

extension [String: String?] {
    /// The query items that have a value.
    fileprivate var nonEmpty: [String: String?] { filter { $0.value?.isEmpty == false } }
}
