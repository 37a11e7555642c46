extension ProductViewModel.Actions {
    /// Creates actions of which only some are given; each of the others throws
    /// ``UnimplementedAction``, which names it.
    ///
    /// - Parameters:
    ///   - reload: Loads the product.
    ///   - toggleFavorite: Makes the favourite status what it is given and returns the product.
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
    ///   - toggleFavorite: Flips the favourite status and returns the product.
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
