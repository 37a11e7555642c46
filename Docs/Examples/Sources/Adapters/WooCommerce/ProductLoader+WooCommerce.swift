public import ProductKit

extension ProductLoader {
    /// Creates a loader for WooCommerce, which does not support favorites.
    ///
    /// - Parameters:
    ///   - client: A client for WooCommerce.
    ///   - currency: The currency of the store, which its products do not contain.
    public init(wooCommerce client: NetworkClient, currency: String) {
        self.init(
            load: { id in
                try await Self.requiredProduct(withID: id) {
                    let request = NetworkRequest<WooCommerceProduct>.get("products", id)
                        .map { product, _ in try product.product(in: currency) }
                    return try await client.send(request)
                }
            },
            search: { query, cursor in
                let limit = query.limit ?? (query.ids.isEmpty ? nil : query.ids.count)
                let request = NetworkRequest<Page<WooCommerceProduct>>.get(
                    "products",
                    query: [
                        "search": query.text.isEmpty ? nil : query.text,
                        "include": query.ids.isEmpty
                            ? nil : query.ids.map(\.rawValue).joined(separator: ","),
                        "per_page": limit?.description,
                    ]
                ).map { products, response in
                    var page = products.map { try $0.product(in: currency) }
                    page.next = response.nextPage
                    page.total = response.headers["X-WP-Total"].flatMap { Int($0) }
                    return page
                }
                return try await client.send(request.following(cursor, from: client.baseURL))
            }
        )
    }
}
