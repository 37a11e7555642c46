extension ProductService {
    /// Creates a service whose shop is in memory, for previews, UI tests and demonstrations.
    ///
    /// ```swift
    /// let service = ProductService.inMemory(delay: .milliseconds(300))
    /// ```
    ///
    /// The shop has one user. It searches, loads pages, and changes favorites and lists as a server that implements
    /// `Docs/openapi.yaml` does. Nothing is sent, stored or cached, and each service has a shop of its own.
    ///
    /// - Parameters:
    ///   - products: The products of the catalog, in their order. Those with
    ///     ``Product/isFavorite`` are the first favorites.
    ///   - lists: The user's lists.
    ///   - localUser: The user's currency and locale, for new view models.
    ///   - delay: The time that each operation takes; none by default.
    ///   - effects: The time and the random values of the shop and of the view models.
    ///   - failure: Returns the error that an operation throws instead of being carried out; `nil`, the default, for none.
    ///     It gets the argument label of the operation in ``ProductLoader/init(load:search:favorites:setFavorite:)`` or
    ///     ``ListManager/init(addProduct:removeProduct:lists:loadsEachList:list:create:rename:delete:)``, such as
    ///     `setFavorite`. An error of `addProduct` with the code ``NetworkError/Code-swift.struct/notFound`` becomes
    ///     ``ProductError/notFound(_:)`` if the list exists.
    /// - Returns: The service.
    public static func inMemory(
        products: [Product] = Product.samples,
        lists: [ProductList] = [.sample],
        localUser: LocalUser = .sample,
        delay: Duration = .zero,
        effects: SystemEffects = SystemEffects(),
        failure: @escaping @Sendable (_ operation: String) -> (any Error)? = { _ in nil }
    ) -> ProductService {
        let shop = InMemoryShop(
            products: products,
            lists: lists,
            delay: delay,
            effects: effects,
            failure: failure
        )
        return ProductService(
            loader: shop.loader,
            listManager: shop.listManager,
            localUser: localUser,
            effects: effects
        )
    }
}
