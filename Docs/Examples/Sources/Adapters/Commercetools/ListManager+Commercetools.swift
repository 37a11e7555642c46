public import ProductKit

extension ListManager {
    /// Creates a manager for the shopping lists of commercetools.
    ///
    /// The identifier of a new list is sent as its key, so a retry does not create a second list.
    /// The created list has an identifier that commercetools assigns. Renaming and deleting lists
    /// is not supported.
    ///
    /// - Parameters:
    ///   - client: A client for commercetools.
    ///   - language: The language of names.
    public init(commercetools client: NetworkClient, language: String = "en") {
        let change: @Sendable (ProductList, [CommercetoolsChange.Action]) async throws -> Void = {
            let request = NetworkRequest<Void>.post("shopping-lists", $0.id)
                .json(CommercetoolsChange($0, $1))
            try await client.send(request)
        }
        let lines = ListLines(
            read: { list in
                let request = NetworkRequest<CommercetoolsList>.get("shopping-lists", list)
                return try await client.send(request).contents(in: language)
            },
            add: { product, contents in
                try await change(contents.list, [.init(action: "addLineItem", productId: product)])
            },
            remove: { lines, contents in
                let actions = lines.map { line in
                    CommercetoolsChange.Action(action: "removeLineItem", lineItemId: line)
                }
                try await change(contents.list, actions)
            }
        )
        self.init(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: { cursor in
                let request = NetworkRequest<CommercetoolsPage<CommercetoolsList>>
                    .get("shopping-lists", query: ["offset": cursor?.rawValue])
                return try await client.send(request).page { $0.contents(in: language).list }
            },
            list: lines.list,
            create: { id, name in
                let draft = CommercetoolsDraft(key: id, name: LocalizedText(name, in: language))
                let request = NetworkRequest<CommercetoolsList>.post("shopping-lists").json(
                    draft
                )
                do {
                    return try await client.send(request).contents(in: language).list
                } catch let error as NetworkError where error.problem?.type == "DuplicateField" {
                    // An earlier attempt created the list, but its response was lost.
                    let request = NetworkRequest<CommercetoolsPage<CommercetoolsList>>
                        .get("shopping-lists", query: ["where": "key=\(id.rawValue.quoted)"])
                    let page = try await client.send(request)
                    guard let list = page.results.items.first?.contents(in: language).list
                    else { throw error }
                    guard list.name == name else { throw ListError.changed(current: list) }
                    return list
                }
            }
        )
    }
}
