extension ListManager {
    /// Creates a manager for the one list of each user, which consists of lines and always exists.
    ///
    /// It is the only list of ``lists(after:)``. To create, rename or delete a list throws ``UnsupportedOperation``.
    /// To load another list, or to add a product to it, throws ``ListError/notFound(_:)``.
    ///
    /// - Parameters:
    ///   - id: The identifier of the list, or one of your own if the server has none. The lines get it, and their
    ///     contents have it.
    ///   - lines: Adds and removes products, and loads the list.
    public init(onlyList id: ProductList.ID, lines: ListLines) {
        self.init(onlyList: id, load: lines.list, add: lines.add, remove: lines.remove)
    }

    /// Creates a manager for the one list of each user, whose products have no lines, and which always exists.
    ///
    /// ```swift
    /// let manager = ListManager(
    ///     onlyList: "wishlist",
    ///     name: "Wish list",
    ///     products: {
    ///         try await client.allPages { cursor in
    ///             NetworkRequest<Page<WishListItem>>.get("wishlist")
    ///                 .page(.numbered, following: cursor)
    ///         }
    ///         .items.map(\.id)
    ///     },
    ///     addProduct: { product in try await client.send(.put("wishlist", product)) },
    ///     removeProduct: { product in try await client.send(.delete("wishlist", product)) }
    /// )
    /// ```
    ///
    /// All else is as in ``init(onlyList:lines:)``.
    ///
    /// - Parameters:
    ///   - id: An identifier of your own. Do not change it: edits that an ``Outbox`` has saved name it.
    ///   - name: The name of the list for users.
    ///   - products: Loads the identifiers of all products of the list. Return none if the server creates the
    ///     list with its first product.
    ///   - addProduct: Adds a product to the list.
    ///   - removeProduct: Removes a product from the list.
    public init(
        onlyList id: ProductList.ID,
        name: String,
        products: @escaping @Sendable () async throws -> [Product.ID],
        addProduct: @escaping @Sendable (Product.ID) async throws -> Void,
        removeProduct: @escaping @Sendable (Product.ID) async throws -> Void
    ) {
        self.init(
            onlyList: id,
            load: { ProductList(id: $0, name: name, products: try await products()) },
            add: { product, _ in try await addProduct(product) },
            remove: { product, _ in try await removeProduct(product) }
        )
    }

    /// Creates a manager for the one list of each user, whose products have lines, and which always exists.
    ///
    /// ```swift
    /// let manager = ListManager(
    ///     onlyList: "wishlist",
    ///     name: "Wish list",
    ///     lines: {
    ///         let items = NetworkRequest<[WishList.Item]>.get("wishlist").inside("items")
    ///         return try await client.send(items).map { item in
    ///             ListLines.Line(id: item.id, product: item.product)
    ///         }
    ///     },
    ///     addProduct: { product in
    ///         let item = ["product": product]
    ///         try await client.send(NetworkRequest<Void>.post("wishlist", "items").json(item))
    ///     },
    ///     removeLine: { line in try await client.send(.delete("wishlist", "items", line)) }
    /// )
    /// ```
    ///
    /// It is the manager of ``init(onlyList:lines:)`` with the ``ListLines`` of these closures: they load the list
    /// before each write, and again after a failed one, which is a success if the list shows the change. If the
    /// lines have no identifiers, use those of the products.
    ///
    /// - Parameters:
    ///   - id: An identifier of your own. Do not change it: edits that an ``Outbox`` has saved name it.
    ///   - name: The name of the list for users.
    ///   - lines: Loads all lines of the list. Return none if the server creates the list with its first product.
    ///   - addProduct: Adds a line with a product, of which the list has none.
    ///   - removeLine: Removes a line, which the list has.
    public init(
        onlyList id: ProductList.ID,
        name: String,
        lines: @escaping @Sendable () async throws -> [ListLines.Line],
        addProduct: @escaping @Sendable (Product.ID) async throws -> Void,
        removeLine: @escaping @Sendable (ListLines.Line.ID) async throws -> Void
    ) {
        let lines = ListLines(
            read: { ListLines.Contents(id: $0, name: name, lines: try await lines()) },
            add: { product, _ in try await addProduct(product) },
            removeLine: { line, _ in try await removeLine(line) }
        )
        self.init(onlyList: id, lines: lines)
    }

    private init(
        onlyList id: ProductList.ID,
        load: @escaping @Sendable (ProductList.ID) async throws -> ProductList,
        add: @escaping @Sendable (Product.ID, ProductList.ID) async throws -> Void,
        remove: @escaping @Sendable (Product.ID, ProductList.ID) async throws -> Void
    ) {
        @Sendable func checked(_ list: ProductList.ID) throws -> ProductList.ID {
            guard list == id else { throw ListError.notFound(list) }
            return list
        }
        self.init(
            addProduct: { product, list in try await add(product, checked(list)) },
            removeProduct: { product, list in try await remove(product, checked(list)) },
            lists: { _ in Page([try await load(id)]) },
            list: { list in try await load(checked(list)) }
        )
        createsListsDirectly = true
    }
}
