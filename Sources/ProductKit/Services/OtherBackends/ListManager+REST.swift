extension ListManager {
    /// Creates a manager for lists of lines, with the requests that most REST backends have.
    ///
    /// ```swift
    /// let lists = ListManager(
    ///     client: client,
    ///     path: "wishlists",
    ///     lines: "items",
    ///     inside: "data",
    ///     pages: .bazaar,
    ///     contents: { (list: WishList) in list.contents },
    ///     newList: { name in ["name": name] },
    ///     newName: { name in ["name": name] },
    ///     newLine: { product in ["product": try product.integer] }
    /// )
    /// ```
    ///
    /// | Operation | Request |
    /// |---|---|
    /// | Load the lists | `GET wishlists` |
    /// | Load a list | `GET wishlists/{list}` |
    /// | Create a list | `POST wishlists` with the body `newList` |
    /// | Rename a list | `PUT wishlists/{list}` with the body `newName` |
    /// | Delete a list | `DELETE wishlists/{list}` |
    /// | Add a product | `POST wishlists/{list}/items` with the body `newLine` |
    /// | Remove a product | `DELETE wishlists/{list}/items/{line}` for each of its lines |
    ///
    /// The pages of the lists have numbers or offsets, or the URL of the next one; see ``PageFormat``.
    /// The server assigns the identifier of a new list, so a list is created as
    /// ``findingCreatedLists()`` describes. Products are added and removed with ``ListLines``. The
    /// lists have no versions: the last write wins. For other requests, use
    /// ``init(lines:lists:create:rename:delete:)``.
    ///
    /// - Parameters:
    ///   - client: Sends the requests, below its base URL.
    ///   - path: The segments of the path of the lists.
    ///   - lines: The segment of the path of the lines, below that of their list.
    ///   - envelope: The path of a list in the response that contains only this list; empty if the
    ///     whole body is the list.
    ///   - pages: The format of a page of lists.
    ///   - contents: Converts a list.
    ///   - newList: Creates the body that creates a list with a name.
    ///   - newName: Creates the body that gives a list a name.
    ///   - newLine: Creates the body that adds a product; see ``Identifier/integer``.
    public init<List: Decodable & Sendable>(
        client: NetworkClient,
        path: String...,
        lines: String,
        inside envelope: MemberPath = [],
        pages: PageFormat,
        contents: @escaping @Sendable (List) throws -> ListLines.Contents,
        newList: @escaping @Sendable (String) throws -> some Encodable & Sendable,
        newName: @escaping @Sendable (String) throws -> some Encodable & Sendable,
        newLine: @escaping @Sendable (Product.ID) throws -> some Encodable & Sendable
    ) {
        @Sendable func request(_ method: String, _ segments: String...) -> NetworkRequest<List> {
            var request = NetworkRequest<List>.get().inside(envelope)
            (request.parts.method, request.parts.segments) = (method, path + segments)
            return request
        }
        @Sendable func write(_ method: String, _ segments: String...) -> NetworkRequest<Void> {
            var request = NetworkRequest<Void>.post()
            (request.parts.method, request.parts.segments) = (method, path + segments)
            return request
        }
        @Sendable func send(_ request: NetworkRequest<List>) async throws -> ListLines.Contents {
            let contents = try await client.send(request.map { list, _ in try contents(list) })
            return contents.withoutVersion
        }
        let listLines = ListLines(
            read: { id in try await send(request("GET", id.rawValue)) },
            add: { product, contents in
                let line = try newLine(product)
                let request = write("POST", contents.list.id.rawValue, lines)
                try await client.send(request.json(line))
            },
            remove: { ids, contents in
                for id in ids {
                    let list = contents.list.id.rawValue
                    try await client.send(write("DELETE", list, lines, id.rawValue))
                }
            }
        )
        let manager = ListManager(
            lines: listLines,
            lists: { cursor in
                var request = NetworkRequest<Page<List>>.get()
                request.parts.segments = path
                return try await client.send(request.page(pages, following: cursor))
                    .map { try contents($0).withoutVersion }
            },
            create: { _, name in
                try await send(request("POST").json(newList(name))).list
            },
            rename: { id, name, _ in
                try await send(request("PUT", id.rawValue).json(newName(name))).list
            },
            delete: { id in try await client.send(write("DELETE", id.rawValue)) }
        )
        self = manager.findingCreatedLists()
    }

    /// Creates a manager for lists that consist of lines.
    ///
    /// An operation without a closure throws ``UnsupportedOperation``. For the requirements of each
    /// closure, see ``init(addProduct:removeProduct:lists:list:create:rename:delete:)``.
    ///
    /// - Parameters:
    ///   - lines: Adds and removes products, and loads one list.
    ///   - lists: Loads the page of the user's lists that begins at a cursor, with their contents.
    ///   - create: Creates a list with an identifier and a name.
    ///   - rename: Renames a list, if it has the given version.
    ///   - delete: Deletes a list.
    public init(
        lines: ListLines,
        lists: (@Sendable (PageCursor?) async throws -> Page<ListLines.Contents>)? = nil,
        create: (@Sendable (ProductList.ID, String) async throws -> ProductList)? = nil,
        rename: (
            @Sendable (ProductList.ID, String, _ version: String?) async throws -> ProductList
        )? = nil,
        delete: (@Sendable (ProductList.ID) async throws -> Void)? = nil
    ) {
        var loadLists: (@Sendable (PageCursor?) async throws -> Page<ProductList>)?
        if let lists { loadLists = { cursor in try await lists(cursor).map(\.list) } }
        self.init(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: loadLists,
            list: lines.list,
            create: create,
            rename: rename,
            delete: delete
        )
    }
}

extension ListLines.Contents {
    /// The contents of a list whose version is not sent back with writes.
    fileprivate var withoutVersion: ListLines.Contents {
        ListLines.Contents(
            id: list.id,
            name: list.name,
            lines: lines,
            updatedAt: list.updatedAt
        )
    }
}
