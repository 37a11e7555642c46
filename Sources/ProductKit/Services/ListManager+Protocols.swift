extension ListManager: Gettable {
    /// Loads one list; the same as ``list(withID:)``.
    @concurrent public func get(_ id: ProductList.ID) async throws -> ProductList {
        try await list(withID: id)
    }

    /// The first page of the user's lists, for code that needs nothing else of the manager.
    public var firstPage: some Gettable<Void, Page<ProductList>> {
        ClosureService { try await lists() }
    }
}

extension ListManager: Creatable {
    /// Creates a list with a name and a new UUID; the same as ``createList(named:id:)``.
    @concurrent public func create(_ name: String) async throws -> ProductList {
        try await createList(named: name)
    }
}

extension ListManager: Updatable {
    /// Stores the list's name, but not its products.
    ///
    /// A list with a version is renamed only if that version is still current; otherwise, this throws
    /// ``ListError/changed(current:)``. One without a version is renamed in any case.
    @concurrent public func update(_ list: ProductList) async throws -> ProductList {
        try await renameList(
            withID: list.id,
            to: list.name,
            ifUnchanged: list.version == nil ? nil : list
        )
    }
}

extension ListManager: Deletable {
    /// Deletes a list; the same as ``deleteList(withID:)``.
    @concurrent public func delete(_ id: ProductList.ID) async throws {
        try await deleteList(withID: id)
    }
}

extension ListManager {
    /// Creates a manager of which only some operations are provided, for a test or a preview.
    ///
    /// Each of the others throws ``UnimplementedAction`` with its name.
    public static func only(
        addProduct: (@Sendable (Product.ID, ProductList.ID) async throws -> Void)? = nil,
        removeProduct: (@Sendable (Product.ID, ProductList.ID) async throws -> Void)? = nil,
        lists: (@Sendable (PageCursor?) async throws -> Page<ProductList>)? = nil,
        list: (@Sendable (ProductList.ID) async throws -> ProductList)? = nil,
        create: (@Sendable (ProductList.ID, String) async throws -> ProductList)? = nil,
        rename: (
            @Sendable (ProductList.ID, String, _ version: String?) async throws -> ProductList
        )? = nil,
        delete: (@Sendable (ProductList.ID) async throws -> Void)? = nil,
        otherwise: @escaping @Sendable (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ListManager {
        @Sendable func missing(_ name: String) -> UnimplementedAction {
            UnimplementedAction(name, file: file, line: line).reported(to: otherwise)
        }
        var manager = ListManager(
            addProduct: addProduct ?? { _, _ in throw missing("addProduct") },
            removeProduct: removeProduct ?? { _, _ in throw missing("removeProduct") },
            lists: lists ?? { _ in throw missing("lists") },
            list: list,
            create: create ?? { _, _ in throw missing("create") },
            rename: rename ?? { _, _, _ in throw missing("rename") },
            delete: delete ?? { _ in throw missing("delete") }
        )
        manager.canLoad = (lists != nil, list != nil)
        // Only now, because an addition that is not found must not report it.
        if list == nil { manager.list = { _ in throw missing("list") } }
        return manager
    }
}
