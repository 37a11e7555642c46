import ProductKit

extension ListManager {
    /// Creates a manager for the shopping lists of commercetools that belong to the token.
    init(commercetools client: NetworkClient, language: String) {
        typealias Action = CommercetoolsChange.Action
        let change: @Sendable (ProductList, [Action]) async throws -> ProductList = {
            let request = NetworkRequest<CommercetoolsList>.post("me", "shopping-lists", $0.id)
                .json(CommercetoolsChange(of: $0, $1))
            return try await client.send(request).contents(in: language).list
        }
        let lines = ListLines(
            read: { id in
                let request = NetworkRequest<CommercetoolsList>.get("me", "shopping-lists", id)
                return try await client.send(request).contents(in: language)
            },
            add: { product, contents in
                let action = Action(action: "addLineItem", productId: product)
                _ = try await change(contents.list, [action])
            },
            remove: { lines, contents in
                let actions = lines.map { Action(action: "removeLineItem", lineItemId: $0) }
                _ = try await change(contents.list, actions)
            }
        )
        let manager = ListManager(
            lines: lines,
            lists: { cursor in
                let request = NetworkRequest<Page<CommercetoolsList>>.get("me", "shopping-lists")
                    .page(.commercetools, following: cursor)
                return try await client.send(request).map { $0.contents(in: language) }
            },
            create: { _, name in
                let request = NetworkRequest<CommercetoolsList>.post("me", "shopping-lists")
                    .json(CommercetoolsDraft(name: LocalizedText(name, in: language)))
                return try await client.send(request).contents(in: language).list
            },
            rename: { id, name, version in
                let name = LocalizedText(name, in: language)
                for _ in 1...3 {
                    var list = try await lines.list(id)
                    list.version = version ?? list.version
                    do {
                        return try await change(list, [Action(action: "changeName", name: name)])
                    } catch let error as NetworkError where error.code == .conflict {
                        // Without the version of the caller, the last write wins.
                        if version != nil { break }
                    }
                }
                throw ListError.changed(current: try await lines.list(id))
            },
            delete: { id in
                let request = NetworkRequest<Void>(
                    method: "DELETE",
                    segments: ["me", "shopping-lists", id.rawValue],
                    query: ["version": try await lines.list(id).version]
                ) { _ in }
                try await client.send(request)
            }
        )
        self = manager.findingCreatedLists()
    }
}
