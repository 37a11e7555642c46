import Foundation

/// Loads and changes the user's lists of products, over any backend.
///
/// By default it uses the contract `Docs/openapi.yaml`; see ``init(baseURL:networking:behaviors:)``. For any
/// other backend, pass closures. A product screen needs only the one that adds:
///
/// ```swift
/// let lists = ListManager(addProduct: { id, list in try await shop.add(id, to: list) })
/// ```
///
/// Every write is idempotent: what is so already is a success. With an ``Outbox``, a write also succeeds if it is saved
/// to be sent later.
///
/// Its methods run off the caller's actor. A method that is called in a cancelled task throws `CancellationError` and
/// sends nothing. It also throws `CancellationError` if its task is cancelled later, and ``NetworkError`` if no usable
/// response arrives: then the server may have carried out a write.
public struct ListManager: Sendable {
    // They write, or save the edit in an outbox.
    var addProduct: @Sendable (Product.ID, ProductList.ID) async throws -> EditOutcome<Void>
    var removeProduct: @Sendable (Product.ID, ProductList.ID) async throws -> EditOutcome<Void>
    var createList: @Sendable (ProductList.ID, String) async throws -> EditOutcome<ProductList>
    var renameList:
        @Sendable (ProductList.ID, String, _ version: String?) async throws -> EditOutcome<
            ProductList
        >
    var deleteList: @Sendable (ProductList.ID) async throws -> EditOutcome<Void>
    /// Loads a page of lists; if a name is given, the lists with other names may lack their products.
    var lists: @Sendable (PageCursor?, _ name: String?) async throws -> Page<ProductList>
    var list: @Sendable (ProductList.ID) async throws -> ProductList
    /// Whether there are closures for all lists and for one.
    var canLoad: (all: Bool, one: Bool)
    private var behaviors: [any RequestBehavior] = []
    /// Throws an error for a name that no list of the user may have.
    var checkName: @Sendable (String) throws -> Void = { _ in }
    /// Whether no outbox saves a new list, because the server assigns its identifier, or has only one list.
    var createsListsDirectly = false
    /// The source of the identifiers of new lists.
    var effects = SystemEffects()

