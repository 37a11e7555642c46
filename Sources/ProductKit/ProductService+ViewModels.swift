extension ProductService {
    /// Creates a view model for a product that is already loaded, such as a row of the catalog.
    ///
    /// - Parameters:
    ///   - product: The product to show until a newer one is loaded.
    ///   - source: Where the product came from; ``ProductViewModel/source`` shows it.
    ///   - localUser: The user's currency and locale; the service's ``localUser`` by default.
    /// - Returns: A view model that shares its state with all others of this product.
    @MainActor public func viewModel(
        for product: Product,
        from source: FetchSource = .network,
        localUser: LocalUser? = nil
    ) -> ProductViewModel {
        ProductViewModel(
            product: product,
            from: source,
            localUser: localUser ?? self.localUser,
            actions: actions(forProductWithID: product.id),
            store: store
        )
    }

    /// Loads a product and creates a view model for it, such as for a link into the app.
    ///
    /// With an ``outbox``, it waits until the file with the saved edits is open. If it cannot be opened, the
    /// product is shown without them, and the outbox reports the failure.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - localUser: The user's currency and locale; the service's ``localUser`` by default.
    ///   - policy: Whether a cached product may be used; with the default, the server is needed. With
    ///     ``FetchPolicy/cacheFirst``, a stored product opens at once, also offline: reload afterwards. With
    ///     ``FetchPolicy/networkFirst``, the server is contacted first, and a stored product is used if that fails.
    ///     ``ProductViewModel/source`` is where the product came from.
    /// - Returns: A view model that shares its state with all others of this product. Its phase is
    ///   ``ProductViewModel/Phase-swift.enum/loaded``.
    /// - Throws: ``ProductError/notFound(_:)`` if the product does not exist, which its open screens then show as well;
    ///   ``ProductError/wrongProduct(expected:received:)`` if the server returns another product; `CancellationError`
    ///   if the task is cancelled or the user signs out meanwhile; ``NetworkError`` if no usable response arrives.
    @MainActor public func viewModel(
        forProductWithID id: Product.ID,
        localUser: LocalUser? = nil,
        policy: FetchPolicy = .revalidate
    ) async throws -> ProductViewModel {
        let start = store.timestamp()
        try? await outbox?.open()
        // The user may have signed out meanwhile.
        guard store.isCurrent(start) else { throw CancellationError() }
        let record = try await store.load(id) {
            try await loader.fetchProduct(withID: id, policy: policy)
        }
        return ProductViewModel(
            loaded: record,
            localUser: localUser ?? self.localUser,
            actions: actions(forProductWithID: id)
        )
    }

    private func actions(forProductWithID id: Product.ID) -> ProductViewModel.Actions {
        ProductViewModel.Actions(
            productID: id,
            loader: outbox.map(loader.saving) ?? loader,
            listManager: listManagerForScreens
        )
    }

    /// With an outbox, an edit on a screen ends when it is saved.
    private var listManagerForScreens: ListManager {
        outbox.map(listManager.saving) ?? listManager
    }

    /// Creates a view model for the user's lists and the membership of a product in each of them.
    ///
    /// - Parameter product: The product whose membership is shown.
    /// - Returns: A view model that shares its state with all others of this product.
    @MainActor public func membershipViewModel(for product: Product) -> ListMembershipViewModel {
        let actions = ListMembershipViewModel.Actions(
            productID: product.id,
            listManager: listManagerForScreens,
            effects: effects
        )
        return ListMembershipViewModel(product: product, actions: actions, store: store)
    }

    /// Creates a view model for the changes that wait in the ``outbox``.
    ///
    /// - Returns: The view model; `nil` if the service has no outbox.
    @MainActor public func pendingChangesViewModel() -> PendingChangesViewModel? {
        outbox.map { PendingChangesViewModel(actions: PendingChangesViewModel.Actions(outbox: $0)) }
    }

    /// Creates a view model for the catalog, which is empty until its first search.
    ///
    /// - Parameter localUser: The user's currency and locale; the service's ``localUser`` by default.
    /// - Returns: A view model whose rows share their state with the screens of their products.
    @MainActor public func catalogViewModel(localUser: LocalUser? = nil) -> CatalogViewModel {
        CatalogViewModel(
            localUser: localUser ?? self.localUser,
            actions: CatalogViewModel.Actions(loader: loader, effects: effects),
            store: store
        )
    }
}
