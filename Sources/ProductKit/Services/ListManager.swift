public import Foundation

/// Reads and changes a user's lists of products, over any backend.
///
/// By default it speaks `Docs/openapi.yaml`; see ``init(baseURL:networking:)``. Any other backend
/// is a few closures, of which only adding is needed by a product screen:
///
/// ```swift
/// let lists = ListManager(addProduct: { id, list in try await shop.add(id, to: list) })
/// ```
///
/// Every write names the state wanted. That it is so already is success: adding twice, removing
/// twice, deleting twice.
public struct ListManager: Sendable {
    private let addProduct: @Sendable (Product.ID, ProductList.ID) async throws -> Void
    private let removeProduct: @Sendable (Product.ID, ProductList.ID) async throws -> Void
    private let lists: @Sendable (PageCursor?) async throws -> Page<ProductList>
    private let list: @Sendable (ProductList.ID) async throws -> ProductList
    private let createList: @Sendable (ProductList.ID, String) async throws -> ProductList
    private let renameList:
        @Sendable (ProductList.ID, String, _ version: String?) async throws -> ProductList
    private let deleteList: @Sendable (ProductList.ID) async throws -> Void

    /// Creates a manager from closures; those left out throw ``UnsupportedOperation``.
    ///
    /// - Parameters:
    ///   - addProduct: Puts a product in a list. Throw ``ProductError/notFound(_:)`` or
    ///     ``ListError/notFound(_:)``, whichever is missing.
    ///   - removeProduct: Takes a product out of a list.
    ///   - lists: Loads the page of the user's lists that begins at a cursor, the first for `nil`.
    ///   - list: Loads one list, with its version if the backend has versions.
    ///   - create: Creates a list under an identity made by the client.
    ///   - rename: Renames a list; given a version, only when the list still has it, else throw
    ///     ``ListError/changed(current:)``.
    ///   - delete: Deletes a list.
    public init(
        addProduct: @escaping @Sendable (Product.ID, ProductList.ID) async throws -> Void,
        removeProduct: (@Sendable (Product.ID, ProductList.ID) async throws -> Void)? = nil,
        lists: (@Sendable (PageCursor?) async throws -> Page<ProductList>)? = nil,
        list: (@Sendable (ProductList.ID) async throws -> ProductList)? = nil,
        create: (@Sendable (ProductList.ID, String) async throws -> ProductList)? = nil,
        rename: (
            @Sendable (ProductList.ID, String, _ version: String?) async throws -> ProductList
        )? = nil,
        delete: (@Sendable (ProductList.ID) async throws -> Void)? = nil
    ) {
        self.addProduct = addProduct
        self.removeProduct =
            removeProduct ?? { _, _ in throw UnsupportedOperation("removeProduct") }
        self.lists = lists ?? { _ in throw UnsupportedOperation("lists") }
        self.list = list ?? { _ in throw UnsupportedOperation("list") }
        createList = create ?? { _, _ in throw UnsupportedOperation("create") }
        renameList = rename ?? { _, _, _ in throw UnsupportedOperation("rename") }
        deleteList = delete ?? { _ in throw UnsupportedOperation("delete") }
    }

