extension ListManager {
    /// Creates a manager for lists of lines, with the requests that most REST backends have.
    ///
    /// ```swift
    /// let lists = ListManager(
    ///     client: client,
    ///     path: ["wishlists"],
    ///     lines: "items",
    ///     inside: "data",
    ///     pages: PageFormat(items: "data", pageNumber: "page", total: "count"),
    ///     contents: { (list: WishList, _) in list.contents },
    ///     newList: { name in ["name": name] },
    ///     newName: { _, name in ["name": name] },
    ///     newLine: { product in ["product": try product.integer] }
    /// )
    /// ```
    ///
    /// | Operation | Request |
    /// |---|---|
    /// | Load the lists | `GET wishlists` with the query items |
    /// | Load a list | `GET wishlists/{list}` with the query items |
    /// | Create a list | `POST wishlists` with the query items and the body `newList` |
    /// | Rename a list | `PUT wishlists/{list}`, or `PATCH`, with the query items and the body `newName`; the response may be empty |
    /// | Delete a list | `DELETE wishlists/{list}` |
    /// | Add a product | `POST wishlists/{list}/items` with the body `newLine` |
    /// | Remove a product | `DELETE wishlists/{list}/items/{line}` for each of its lines |
    ///
    /// The pages of the lists have numbers or offsets, or the URL of the next one; see ``PageFormat``.
    /// The server assigns the identifier of a new list, so a list is created as ``findingCreatedLists()``
    /// describes. Products are added and removed with ``ListLines``. The lists have no versions: the last
    /// write wins. For other requests, use ``init(lines:lists:loadsEachList:create:rename:delete:)``.
    ///
    /// - Parameters:
    ///   - client: Sends the requests, below its base URL.
    ///   - path: The segments of the path of the lists. They are evaluated for each request, so that they may
    ///     contain the user: `["users", try client.signedInUserID, "wishlists"]`.
    ///   - lines: The segment of the path of the lines, below that of their list.
    ///   - envelope: The path of a list in the response that contains only this list; empty if the whole body is the list.
    ///   - pages: The format of a page of lists.
    ///   - query: Creates the query items of the requests that return lists, those that create or rename one
    ///     included, such as the user: `{ ["customer": try client.signedInUserID] }`. A query item with the value
    ///     `nil` is left out. An error that it throws also prevents a deletion.
    ///   - pageQuery: Creates further query items of the requests that return a page of lists, such as a page size.
    ///     One with the name of an item of `query` takes its place.
    ///   - loadsListsTogether: Whether the backend has no request that loads one list. Then all pages are
    ///     loaded to find it, and a list that is on none of them does not exist. If there are several pages,
    ///     they need a total: without it, a list that has moved to another page meanwhile may not be found.
    ///   - loadsEachList: Whether the lists of a page have no lines, but those of `GET wishlists/{list}` have.
    ///     Then each one is loaded by itself, four at the same time. To find the favorites, only lists with their
    ///     name, or without one, are loaded. With `false`, a list without lines
    ///     counts as empty. It cannot be `true` together with `loadsListsTogether`.
    ///   - renamingMethod: The method of the request that renames a list, such as `PATCH`.
    ///   - contents: Converts a list of a response, which may contain more than the list, and which has its URL.
    ///     Return `nil` to leave a list of another kind out of the pages, such as a gift registry, or if the response
    ///     to a creation does not contain the list: then it is found by its name. For a list that is loaded by itself,
    ///     `nil` means that it does not exist. For one that is renamed, `nil` is an error with the code
    ///     ``NetworkError/Code-swift.struct/unreadable``. For a list of a page, an error that the closure throws is
    ///     in ``Page/rejected``; otherwise it is thrown, a `DecodingError` as a ``NetworkError``.
    ///   - loadLines: Loads the lines of a list that have a URL, and perhaps pages, of their own. They take the
    ///     place of those that `contents` returns. They are loaded for each list of a page, as described for
    ///     `loadsEachList`, which remains `false` then. With `nil`, the default, they are those of `contents`.
    ///   - newList: Creates the body that creates a list with a name.
    ///   - newName: Creates the body that gives the list with an identifier a name. If the server expects the whole
    ///     list, load it here. No other change of the list is carried out meanwhile.
    ///   - newLine: Creates the body that adds a product; see ``Identifier/integer``. If the server expects more
    ///     than its identifier, such as that of a variant, load the product here.
    public init<List: Decodable & Sendable>(
        client: NetworkClient,
        path: @autoclosure @escaping @Sendable () throws -> [String],
        lines: String,
        inside envelope: MemberPath = [],
        pages: PageFormat,
        query: @escaping @Sendable () throws -> [String: String?] = { [:] },
        pageQuery: @escaping @Sendable () throws -> [String: String?] = { [:] },
        loadsListsTogether: Bool = false,
        loadsEachList: Bool = false,
        renamingMethod: String = "PUT",
        contents: @escaping @Sendable (List, NetworkResponse) throws -> ListLines.Contents?,
        loadLines: (@Sendable (ProductList.ID) async throws -> [ListLines.Line])? = nil,
        newList: @escaping @Sendable (String) async throws -> some Encodable & Sendable,
        newName:
            @escaping @Sendable (ProductList.ID, String) async throws -> some Encodable & Sendable,
        newLine: @escaping @Sendable (Product.ID) async throws -> some Encodable & Sendable
    ) {
        self.init(
            client: client,
            path: try path(),
            inside: envelope,
            pages: pages,
            query: query,
            pageQuery: pageQuery,
            loadsListsTogether: loadsListsTogether,
            loadsEachList: loadsEachList,
            renamingMethod: renamingMethod,
            contents: contents,
            loadLines: loadLines,
            newList: newList,
            newName: newName,
            add: { product, contents in
                let line = try await newLine(product)
                let path = try path() + [contents.id.rawValue, lines]
                try await client.send(NetworkRequest<Void>("POST", path).json(line))
            },
            remove: { ids, contents in
                // The identifier of a line may be its position.
                for id in ids.reversed() {
                    let path = try path() + [contents.id.rawValue, lines, id.rawValue]
                    try await client.send(NetworkRequest<Void>("DELETE", path))
                }
            }
        )
    }