    /// Creates a manager from closures.
    ///
    /// An operation without a closure throws ``UnsupportedOperation``.
    ///
    /// A policy applies to all safe requests that a closure sends with a ``NetworkClient``:
    /// ``FetchPolicy/networkFirst`` for `lists`, ``FetchPolicy/revalidate`` for all others. So a read
    /// that precedes a write never returns a stored response without revalidation.
    ///
    /// A ``NetworkError`` with code ``NetworkError/Code-swift.struct/notFound`` that `removeProduct`
    /// or `delete` throws for a write is a success, and one that `list` or `rename` throws becomes
    /// ``ListError/notFound(_:)``. After one that `addProduct` throws for a write, `list` loads the list: if it
    /// exists, the product does not. So these closures need not interpret a 404. One of a write that the server has
    /// refused, see ``NetworkRequest/returning(_:forProblem:)``, is thrown unchanged.
    ///
    /// - Parameters:
    ///   - addProduct: Adds a product to a list. Return if the list already contains it. If there is no `list`,
    ///     throw ``ProductError/notFound(_:)`` if the product does not exist, ``ListError/notFound(_:)`` if
    ///     the list does not. If the server responds with a 404 for another reason, throw an error with another code.
    ///   - removeProduct: Removes a product from a list. Return if the list does not contain it, or does not exist.
    ///   - lists: Loads the page of the user's lists that begins at a cursor; `nil` is the first
    ///     page. Return an empty page if there are none.
    ///   - loadsEachList: Whether the lists of a page lack their products. Then `list` loads each one, four at the
    ///     same time. To find the favorites, only lists with their name, or without one, are loaded. A list that
    ///     does not exist any longer is left out, and one that cannot be decoded is in ``Page/rejected``. After
    ///     any other error, no further list is loaded, and the error is thrown.
    ///   - list: Loads one list, with its version if the backend has versions. Throw
    ///     ``ListError/notFound(_:)`` if it does not exist.
    ///   - create: Creates a list with an identifier that the client generated. If a list with this identifier exists,
    ///     return it if it has the name, which the server may have trimmed, or else throw ``ListError/changed(current:)``
    ///     and change nothing. Return `nil` if the response does not contain the list: ``findingCreatedLists()`` then
    ///     finds it by its name. Without that, ``NetworkError/Code-swift.struct/unreadable`` is thrown.
    ///   - rename: Renames a list, and returns it, with or without its products. Return the list if it already has
    ///     the name. Throw ``ListError/notFound(_:)`` if it does not exist. If a version is given and the list no
    ///     longer has it, throw ``ListError/changed(current:)`` and change nothing.
    ///   - delete: Deletes a list. Return, or throw ``ListError/notFound(_:)``, if it does not exist, also if the
    ///     server reports that with another code than ``NetworkError/Code-swift.struct/notFound``.
    public init(
        addProduct: (@Sendable (Product.ID, ProductList.ID) async throws -> Void)? = nil,
        removeProduct: (@Sendable (Product.ID, ProductList.ID) async throws -> Void)? = nil,
        lists: (@Sendable (PageCursor?) async throws -> Page<ProductList>)? = nil,
        loadsEachList: Bool = false,
        list: (@Sendable (ProductList.ID) async throws -> ProductList)? = nil,
        create: (@Sendable (ProductList.ID, String) async throws -> ProductList?)? = nil,
        rename: (
            @Sendable (ProductList.ID, String, _ version: String?) async throws -> ProductList
        )? = nil,
        delete: (@Sendable (ProductList.ID) async throws -> Void)? = nil
    ) {
        self.addProduct = { id, listID in
            guard let addProduct else { throw UnsupportedOperation("addProduct") }
            do {
                return .confirmed(try await addProduct(id, listID))
            } catch let error as NetworkError where error.reportsMissingTarget {
                guard let list else { throw error }
                // The response does not show which of the two is missing.
                try await Self.checkExistence(of: listID, after: error, list)
                throw ProductError.notFound(id)
            }
        }
        self.removeProduct = { id, list in
            guard let removeProduct else { throw UnsupportedOperation("removeProduct") }
            return .confirmed(try await removeProduct(id, list))
        }
        let loadList = list ?? { _ in throw UnsupportedOperation("list") }
        self.list = loadList
        self.lists = { cursor, name in
            guard let lists else { throw UnsupportedOperation("lists") }
            let page = try await lists(cursor)
            guard loadsEachList else { return page }
            return try await page.loadingEach(named: name) { try await loadList($0.id) }
        }
        canLoad = (lists != nil, list != nil)
        createList = { id, name in
            guard let create else { throw UnsupportedOperation("create") }
            if let list = try await create(id, name) { return .confirmed(list) }
            throw NetworkError(
                .unreadable,
                response: NetworkResponse(statusCode: 201),
                details: "The response does not contain the new list. Call findingCreatedLists()."
            )
        }
        renameList = { id, name, version in
            guard let rename else { throw UnsupportedOperation("rename") }
            return .confirmed(try await rename(id, name, version))
        }
        deleteList = { id in
            guard let delete else { throw UnsupportedOperation("delete") }
            return .confirmed(try await delete(id))
        }
    }

    /// Adds a product to a list; if the list already contains it, nothing changes.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - listID: The list's identifier.
    /// - Throws: ``ProductError/notFound(_:)`` if the product does not exist,
    ///   ``ListError/notFound(_:)`` if the list does not.
    @concurrent public func addProduct(
        withID id: Product.ID,
        toListWithID listID: ProductList.ID
    ) async throws {
        _ = try await add(id, to: listID)
    }

    /// Adds a product, and reports if the change is only saved.
    @concurrent func add(
        _ id: Product.ID,
        to listID: ProductList.ID
    ) async throws -> EditOutcome<Void> {
        try Task.checkCancellation()
        return try await write { try await addProduct(id, listID) }
    }

    /// Removes a product from a list; if the list does not contain it, or does not exist, nothing changes.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - listID: The list's identifier.
    /// - Throws: ``UnsupportedOperation`` if the backend cannot remove products.
    @concurrent public func removeProduct(
        withID id: Product.ID,
        fromListWithID listID: ProductList.ID
    ) async throws {
        _ = try await remove(id, from: listID)
    }

    /// Removes a product, and reports if the change is only saved.
    @concurrent func remove(
        _ id: Product.ID,
        from listID: ProductList.ID
    ) async throws -> EditOutcome<Void> {
        try Task.checkCancellation()
        return try await removal { try await removeProduct(id, listID) }
    }