    /// Puts a product in a list; its being there already is success.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - listID: The list's identity.
    /// - Throws: ``ProductError/notFound(_:)`` or ``ListError/notFound(_:)``, whichever is missing;
    ///   `CancellationError` when you stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func addProduct(
        withID id: Product.ID,
        toListWithID listID: ProductList.ID
    ) async throws {
        // Without work of its own before the closure, the method would stay on the caller's actor.
        try Task.checkCancellation()
        try await addProduct(id, listID)
    }

    /// Takes a product out of a list; its not being there is success.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - listID: The list's identity.
    /// - Throws: `CancellationError` when you stopped waiting, ``NetworkError`` when no usable
    ///   answer came.
    @concurrent public func removeProduct(
        withID id: Product.ID,
        fromListWithID listID: ProductList.ID
    ) async throws {
        try Task.checkCancellation()
        try await removeProduct(id, listID)
    }

    /// Loads a page of the user's lists.
    ///
    /// - Parameter cursor: The ``Page/next`` of the page before; `nil` for the first page.
    /// - Returns: The page. Its lists have no ``ProductList/version``; load one list for that.
    /// - Throws: `CancellationError` when you stopped waiting, ``NetworkError`` when no usable
    ///   answer came.
    @concurrent public func lists(after cursor: PageCursor? = nil) async throws -> Page<ProductList>
    {
        try Task.checkCancellation()
        return try await lists(cursor)
    }

    /// Loads one list.
    ///
    /// - Parameter id: The list's identity.
    /// - Returns: The list, with its version if the backend has versions.
    /// - Throws: ``ListError/notFound(_:)`` when there is no such list, `CancellationError` when you
    ///   stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func list(withID id: ProductList.ID) async throws -> ProductList {
        try Task.checkCancellation()
        return try await list(id)
    }

    /// Creates a list under an identity that is known before the request is sent.
    ///
    /// To try again after a failure, give the same identity again: the list is created once.
    ///
    /// - Parameters:
    ///   - name: The name of the list, between 1 and 200 characters.
    ///   - id: The identity of the new list, by default a new UUID.
    /// - Returns: The list. One of that identity and name that is there already is success.
    /// - Throws: ``ListError/changed(current:)`` when a list of that identity has another name,
    ///   `CancellationError` when you stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func createList(
        named name: String,
        id: ProductList.ID = ProductList.ID(UUID().uuidString.lowercased())
    ) async throws -> ProductList {
        try Task.checkCancellation()
        return try await createList(id, name)
    }

    /// Renames a list.
    ///
    /// - Parameters:
    ///   - id: The list's identity.
    ///   - name: The new name, between 1 and 200 characters.
    ///   - list: The list as it was read, to rename it only if nobody changed it since. Without it
    ///     the last write wins; the default contract then creates a list that is not there.
    /// - Returns: The list under its new name.
    /// - Throws: ``ListError/changed(current:)`` when the list is not as it was read,
    ///   ``ListError/notFound(_:)`` when it is gone, ``UnsupportedOperation`` when the list that was
    ///   read has no version, `CancellationError` when you stopped waiting, ``NetworkError`` when
    ///   no usable answer came.
    @concurrent public func rename(
        _ id: ProductList.ID,
        to name: String,
        ifUnchanged list: ProductList? = nil
    ) async throws -> ProductList {
        if let list, list.version == nil { throw UnsupportedOperation("rename ifUnchanged") }
        try Task.checkCancellation()
        return try await renameList(id, name, list?.version)
    }

    /// Deletes a list; its not being there is success.
    ///
    /// - Parameter id: The list's identity.
    /// - Throws: `CancellationError` when you stopped waiting, ``NetworkError`` when no usable
    ///   answer came.
    @concurrent public func deleteList(withID id: ProductList.ID) async throws {
        try Task.checkCancellation()
        try await deleteList(id)
    }
}

extension ListManager: Gettable {
    /// Loads one list; the same as ``list(withID:)``.
    @concurrent public func get(_ id: ProductList.ID) async throws -> ProductList {
        try await list(withID: id)
    }
}

extension ListManager: Creatable {
    /// Creates a list of that name under a new identity.
    @concurrent public func create(_ name: String) async throws -> ProductList {
        try await createList(named: name)
    }
}

extension ListManager: Updatable {
    /// Stores the list's name; when the list has a version, only if nobody changed it since.
    @concurrent public func update(_ list: ProductList) async throws -> ProductList {
        try await rename(list.id, to: list.name, ifUnchanged: list.version == nil ? nil : list)
    }
}

extension ListManager: Deletable {
    /// Deletes a list; the same as ``deleteList(withID:)``.
    @concurrent public func delete(_ id: ProductList.ID) async throws {
        try await deleteList(withID: id)
    }
}