    /// Creates a manager for lists with the usual requests, except for those that add and remove a product.
    ///
    /// It sends the other requests of
    /// ``init(client:path:lines:inside:pages:query:pageQuery:loadsListsTogether:loadsEachList:renamingMethod:contents:loadLines:newList:newName:newLine:)``,
    /// which describes the other parameters. `add` and `remove` are those of ``ListLines/init(read:add:remove:)``: they get
    /// the contents that `contents` has returned, with their version. A list is renamed whatever its version is.
    public init<List: Decodable & Sendable>(
        client: NetworkClient,
        path: @autoclosure @escaping @Sendable () throws -> [String],
        inside envelope: MemberPath = [],
        pages: PageFormat,
        query: @escaping @Sendable () throws -> [String: String?] = { [:] },
        pageQuery: @escaping @Sendable () throws -> [String: String?] = { [:] },
        loadsListsTogether: Bool = false,
        loadsEachList: Bool = false,
        renamingMethod: String = "PUT",
        contents: @escaping @Sendable (List, NetworkResponse) throws -> ListLines.Contents?,
        loadLines: (@Sendable (ProductList.ID) async throws -> [ListLines.Line])? = nil,
        newList: @escaping @Sendable (String) async throws -> some Encodable & Sendable,
        newName:
            @escaping @Sendable (ProductList.ID, String) async throws -> some Encodable & Sendable,
        add: @escaping @Sendable (Product.ID, ListLines.Contents) async throws -> Void,
        remove: @escaping @Sendable ([ListLines.Line.ID], ListLines.Contents) async throws -> Void
    ) {
        precondition(
            !(loadsListsTogether && loadsEachList),
            "A list is loaded by itself or with all others. Pass loadsListsTogether or loadsEachList."
        )
        @Sendable func send(
            _ request: NetworkRequest<List>,
            orIfEmpty empty: ListLines.Contents? = nil,
            otherwise error: ListError? = nil
        ) async throws -> ListLines.Contents {
            var list = request.inside(envelope).map { list, response in
                if let contents = try contents(list, response) { return contents }
                throw error
                    ?? NetworkError(
                        .unreadable,
                        response: response,
                        details: "The response contains a list of another kind."
                    )
            }
            if let empty {
                let decode = list.decode
                list.decode = { $0.body.isEmpty ? empty : try decode($0) }
            }
            return try await client.send(list)
        }
        @Sendable func page(
            _ cursor: PageCursor?
        ) throws -> NetworkRequest<Page<ListLines.Contents>> {
            let query = try query().merging(pageQuery()) { _, item in item }
            return NetworkRequest<Page<List>>("GET", try path(), query: query)
                .page(pages, following: cursor)
                .map { page, response in page.compactMap { try contents($0, response) } }
        }
        @Sendable func withLines(_ list: ListLines.Contents) async throws -> ListLines.Contents {
            guard let loadLines else { return list }
            return ListLines.Contents(list.list, lines: try await loadLines(list.id))
        }
        let read: @Sendable (ProductList.ID) async throws -> ListLines.Contents = { id in
            if loadsListsTogether {
                return try await withLines(client.allPages(page).contents(ofListWithID: id))
            }
            let path = try path() + [id.rawValue]
            return try await withLines(
                send(
                    NetworkRequest("GET", path, query: try query()),
                    otherwise: ListError.notFound(id)
                )
            )
        }
        let listLines = ListLines(read: read, add: add, remove: remove)
        var manager = ListManager(
            addProduct: listLines.add,
            removeProduct: listLines.remove,
            lists: { cursor in
                try await client.send(page(cursor)).map(\.list.withoutVersion)
            },
            loadsEachList: loadsEachList,
            list: { id in try await listLines.list(id).withoutVersion },
            create: { _, name in
                let request = NetworkRequest<List>("POST", try path(), query: try query())
                return try await send(request.json(await newList(name))).list.withoutVersion
            },
            rename: { id, name, _ in
                let path = try path() + [id.rawValue]
                let request = NetworkRequest<List>(renamingMethod, path, query: try query())
                let renamed = ListLines.Contents(id: id, name: name, lines: [])
                return try await listLines.writes.withLock(id) {
                    try await send(request.json(await newName(id, name)), orIfEmpty: renamed)
                        .list.withoutVersion
                }
            },
            delete: { id in
                // Its error must not become a 404, which counts as a success.
                _ = try query()
                let request = NetworkRequest<Void>("DELETE", try path() + [id.rawValue])
                try await listLines.writes.withLock(id) { try await client.send(request) }
            }
        )
        if let loadLines, !loadsEachList {
            manager.lists = { [lists = manager.lists] cursor, name in
                try await lists(cursor, name).loadingEach(named: name) { list in
                    ListLines.Contents(list, lines: try await loadLines(list.id)).list
                }
            }
        }
        self = manager.findingCreatedLists()
    }

