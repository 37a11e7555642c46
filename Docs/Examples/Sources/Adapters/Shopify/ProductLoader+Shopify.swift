public import ProductKit

extension ProductLoader {
    /// Creates a loader for Shopify's Storefront API, which does not support favorites.
    ///
    /// - Parameter client: A client for Shopify.
    public init(shopify client: NetworkClient) {
        self.init(
            load: { id in
                try await Self.requiredProduct(withID: id) {
                    let document = "query($id: ID!) { product(id: $id) { ...Fields } }"
                    let request = NetworkRequest<ShopifyProduct?>
                        .shopify(document + ShopifyProduct.fields, ShopifyVariables(id: id))
                    return try await client.send(request.inside("data.product"))?.product
                }
            },
            search: { query, cursor in
                guard query.ids.isEmpty else { return try await nodes(query.ids, from: client) }
                let document = """
                    query($query: String, $first: Int!, $after: String) {
                      products(query: $query, first: $first, after: $after) {
                        nodes { ...Fields } pageInfo { hasNextPage endCursor }
                      }
                    }
                    """
                let variables = ShopifyVariables(
                    query: query.text.isEmpty ? nil : query.text,
                    first: query.limit ?? 20,
                    after: cursor?.rawValue
                )
                let request = NetworkRequest<ShopifyProducts>
                    .shopify(document + ShopifyProduct.fields, variables)
                return try await client.send(request.inside("data.products")).page
            }
        )
    }
}

/// Loads the products with the given identifiers and omits missing ones.
private func nodes(_ ids: [Product.ID], from client: NetworkClient) async throws -> Page<Product> {
    let document = "query($ids: [ID!]!) { nodes(ids: $ids) { ...Fields } }"
    let request = NetworkRequest<Page<ShopifyProduct?>>
        .shopify(document + ShopifyProduct.fields, ShopifyVariables(ids: ids))
    let nodes = try await client.send(request.inside("data.nodes"))
    return Page(nodes.items.compactMap { $0?.product }, rejected: nodes.rejected)
}
