import ProductKit

extension ProductLoader {
    /// Creates a loader for commercetools, without favorites.
    init(commercetools client: NetworkClient, language: String) {
        self.init(
            client: client,
            path: ["product-projections"],
            searchPath: ["product-projections", "search"],
            pages: .commercetools,
            searchQuery: { query in
                let ids = query.ids.map(\.rawValue.quoted).joined(separator: ",")
                return [
                    "text.\(language)": query.text,
                    "filter.query": ids.isEmpty ? nil : "id:\(ids)",
                    "limit": query.limit?.description,
                ]
            },
            findsIDs: true,
            product: { (product: CommercetoolsProduct, _) in product.product(in: language) }
        )
    }
}

extension String {
    /// The text in quotation marks, for a predicate.
    fileprivate var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
