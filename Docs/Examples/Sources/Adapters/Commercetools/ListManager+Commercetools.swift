public import ProductKit

extension ListManager {
    /// Creates a manager over the shopping lists of commercetools.
    ///
    /// The identity that a new list is created under becomes its key, so that trying again creates
    /// it once; what it is known by from then on is the identity that commercetools gives it.
    /// Renaming and deleting are left out.
    ///
    /// - Parameters:
    ///   - client: A client made for commercetools.
    ///   - language: In which language names are read and written.
    public init(commercetools client: NetworkClient, language: String = "en") {
        let change: @Sendable (ProductList, [CommercetoolsChange.Action]) async throws -> Void = {
            let request = try NetworkRequest<Void>.post("shopping-lists", $0.id)
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
                let request = try NetworkRequest<CommercetoolsList>.post("shopping-lists").json(
                    draft
                )
                do {
                    return try await client.send(request).contents(in: language).list
                } catch let error as NetworkError where error.problem?.type == "DuplicateField" {
                    // The answer to an earlier attempt was lost.
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
