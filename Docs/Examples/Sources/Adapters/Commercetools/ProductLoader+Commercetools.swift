import ProductKit

extension ProductLoader {
    /// Creates a loader for commercetools, without favorites.
    init(commercetools client: NetworkClient, language: String) {
        self.init(
            load: { id in
                let request = NetworkRequest<CommercetoolsProduct>.get("product-projections", id)
                    .throwing(ProductError.notFound(id), for: .notFound)
                return try await client.send(request).product(in: language)
            },
            search: { query, cursor in
                let ids = query.ids.map(\.rawValue.quoted).joined(separator: ",")
                let request = NetworkRequest<Page<CommercetoolsProduct>>.get(
                    "product-projections",
                    "search",
                    query: [
                        "text.\(language)": query.text.nonEmpty,
                        "filter.query": ids.nonEmpty.map { "id:\($0)" },
                        "limit": query.limit?.description,
                    ]
                ).page(.commercetools, following: cursor)
                return try await client.send(request).map { $0.product(in: language) }
            }
        )
    }
}

extension String {
    /// The text in quotation marks, for a predicate.
    fileprivate var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
