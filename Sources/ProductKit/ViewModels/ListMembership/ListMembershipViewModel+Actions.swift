extension ListMembershipViewModel {
    /// The operations of a screen that shows a product's list memberships, as closures.
    ///
    /// ```swift
    /// let live = ListMembershipViewModel.Actions(productID: id, listManager: lists)
    /// let test = ListMembershipViewModel.Actions.only(loadLists: { Page([wishlist]) })
    /// ```
    ///
    /// The closures must not call their own view model; see ``ProductViewModel/Actions``.
    public struct Actions {
        /// Loads all of the user's lists; of their products, only that of the screen is needed.
        public var loadLists: Loading<Page<ProductList>>
        /// Adds the product to a list; it is not an error if the list contains it already.
        public var addToList: Updating<ProductList.ID, EditOutcome<Void>>
        /// Removes the product from a list; it is not an error if the list does not contain it.
        public var removeFromList: Updating<ProductList.ID, EditOutcome<Void>>
        /// Creates a list with the draft's name, and returns it.
        ///
        /// The list gets the draft's identifier if the backend lets the client choose one, or if it is
        /// saved.
        public var createList: Updating<ProductList, EditOutcome<ProductList>>
        /// The source of the identifiers of new drafts.
        private(set) var effects = SystemEffects()

        /// Creates actions from closures.
        public init(
            loadLists: @escaping Loading<Page<ProductList>>,
            addToList: @escaping AsyncAction<ProductList.ID>,
            removeFromList: @escaping AsyncAction<ProductList.ID>,
            createList: @escaping Updating<ProductList, ProductList>
        ) {
            self.loadLists = loadLists
            self.addToList = { .confirmed(try await addToList($0)) }
            self.removeFromList = { .confirmed(try await removeFromList($0)) }
            self.createList = { .confirmed(try await createList($0)) }
        }
    }
}

@available(*, unavailable)
extension ListMembershipViewModel.Actions: Sendable {}

extension ListMembershipViewModel.Actions {
    /// Creates the live actions of a product.
    ///
    /// The lists of ``loadLists`` contain no other product. For whole lists, call ``ListManager/allLists()``.
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
        loadLists = { try await listManager.allLists(reducedTo: productID) }
        addToList = { listID in try await listManager.add(productID, to: listID) }
        removeFromList = { listID in try await listManager.remove(productID, from: listID) }
        createList = { draft in try await listManager.createDraft(draft) }
        self.effects = effects
    }
}

extension ListManager {
    /// Loads all lists, each with no other product than this one.
    ///
    /// A screen searches and keeps the lists on the main actor, and lists may have thousands of products.
    @concurrent fileprivate func allLists(
        reducedTo product: Product.ID
    ) async throws -> Page<ProductList> {
        var page = try await allLists()
        for index in page.items.indices {
            page.items[index].products = page.items[index].products.filter { $0 == product }
        }
        return page
    }
}

extension ListMembershipViewModel.Actions {
    /// Creates actions of which only some are provided.
    ///
    /// Each of the others throws ``UnimplementedAction`` with its name.
    public static func only(
        loadLists: Loading<Page<ProductList>>? = nil,
        addToList: AsyncAction<ProductList.ID>? = nil,
        removeFromList: AsyncAction<ProductList.ID>? = nil,
        createList: Updating<ProductList, ProductList>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ListMembershipViewModel.Actions {
        let missing = UnimplementedAction.reporting(to: otherwise, file: file, line: line)
        return ListMembershipViewModel.Actions(
            loadLists: loadLists ?? { throw missing("loadLists") },
            addToList: addToList ?? { _ in throw missing("addToList") },
            removeFromList: removeFromList ?? { _ in throw missing("removeFromList") },
            createList: createList ?? { _ in throw missing("createList") }
        )
    }
}