    /// Loads a page of the user's lists.
    ///
    /// To load page after page in a loop, use ``pages()``.
    ///
    /// - Parameter cursor: The ``Page/next`` of the previous page; `nil` for the first page.
    /// - Returns: The page. Its lists may have no ``ProductList/version``; ``list(withID:)`` loads a list with its version.
    /// - Throws: ``UnsupportedOperation`` if the backend does not list the lists.
    @concurrent public func lists(after cursor: PageCursor? = nil) async throws -> Page<ProductList>
    {
        try await lists(after: cursor, named: nil)
    }

    /// Loads a page of the user's lists, of which only those with a name need their products.
    @concurrent func lists(
        after cursor: PageCursor?,
        named name: String?
    ) async throws -> Page<ProductList> {
        try Task.checkCancellation()
        return try await ServiceOperation.page(behaviors: behaviors) {
            try await lists(cursor, name)
        }
    }

    /// Loads one list.
    ///
    /// - Parameter id: The list's identifier.
    /// - Returns: The list, with its version if the backend has versions.
    /// - Throws: ``ListError/notFound(_:)`` if the list does not exist, ``UnsupportedOperation`` if
    ///   the backend cannot load one list.
    @concurrent public func list(withID id: ProductList.ID) async throws -> ProductList {
        try Task.checkCancellation()
        return try await NetworkError.replacingNotFound(by: ListError.notFound(id)) {
            try await ServiceOperation.read(.revalidate, behaviors: behaviors) { _ in
                try await list(id)
            }
        }
    }

    /// Creates a list.
    ///
    /// If the backend lets the client choose the identifier, a failed call can be repeated with the same one and
    /// creates the list only once. If the server assigns another identifier, this requires ``findingCreatedLists()``.
    ///
    /// - Parameters:
    ///   - name: The name of the list, between 1 and 200 characters.
    ///   - id: The identifier of the new list; with `nil`, the default, a new UUID in lower case.
    /// - Returns: The new list, or the list that already has this identifier and name. If the response to an
    ///   earlier attempt may have been lost, also one with another name: the server may have trimmed it.
    /// - Throws: ``ListError/changed(current:)`` if a list with this identifier has another name, and no attempt
    ///   may have created it; ``ListError/reservedName(_:)`` if lists with this name are hidden,
    ///   ``UnsupportedOperation`` if the backend cannot create lists.
    @concurrent public func createList(
        named name: String,
        id: ProductList.ID? = nil
    ) async throws -> ProductList {
        let draft = ProductList(id: id ?? effects.newListID(), name: name)
        return try await createDraft(draft).confirmation ?? draft
    }

    /// Creates the list of a draft, and reports if it is only saved.
    @concurrent func createDraft(_ draft: ProductList) async throws -> EditOutcome<ProductList> {
        try Task.checkCancellation()
        try checkName(draft.name)
        return try await write { try await createList(draft.id, draft.name) }
    }

    /// Renames a list.
    ///
    /// - Parameters:
    ///   - id: The list's identifier.
    ///   - name: The new name, between 1 and 200 characters.
    ///   - list: The list as it was loaded, to rename it only if its version is still current. With
    ///     `nil`, the last write wins, and the default contract creates a list that does not exist.
    /// - Returns: The list with its new name.
    /// - Throws: ``ListError/changed(current:)`` if the list has changed since it was loaded, ``ListError/notFound(_:)``
    ///   if it was deleted, ``ListError/reservedName(_:)`` if lists with the new name are hidden, ``UnsupportedOperation``
    ///   if `list` has no version or the backend cannot rename lists. A ``NetworkError`` with the code `rejected` is also
    ///   that of a refused version of an unchanged list, such as a weak `ETag`: then it was not renamed.
    @concurrent public func renameList(
        withID id: ProductList.ID,
        to name: String,
        ifUnchanged list: ProductList? = nil
    ) async throws -> ProductList {
        if let list, list.version == nil {
            throw UnsupportedOperation("renameList(ifUnchanged:) of a list that has no version")
        }
        return try await changeName(of: id, to: name, version: list?.version).confirmation
            ?? ProductList(id: id, name: name)
    }

    /// Renames a list, and reports if the name is only saved.
    @concurrent func changeName(
        of id: ProductList.ID,
        to name: String,
        version: String? = nil
    ) async throws -> EditOutcome<ProductList> {
        try Task.checkCancellation()
        try checkName(name)
        return try await NetworkError.replacingNotFound(by: ListError.notFound(id)) {
            try await write { try await renameList(id, name, version) }
        }
    }

