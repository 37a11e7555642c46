extension ProductLoader {
    /// Returns a loader that completes its products with further requests, such as one that returns the prices of
    /// all products of a page.
    ///
    /// ```swift
    /// let loader = ProductLoader(bazaar: client).completingProducts { products in
    ///     let request = NetworkRequest<Page<GoodPrice>>.post("prices")
    ///         .json(["skus": products.map(\.id)])
    ///         .reading()
    ///     let prices = try await client.send(request).items
    ///     return products.map { product in
    ///         var product = product
    ///         product.prices = prices.filter { $0.sku == product.id }.map(\.price)
    ///         return product
    ///     }
    /// }
    /// ```
    ///
    /// A member that is in ``Product/unknownMembers`` remains unknown if it has no value, such as a status that is
    /// `false`. Remove it from the set if it is known.
    ///
    /// The further requests have the policy of the operation, and their sources count for the source of the product
    /// or the page: it is the worst one, with the oldest date.
    ///
    /// - Parameter complete: Completes one product, or those of a page that has any. A product that it leaves out does
    ///   not exist: loading it throws ``ProductError/notFound(_:)``, and the page has no ``Page/total``. An error
    ///   that it throws is that of the operation. After a change of a favorite, the product is loaded and completed,
    ///   also if `setFavorite` of this loader returns it.
    /// - Returns: A loader with the completed products.
    public func completingProducts(
        _ complete: @escaping @Sendable ([Product]) async throws -> [Product]
    ) -> ProductLoader {
        @Sendable func completed(_ page: Page<Product>) async throws -> Page<Product> {
            guard !page.items.isEmpty else { return page }
            var page = page
            let items = try await complete(page.items)
            if items.count < page.items.count {
                page.leaveOut(page.items.count - items.count)
                page.total = nil
            }
            page.items = items
            return page
        }
        var loader = self
        loader.fetch = { id, policy in
            let fetched = try await fetch(id, policy)
            guard let product = try await complete([fetched.value]).first else {
                throw ProductError.notFound(id)
            }
            return Fetched(product, source: fetched.source)
        }
        loader.search = { query, cursor in try await completed(search(query, cursor)) }
        loader.favorites = { cursor in try await completed(favorites(cursor)) }
        loader.setFavorite = { id, isFavorite in
            let outcome = try await setFavorite(id, isFavorite)
            // With `nil`, the product is loaded again, and then completed.
            if case .confirmed = outcome { return .confirmed(nil) }
            return outcome
        }
        return loader
    }
}
