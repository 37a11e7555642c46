public import Foundation

extension ListMembershipViewModel {
    /// The operations of a screen that shows a product's list memberships, as closures.
    ///
    /// A test provides the closures that it needs, and the app uses the live ones:
    ///
    /// ```swift
    /// let live = ListMembershipViewModel.Actions(productID: id, listManager: lists)
    /// let test = ListMembershipViewModel.Actions.only(loadLists: { Page([wishlist]) })
    /// ```
    ///
    /// The closures run on the view model's actor and in the caller's task, and must not call their
    /// own view model. See ``ProductViewModel/Actions``.
    public struct Actions {
        /// Loads all of the user's lists, with their products.
        public var loadLists: Loading<Page<ProductList>>
        /// Adds the product to a list; it is not an error if the list contains it already.
        public var addToList: AsyncAction<ProductList.ID>
        /// Removes the product from a list; it is not an error if the list does not contain it.
        public var removeFromList: AsyncAction<ProductList.ID>
        /// Creates a list with the draft's name, and returns it.
        ///
        /// The list gets the draft's identifier if the backend lets the client choose one.
        public var createList: Updating<ProductList, ProductList>
        /// Returns an identifier for a new draft.
        var newListID: () -> ProductList.ID

        /// Creates actions from closures.
        ///
        /// - Parameters:
        ///   - loadLists: Loads all of the user's lists, with their products.
        ///   - addToList: Adds the product to a list.
        ///   - removeFromList: Removes the product from a list.
        ///   - createList: Creates a list from a draft, and returns it.
        ///   - newListID: Returns an identifier for a new draft, by default a new UUID.
        public init(
            loadLists: @escaping Loading<Page<ProductList>>,
            addToList: @escaping AsyncAction<ProductList.ID>,
            removeFromList: @escaping AsyncAction<ProductList.ID>,
            createList: @escaping Updating<ProductList, ProductList>,
            newListID: @escaping () -> ProductList.ID = {
                ProductList.ID(UUID().uuidString.lowercased())
            }
        ) {
            self.loadLists = loadLists
            self.addToList = addToList
            self.removeFromList = removeFromList
            self.createList = createList
            self.newListID = newListID
        }
    }
}

@available(*, unavailable)
extension ListMembershipViewModel.Actions: Sendable {}

extension ListMembershipViewModel.Actions {
    /// Creates the live actions of a product.
    ///
    /// - Parameters:
    ///   - productID: The product's identifier.
    ///   - listManager: The service that loads and changes the lists.
    ///   - effects: The source of the identifiers of new lists.
    public init(
        productID: Product.ID,
        listManager: ListManager,
        effects: SystemEffects = SystemEffects()
    ) {
        self.init(
            loadLists: { try await listManager.allLists() },
            addToList: { listID in
                try await listManager.addProduct(withID: productID, toListWithID: listID)
            },
            removeFromList: { listID in
                try await listManager.removeProduct(withID: productID, fromListWithID: listID)
            },
            createList: { try await listManager.createList(named: $0.name, id: $0.id) },
            newListID: { ProductList.ID(effects.uuid().uuidString.lowercased()) }
        )
    }

    /// Creates the live actions of a product whose edits an outbox saves and sends.
    ///
    /// An edit returns when it is saved on this device, and never waits for the server. The
    /// ``ProductStore`` of the screen must have the same outbox.
    ///
    /// - Parameters:
    ///   - productID: The product's identifier.
    ///   - listManager: The service that loads the lists, and that changes them if the outbox does
    ///     not.
    ///   - outbox: The outbox; `nil` to send each edit when it is made.
    ///   - effects: The source of the identifiers of new lists.
    public init(
        productID: Product.ID,
        listManager: ListManager,
        outbox: Outbox?,
        effects: SystemEffects = SystemEffects()
    ) {
        self.init(productID: productID, listManager: listManager, effects: effects)
        guard let outbox else { return }
        addToList = { listID in
            throw SavedForLater(try await outbox.save(.addProduct(productID, toList: listID)))
        }
        removeFromList = { listID in
            throw SavedForLater(try await outbox.save(.removeProduct(productID, fromList: listID)))
        }
        guard outbox.savesNewLists else { return }
        createList = { draft in
            throw SavedForLater(try await outbox.save(.createList(draft.id, name: draft.name)))
        }
    }
}

extension ListMembershipViewModel.Actions {
    /// Creates actions of which only some are provided.
    ///
    /// Each of the others throws ``UnimplementedAction`` with its name. A missing `newListID`
    /// returns a new UUID.
    ///
    /// - Parameters:
    ///   - loadLists: Loads all of the user's lists, with their products.
    ///   - addToList: Adds the product to a list.
    ///   - removeFromList: Removes the product from a list.
    ///   - createList: Creates a list from a draft, and returns it.
    ///   - newListID: Returns an identifier for a new draft.
    ///   - otherwise: Receives the error of an action that is called but not provided, before it is
    ///     thrown. Use `{ Issue.record($0) }` to fail a test even if the error is caught.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: The actions.
    public static func only(
        loadLists: Loading<Page<ProductList>>? = nil,
        addToList: AsyncAction<ProductList.ID>? = nil,
        removeFromList: AsyncAction<ProductList.ID>? = nil,
        createList: Updating<ProductList, ProductList>? = nil,
        newListID: (() -> ProductList.ID)? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ListMembershipViewModel.Actions {
        let missing = UnimplementedAction.reporting(to: otherwise, file: file, line: line)
        var actions = ListMembershipViewModel.Actions(
            loadLists: loadLists ?? { throw missing("loadLists") },
            addToList: addToList ?? { _ in throw missing("addToList") },
            removeFromList: removeFromList ?? { _ in throw missing("removeFromList") },
            createList: createList ?? { _ in throw missing("createList") }
        )
        if let newListID { actions.newListID = newListID }
        return actions
    }
}
