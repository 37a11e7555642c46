import Foundation

/// A shop in memory with the favorites and lists of one user, like a server that implements `Docs/openapi.yaml`.
final class InMemoryShop: Sendable {
    private let products: [Product]
    /// The texts of the products that a search compares, without case and accents.
    private let searchTexts: [String]
    private let delay: Duration
    private let effects: SystemEffects
    private let failure: @Sendable (_ operation: String) -> (any Error)?
    private let state: Locked<InMemoryState>

    /// Opens a shop; of several products or lists with one identifier, only the first is in it.
    init(
        products: [Product],
        lists: [ProductList],
        delay: Duration,
        effects: SystemEffects,
        failure: @escaping @Sendable (_ operation: String) -> (any Error)?
    ) {
        var ids: Set<Product.ID> = []
        self.products = products.filter { ids.insert($0.id).inserted }
        searchTexts = self.products.map { product in
            ([product.name, product.description ?? ""] + product.attributes.values)
                .joined(separator: "\n").foldedForSearch
        }
        (self.delay, self.effects, self.failure) = (delay, effects, failure)
        var state = InMemoryState()
        for product in self.products.reversed() where product.isFavorite {
            state.add(favorite: product.id)
        }
        for list in lists where state.list(list.id) == nil { state.add(list) }
        self.state = Locked(state)
    }

    /// Waits, fails, or carries an operation out.
    private func perform<Value: Sendable>(
        _ operation: String,
        _ body: (inout InMemoryState) throws -> Value
    ) async throws -> Value {
        if delay > .zero { try await effects.sleep(delay) }
        if let error = failure(operation) { throw error }
        return try state.withLock { state in try body(&state) }
    }
}

// MARK: - Products

extension InMemoryShop {
    var loader: ProductLoader {
        ProductLoader(
            load: { id in try await self.perform("load") { try self.product(id, in: $0) } },
            search: { query, cursor in
                try await self.perform("search") { try self.page(of: query, cursor, in: $0) }
            },
            favorites: { cursor in
                try await self.perform("favorites") { state in
                    try Page(of: state.favorites, after: cursor).compactMap { favorite in
                        try? self.product(favorite, in: state)
                    }
                }
            },
            setFavorite: { id, isFavorite in
                try await self.perform("setFavorite") { state in
                    guard isFavorite else {
                        state.favorites.removeAll { $0.value == id }
                        return try? self.product(id, in: state)
                    }
                    _ = try self.product(id, in: state)
                    state.add(favorite: id)
                    return try self.product(id, in: state)
                }
            }
        )
    }

    private func product(_ id: Product.ID, in state: InMemoryState) throws -> Product {
        guard var product = products.first(where: { $0.id == id }) else {
            throw ProductError.notFound(id)
        }
        product.isFavorite = state.favorites.contains { $0.value == id }
        product.unknownMembers.remove(.isFavorite)
        return product
    }

    private func page(
        of query: ProductQuery,
        _ cursor: PageCursor?,
        in state: InMemoryState
    ) throws -> Page<Product> {
        guard query.text.unicodeScalars.count <= 200, query.ids.count <= 100 else {
            throw NetworkError(
                .rejected,
                reason: "The search has more than 200 characters or 100 products. Shorten it.",
                details: "These are the limits of a search in memory."
            )
        }
        let words = query.text.foldedForSearch.split(whereSeparator: \.isWhitespace)
        let ids = Set(query.ids)
        let found = products.indices.filter { index in
            (ids.isEmpty || ids.contains(products[index].id))
                && words.allSatisfy(searchTexts[index].contains)
        }
        let page = try Page(
            of: found.map { Positioned(position: $0, value: products[$0].id) },
            after: cursor,
            limit: query.limit
        )
        return page.compactMap { try? product($0, in: state) }
    }
}

// MARK: - Lists

extension InMemoryShop {
    var listManager: ListManager {
        ListManager(
            addProduct: { product, list in
                try await self.perform("addProduct") { state in
                    guard try !state.existingList(list).products.contains(product) else { return }
                    _ = try self.product(product, in: state)
                    self.change(list, in: &state) { $0.products.append(product) }
                }
            },
            removeProduct: { product, list in
                try await self.perform("removeProduct") { state in
                    self.change(list, in: &state) { $0.products.removeAll { $0 == product } }
                }
            },
            lists: { cursor in
                try await self.perform("lists") { state in
                    var page = try Page(of: state.lists, after: cursor)
                    for index in page.items.indices { page.items[index].version = nil }
                    page.total = nil
                    return page
                }
            },
            list: { id in try await self.perform("list") { try $0.existingList(id) } },
            create: { id, name in
                try await self.perform("create") { try self.create(id, named: name, in: &$0) }
            },
            rename: { id, name, version in
                try await self.perform("rename") { state in
                    // Without a version, the default API creates a list that does not exist.
                    if version == nil, state.list(id) == nil {
                        return try self.create(id, named: name, in: &state)
                    }
                    let list = try state.existingList(id)
                    try Self.check(name)
                    guard version == nil || version == list.version || list.name == name else {
                        throw ListError.changed(current: list)
                    }
                    self.change(id, in: &state) { $0.name = name }
                    return try state.existingList(id)
                }
            },
            delete: { id in
                try await self.perform("delete") { $0.lists.removeAll { $0.value.id == id } }
            }
        )
    }

    private func create(
        _ id: ProductList.ID,
        named name: String,
        in state: inout InMemoryState
    ) throws -> ProductList {
        try Self.check(name)
        // A list that cannot be in a URL.
        _ = try RequestParts.percentEncodedSegment(id.rawValue)
        if let list = state.list(id) {
            guard list.name == name else { throw ListError.changed(current: list) }
            return list
        }
        state.add(ProductList(id: id, name: name, updatedAt: effects.now()))
        return try state.existingList(id)
    }

    private static func check(_ name: String) throws {
        guard !(1...200).contains(name.unicodeScalars.count) else { return }
        throw NetworkError(
            .rejected,
            reason: "The name of a list must have 1 to 200 characters. Choose another one.",
            details: "These are the limits of a name in memory."
        )
    }

    /// Changes a list, if it exists, and gives it a new version if it differs then.
    private func change(
        _ id: ProductList.ID,
        in state: inout InMemoryState,
        _ body: (inout ProductList) -> Void
    ) {
        guard let index = state.lists.firstIndex(where: { $0.value.id == id }) else { return }
        var list = state.lists[index].value
        body(&list)
        guard list != state.lists[index].value else { return }
        list.updatedAt = effects.now()
        list.version = state.nextVersion()
        state.lists[index].value = list
    }
}

extension String {
    /// The text without case and accents, in which `Käse` equals `KASE`.
    fileprivate var foldedForSearch: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
