public import ProductKit

extension ProductLoader {
    /// Creates a loader for commercetools.
    ///
    /// Favorites are not supported. You can store them in a list instead.
    ///
    /// - Parameters:
    ///   - client: A client for commercetools.
    ///   - language: The language of texts and searches, such as `en` or `de-AT`.
    public init(commercetools client: NetworkClient, language: String = "en") {
        self.init(
            load: { id in
                try await Self.requiredProduct(withID: id) {
                    let request = NetworkRequest<CommercetoolsProduct>
                        .get("product-projections", id)
                    return try await client.send(request).product(in: language)
                }
            },
            search: { query, cursor in
                let ids = query.ids.map(\.rawValue.quoted)
                let request = NetworkRequest<CommercetoolsPage<CommercetoolsProduct>>.get(
                    "product-projections",
                    "search",
                    query: [
                        "text.\(language)": query.text.isEmpty ? nil : query.text,
                        "filter.query": ids.isEmpty ? nil : "id:\(ids.joined(separator: ","))",
                        "limit": query.limit?.description,
                        "offset": cursor?.rawValue,
                    ]
                )
                return try await client.send(request).page { $0.product(in: language) }
            }
        )
    }
}
