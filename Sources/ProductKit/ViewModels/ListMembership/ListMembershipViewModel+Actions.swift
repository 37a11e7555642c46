public import Foundation

extension ListMembershipViewModel {
    /// Everything that a screen of a product's lists can ask for, as closures.
    ///
    /// A test gives the closures it cares about, and the app wires the live ones:
    ///
    /// ```swift
    /// let live = ListMembershipViewModel.Actions(productID: id, listManager: lists)
    /// let test = ListMembershipViewModel.Actions.only(loadLists: { Page([wishlist]) })
    /// ```
    ///
    /// The closures run on the view model's actor and in the caller's task; see
    /// ``ProductViewModel/Actions`` for what follows from that.
    public struct Actions {
        /// Loads all of the user's lists, with the products in them.
        public var loadLists: Loading<Page<ProductList>>
        /// Puts the product in a list; its being there already is success.
        public var addToList: AsyncAction<ProductList.ID>
        /// Takes the product out of a list; its not being there is success.
        public var removeFromList: AsyncAction<ProductList.ID>
        /// Creates a list of the draft's name, under the draft's identity where the backend lets the
        /// client choose one, and returns it.
        public var createList: Updating<ProductList, ProductList>
        /// Makes the identity of a draft.
        public var newListID: () -> ProductList.ID

        /// Creates actions from closures.
        ///
        /// - Parameters:
        ///   - loadLists: Loads all of the user's lists, with the products in them.
        ///   - addToList: Puts the product in a list.
        ///   - removeFromList: Takes the product out of a list.
        ///   - createList: Creates a list from a draft and returns it.
        ///   - newListID: Makes the identity of a draft, by default a new UUID.
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
    /// Creates the live actions of one product.
    ///
    /// - Parameters:
    ///   - productID: The product's identity.
    ///   - listManager: What reads and changes the lists.
    public init(productID: Product.ID, listManager: ListManager) {
        self.init(
            loadLists: { try await listManager.allLists() },
            addToList: { listID in
                try await listManager.addProduct(withID: productID, toListWithID: listID)
            },
            removeFromList: { listID in
                try await listManager.removeProduct(withID: productID, fromListWithID: listID)
            },
            createList: { try await listManager.createList(named: $0.name, id: $0.id) }
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
            listManager: ListManager(baseURL: baseURL, networking: networking)
        )
    }
}

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