    /// Creates a manager for lists that consist of lines.
    ///
    /// An operation without a closure throws ``UnsupportedOperation``. For the requirements of each
    /// closure, see ``init(addProduct:removeProduct:lists:loadsEachList:list:create:rename:delete:)``.
    ///
    /// - Parameters:
    ///   - lines: Adds and removes products, and loads one list.
    ///   - lists: Loads the page of the user's lists that begins at a cursor, with their contents.
    ///   - loadsEachList: Whether the lists of a page lack their lines. Then `lines` load each list.
    ///   - create: Creates a list with an identifier and a name. For a screen, the list that it returns need
    ///     not contain its products.
    ///   - rename: Renames a list, if it has the given version. The same applies to the list that it returns. While
    ///     it runs, `lines` carry out no other change of the list, so it may load the list and send it as a whole.
    ///   - delete: Deletes a list, under the same conditions.
    public init(
        lines: ListLines,
        lists: (@Sendable (PageCursor?) async throws -> Page<ListLines.Contents>)? = nil,
        loadsEachList: Bool = false,
        create: (@Sendable (ProductList.ID, String) async throws -> ProductList?)? = nil,
        rename: (
            @Sendable (ProductList.ID, String, _ version: String?) async throws -> ProductList
        )? = nil,
        delete: (@Sendable (ProductList.ID) async throws -> Void)? = nil
    ) {
        self.init(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: lists.map { lists in
                { @Sendable cursor in try await lists(cursor).map(\.list) }
            },
            loadsEachList: loadsEachList,
            list: lines.list,
            create: create,
            rename: rename.map { rename in
                { @Sendable id, name, version in
                    try await lines.writes.withLock(id) { try await rename(id, name, version) }
                }
            },
            delete: delete.map { delete in
                { @Sendable id in try await lines.writes.withLock(id) { try await delete(id) } }
            }
        )
    }
}

extension ProductList {
    /// The list without its version: a manager whose writes do not send it must not return it.
    fileprivate var withoutVersion: ProductList {
        var list = self
        list.version = nil
        return list
    }
}
