import ProductKit

extension ProductLoader {
    /// Creates a loader for commercetools, without favorites.
    init(commercetools client: NetworkClient, language: String) {
        self.init(
            client: client,
            path: ["product-projections"],
            searchPath: ["product-projections", "search"],
            pages: .commercetools,
            search: { ["text.\(language)": $0.text, "limit": $0.limit?.description] },
            ids: { ["filter.query": "id:" + $0.map(\.rawValue.quoted).joined(separator: ",")] },
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
