extension ListMembershipViewModel.Actions {
    /// Creates actions of which only some are given; each of the others throws
    /// ``UnimplementedAction``, which names it.
    ///
    /// - Parameters:
    ///   - loadLists: Loads all of the user's lists, with the products in them.
    ///   - addToList: Puts the product in a list.
    ///   - removeFromList: Takes the product out of a list.
    ///   - createList: Creates a list from a draft and returns it.
    ///   - otherwise: Told of a call to an action that was not given, before it throws. Give
    ///     `{ Issue.record($0) }` to fail a test even where the error is swallowed.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: The actions.
    public static func only(
        loadLists: Loading<Page<ProductList>>? = nil,
        addToList: AsyncAction<ProductList.ID>? = nil,
        removeFromList: AsyncAction<ProductList.ID>? = nil,
        createList: Updating<ProductList, ProductList>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ListMembershipViewModel.Actions {
        func refuse(_ name: String) -> UnimplementedAction {
            let error = UnimplementedAction(name, file: file, line: line)
            otherwise(error)
            return error
        }
        return ListMembershipViewModel.Actions(
            loadLists: loadLists ?? { throw refuse("loadLists") },
            addToList: addToList ?? { _ in throw refuse("addToList") },
            removeFromList: removeFromList ?? { _ in throw refuse("removeFromList") },
            createList: createList ?? { _ in throw refuse("createList") }
        )
    }
}
