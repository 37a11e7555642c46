import ProductKit

extension ProductLoader {
    /// Creates a loader for Shopify's Storefront API, without favorites.
    init(shopify client: NetworkClient) {
        self.init(
            load: { id in
                let document = "query($id: ID!) { product(id: $id) { ...Fields } }"
                let request = NetworkRequest<ShopifyProduct?>
                    .query(
                        document + ShopifyProduct.fields,
                        ["id": id],
                        at: "data.product"
                    )
                    .unwrapped()
                    .throwing(ProductError.notFound(id), for: .notFound)
                return try await client.send(request).product
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
                let variables: ShopifyVariables = [
                    "query": query.text.nonEmpty, "first": query.limit ?? 20,
                    "after": cursor?.rawValue,
                ]
                let request = NetworkRequest<Page<ShopifyProduct>>
                    .query(document + ShopifyProduct.fields, variables)
                    .page(
                        items: "data.products.nodes",
                        next: "data.products.pageInfo.endCursor",
                        hasNext: "data.products.pageInfo.hasNextPage"
                    )
                return try await client.send(request).map(\.product)
            }
        )
    }
}

/// Loads the products with the given identifiers and omits missing ones.
private func nodes(_ ids: [Product.ID], from client: NetworkClient) async throws -> Page<Product> {
    let document = "query($ids: [ID!]!) { nodes(ids: $ids) { ...Fields } }"
    let request = NetworkRequest<Page<ShopifyProduct?>>
        .query(document + ShopifyProduct.fields, ["ids": ids], at: "data.nodes")
    let nodes = try await client.send(request)
    return Page(nodes.items.compactMap { $0?.product }, rejected: nodes.rejected)
}