    /// Deletes a list; if it does not exist, nothing changes.
    ///
    /// - Parameter id: The list's identifier.
    /// - Throws: ``UnsupportedOperation`` if the backend cannot delete lists.
    @concurrent public func deleteList(withID id: ProductList.ID) async throws {
        _ = try await removeList(id)
    }

    /// Deletes a list, and reports if that is only saved.
    @concurrent func removeList(_ id: ProductList.ID) async throws -> EditOutcome<Void> {
        try Task.checkCancellation()
        return try await removal { try await deleteList(id) }
    }

    /// Returns a manager whose requests have further behaviors, outside of those of the manager and its client.
    package func with(behaviors: [any RequestBehavior]) -> ListManager {
        var manager = self
        manager.behaviors = behaviors + self.behaviors
        return manager
    }

    /// Returns a manager that creates each list once, for a backend whose server assigns the identifiers of lists.
    ///
    /// Such a server cannot recognize a creation that is repeated after its response was lost. So the lists are loaded
    /// before each creation, which requires a `lists` closure. The requests of a creation are not retried, even if they
    /// have an `Idempotency-Key`. If it fails with an error after which the server may have created the list, they are
    /// loaded again, also at the start of another call with the same identifier. A list with the name that did not exist
    /// before is the created one; it may be that of another device. Lists with the same name are created one after
    /// another, so that no call returns the list of another one. A server that creates the list only after the second
    /// call has loaded the lists creates two. An ``Outbox`` does not save a new list: the server would not know the
    /// identifier in its edits.
    ///
    /// - Returns: A manager with the same operations.
    public func findingCreatedLists() -> ListManager {
        var manager = self
        let creations = ListCreations(lists: self)
        manager.createsListsDirectly = true
        manager.createList = { [createList] id, name in
            try await creations.list(id, named: name) { try await createList(id, name) }
        }
        return manager
    }

    /// Loads a list from the server, by itself or with all others.
    ///
    /// - Returns: The list; `nil` if the manager cannot load it, if it may be one that could not be decoded, or
    ///   if the pages of the lists do not fit together.
    /// - Throws: ``ListError/notFound(_:)``, or the errors of ``list(withID:)`` and ``allLists()``.
    func currentList(withID id: ProductList.ID) async throws -> ProductList? {
        if canLoad.one { return try await list(withID: id) }
        guard canLoad.all else { return nil }
        // As part of a write, no stored response is used.
        let all = try await write { try await allLists() }
        if let list = all.items.first(where: { $0.id == id }) { return list }
        let mayLackLists = all.omissions.count > 0 || all.omissions.mayIncludeOthers
        guard all.rejectedCount == 0, !mayLackLists else { return nil }
        throw ListError.notFound(id)
    }

    /// Throws if a list does not exist; the error of a write, too, if the list shows nothing.
    private static func checkExistence(
        of id: ProductList.ID,
        after failure: NetworkError,
        _ load: @Sendable (ProductList.ID) async throws -> ProductList
    ) async throws {
        do {
            _ = try await NetworkError.replacingNotFound(by: ListError.notFound(id)) {
                try await load(id)
            }
        } catch let error as NetworkError
            where [.unreadable, .tooLarge, .unexpected, .redirect].contains(error.code)
        {
            // Another attempt would not show it either.
            throw failure
        }
    }

    private func write<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await ServiceOperation.write(behaviors: behaviors, body)
    }

    /// Carries out a removal, which succeeds if there is nothing to remove any longer.
    private func removal(
        _ body: () async throws -> EditOutcome<Void>
    ) async throws -> EditOutcome<Void> {
        do {
            return try await write(body)
        } catch ProductError.notFound, ListError.notFound {
        } catch let error as NetworkError where error.reportsMissingTarget {}
        return .confirmed(())
    }
}

extension SystemEffects {
    /// Returns a new UUID in lower case: a list that has the identifier already counts as the new one.
    func newListID() -> ProductList.ID { ProductList.ID(uuid().uuidString.lowercased()) }
}

extension NetworkError {
    /// Carries out an operation, and replaces its error if that has the code ``Code-swift.struct/notFound``.
    static func replacingNotFound<Value>(
        by replacement: @autoclosure () -> any Error,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await operation()
        } catch let error as NetworkError where error.code == .notFound && !error.isOfRefusedWrite {
            throw replacement()
        }
    }
}
