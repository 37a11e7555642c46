public import Foundation

extension ProductViewModel {
    /// Everything that a product screen can ask for, as closures.
    ///
    /// A test gives the closures it cares about, a preview gives canned ones, and the app wires the
    /// live ones:
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
    /// reads and changes local variables freely. That is why `Actions` are not `Sendable`: keep a
    /// loader, or a closure that makes the actions, where you need something that is. An action must
    /// not call its own view model; a tap inside of a tap would wait for itself.
    public struct Actions {
        /// Loads the product.
        public var reload: Loading<Product>
        /// Makes the favorite status what it is given and returns the product as it is then.
        ///
        /// To replace it by a closure that takes nothing, write `{ _ in product }`.
        public var toggleFavorite: Updating<Bool, Product>
        /// Puts the product in a list; its being there already is success.
        public var addToList: AsyncAction<ProductList.ID>

        /// Creates actions from closures.
        ///
        /// - Parameters:
        ///   - reload: Loads the product.
        ///   - toggleFavorite: Makes the favorite status what it is given and returns the product.
        ///   - addToList: Puts the product in a list.
        public init(
            reload: @escaping Loading<Product>,
            toggleFavorite: @escaping Updating<Bool, Product>,
            addToList: @escaping AsyncAction<ProductList.ID>
        ) {
            self.reload = reload
            self.toggleFavorite = toggleFavorite
            self.addToList = addToList
        }

        /// Creates actions for a backend that can only flip the favorite status.
        ///
        /// - Parameters:
        ///   - reload: Loads the product.
        ///   - toggleFavorite: Flips the favorite status and returns the product.
        ///   - addToList: Puts the product in a list.
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
    /// Creates the live actions of one product.
    ///
    /// - Parameters:
    ///   - productID: The product's identity.
    ///   - loader: What loads the product and marks it as a favorite.
    ///   - listManager: What puts it in lists.
    public init(productID: Product.ID, loader: ProductLoader, listManager: ListManager) {
        self.init(
            reload: loader.loading(productID),
            toggleFavorite: { isFavorite in
                try await loader.setFavoriteStatus(isFavorite, forProductWithID: productID)
            },
            addToList: { listID in
                try await listManager.addProduct(withID: productID, toListWithID: listID)
            }
        )
    }

    /// Creates the live actions of one product straight from the seam.
    ///
    /// - Parameters:
    ///   - productID: The product's identity.
    ///   - baseURL: Where an API lives that speaks `Docs/openapi.yaml`.
    ///   - networking: What carries the requests.
    public init(productID: Product.ID, baseURL: URL, networking: any Networking = .system) {
        self.init(
            productID: productID,
            loader: ProductLoader(baseURL: baseURL, networking: networking),
            listManager: ListManager(baseURL: baseURL, networking: networking)
        )
    }
}

extension ProductViewModel.Actions {
    /// Creates actions of which only some are given; each of the others throws
    /// ``UnimplementedAction``, which names it.
    ///
    /// - Parameters:
    ///   - reload: Loads the product.
    ///   - toggleFavorite: Makes the favorite status what it is given and returns the product.
    ///   - addToList: Puts the product in a list.
    ///   - otherwise: Told of a call to an action that was not given, before it throws. Give
    ///     `{ Issue.record($0) }` to fail a test even where the error is swallowed.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: The actions.
    public static func only(
        reload: Loading<Product>? = nil,
        toggleFavorite: Updating<Bool, Product>? = nil,
        addToList: AsyncAction<ProductList.ID>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ProductViewModel.Actions {
        func refuse(_ name: String) -> UnimplementedAction {
            let error = UnimplementedAction(name, file: file, line: line)
            otherwise(error)
            return error
        }
        return ProductViewModel.Actions(
            reload: reload ?? { throw refuse("reload") },
            toggleFavorite: toggleFavorite ?? { (_: Bool) in throw refuse("toggleFavorite") },
            addToList: addToList ?? { _ in throw refuse("addToList") }
        )
    }

    /// Creates actions of which only some are given, for a backend that can only flip the status.
    ///
    /// - Parameters:
    ///   - reload: Loads the product.
    ///   - toggleFavorite: Flips the favorite status and returns the product.
    ///   - addToList: Puts the product in a list.
    ///   - otherwise: Told of a call to an action that was not given, before it throws.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: The actions.
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
