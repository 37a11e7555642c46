public import Foundation

extension ProductViewModel {
    /// The operations of a product screen, as closures.
    ///
    /// A test provides the closures that it needs, a preview provides fixed values, and the app
    /// uses the live ones:
    ///
    /// ```swift
    /// let live = ProductViewModel.Actions(
    ///     productID: id,
    ///     loader: loader,
    ///     listManager: lists
    /// )
    /// let test = ProductViewModel.Actions.only(reload: { boots })
    /// ```
    ///
    /// The closures run on the view model's actor and in the caller's task, so a test's closure
    /// reads and changes local variables freely. That is why `Actions` are not `Sendable`. Where
    /// you need a `Sendable` value, store a loader or a closure that creates the actions.
    ///
    /// An action must not call its own view model: an edit inside an edit would wait for itself.
    public struct Actions {
        /// Loads the product.
        public var reload: Loading<Product>
        /// Sets the favorite status to the given value.
        ///
        /// The outcome is ``EditOutcome/confirmed(_:)`` with the product as it is then, or with `nil` if
        /// the server has not returned it, or ``EditOutcome/saved``.
        public var toggleFavorite: Updating<Bool, EditOutcome<Product?>>
        /// Adds the product to a list; it is not an error if the list contains it already.
        public var addToList: Updating<ProductList.ID, EditOutcome<Void>>

        /// Creates actions from closures.
        ///
        /// `toggleFavorite` returns `nil` if the server has confirmed the change without returning the product.
        public init(
            reload: @escaping Loading<Product>,
            toggleFavorite: @escaping Updating<Bool, Product?>,
            addToList: @escaping AsyncAction<ProductList.ID>
        ) {
            self.reload = reload
            self.toggleFavorite = { .confirmed(try await toggleFavorite($0)) }
            self.addToList = { .confirmed(try await addToList($0)) }
        }

        /// Creates actions for a backend that can only toggle the favorite status.
        public init(
            reload: @escaping Loading<Product>,
            toggleFavorite: @escaping Loading<Product>,
            addToList: @escaping AsyncAction<ProductList.ID>
        ) {
            self.init(
                reload: reload,
                toggleFavorite: { _ in try await toggleFavorite() },
                addToList: addToList
            )
        }
    }
}

@available(*, unavailable)
extension ProductViewModel.Actions: Sendable {}

extension ProductViewModel.Actions {
    /// Creates the live actions of a product.
    ///
    /// - Parameters:
    ///   - productID: The product's identifier.
    ///   - loader: The service that loads the product and sets its favorite status.
    ///   - listManager: The service that adds the product to lists.
    public init(productID: Product.ID, loader: ProductLoader, listManager: ListManager) {
        reload = { try await loader.loadProduct(withID: productID) }
        toggleFavorite = { isFavorite in
            try await loader.changeFavoriteStatus(isFavorite, forProductWithID: productID)
        }
        addToList = { listID in try await listManager.add(productID, to: listID) }
    }

    /// Creates the live actions of a product for an API that implements `Docs/openapi.yaml`.
    ///
    /// Its ``NetworkClient`` has only these behaviors; a ``ProductService`` adds tokens, retries and a cache.
    public init(
        productID: Product.ID,
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = []
    ) {
        let client = NetworkClient(baseURL: baseURL, networking: networking, behaviors: behaviors)
        self.init(
            productID: productID,
            loader: ProductLoader(client: client),
            listManager: ListManager(client: client)
        )
    }
}

extension ProductViewModel.Actions {
    /// Creates actions of which only some are provided.
    ///
    /// Each of the others throws ``UnimplementedAction`` with its name.
    public static func only(
        reload: Loading<Product>? = nil,
        toggleFavorite: Updating<Bool, Product?>? = nil,
        addToList: AsyncAction<ProductList.ID>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ProductViewModel.Actions {
        let missing = UnimplementedAction.reporting(to: otherwise, file: file, line: line)
        return ProductViewModel.Actions(
            reload: reload ?? { throw missing("reload") },
            toggleFavorite: toggleFavorite ?? { (_: Bool) in throw missing("toggleFavorite") },
            addToList: addToList ?? { _ in throw missing("addToList") }
        )
    }

    /// Creates actions of which only some are provided, for a backend that can only toggle the
    /// favorite status.
    ///
    /// Each of the others throws ``UnimplementedAction`` with its name.
    public static func only(
        reload: Loading<Product>? = nil,
        toggleFavorite: @escaping Loading<Product>,
        addToList: AsyncAction<ProductList.ID>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ProductViewModel.Actions {
        .only(
            reload: reload,
            toggleFavorite: { (_: Bool) in try await toggleFavorite() },
            addToList: addToList,
            otherwise: otherwise,
            file: file,
            line: line
        )
    }
}
