import ProductKit

/// A server with the pages of a catalog; it holds every request for another page.
@MainActor final class PageServer {
    /// The pages by their requests, such as `boots:first`, or `:2` for all products.
    var pages: [String: Page<Product>]
    /// The error of all requests; `nil` while the server is reachable.
    var failure: (any Error)?
    /// The requests received, in order.
    var requests: [String] = []
    let held = HeldPages(ignoresCancellation: true)

    init(_ pages: [String: Page<Product>] = [":first": .of("boots", next: "2")]) {
        self.pages = pages
    }

    /// Creates a server with pages of one product each, whose names and cursors are their numbers.
    convenience init(pageCount: Int) {
        self.init([:])
        for number in 1...pageCount {
            let page = Page.of(Product.ID("\(number)"), next: PageCursor("\(number + 1)"))
            pages[number == 1 ? ":first" : ":\(number)"] = page
        }
    }

    var actions: CatalogViewModel.Actions {
        .only(loadPage: { [self] query, cursor in
            requests.append(query.at(cursor))
            if let failure { throw failure }
            if let page = pages[query.at(cursor)] { return page }
            return try await held.hold()
        })
    }

    /// Creates a catalog that shows the first page of all products, and the next pages if any.
    func openCatalog(
        nextPages: Int = 0,
        in store: ProductStore? = nil
    ) async throws -> CatalogViewModel {
        let catalog = CatalogViewModel(actions, store: store)
        try await catalog.search("")
        for _ in 0..<nextPages { try await catalog.loadNextPage() }
        return catalog
    }
}

/// A server that holds the first edit of a product, and carries out the later ones at once.
@MainActor final class EditServer {
    let held = ActionGate<Void>(ignoresCancellation: true)
    /// The favorite statuses received, in order.
    private(set) var statuses: [Bool] = []
    /// The lists of the additions received, in order.
    private(set) var additions: [ProductList.ID] = []

    func actions(reload: Loading<Product>? = nil) -> ProductViewModel.Actions {
        .only(
            reload: reload,
            toggleFavorite: { [self] isFavorite in
                statuses.append(isFavorite)
                if statuses.count == 1 { try await held.hold() }
                return .boots.with { $0.isFavorite = isFavorite }
            },
            addToList: { [self] list in
                additions.append(list)
                if additions.count == 1 { try await held.hold() }
            }
        )
    }
}

/// A product screen whose reloads and toggles wait until the test releases them.
@MainActor struct HeldProduct {
    let loads = ActionGate<Product>(ignoresCancellation: true)
    let toggles = ActionGate<Product>(ignoresCancellation: true)
    let screen: ProductViewModel

    init(_ product: Product = .boots, in store: ProductStore? = nil) {
        screen = ProductViewModel(
            .only(
                reload: { [loads] in try await loads.hold() },
                toggleFavorite: { [toggles] _ in try await toggles.hold() }
            ),
            product: product,
            store: store
        )
    }
}

extension ActionGate {
    /// Ends a held call with a value; with the error ``Offline`` if it is `nil`.
    func release(returningOrFailing value: Value?, at index: Int = 0) throws {
        if let value {
            try release(returning: value, at: index)
        } else {
            try release(throwing: Offline(), at: index)
        }
    }
}

extension ProductViewModel {
    /// The kinds of the failures of all operations.
    nonisolated static let kinds: [ViewModelFailure.Kind] = [.reload, .toggleFavorite, .addToList]

    /// Performs the operation whose failure has a kind.
    func perform(_ kind: ViewModelFailure.Kind) async throws {
        switch kind {
        case .reload: try await reload()
        case .toggleFavorite: try await toggleProductFavoriteStatus()
        default: try await addProductToList(withID: "wishlist")
        }
    }
}

extension CatalogViewModel {
    /// The kinds of the failures of all operations.
    nonisolated static let kinds: [ViewModelFailure.Kind] = [.search, .refresh, .nextPage]

    /// Performs the operation whose failure has a kind; the search is for hats.
    func perform(_ kind: ViewModelFailure.Kind) async throws {
        switch kind {
        case .search: try await search("hats")
        case .refresh: try await refresh()
        default: try await loadNextPage()
        }
    }
}

/// Starts an operation several times.
@MainActor func started<Value: Sendable>(
    times count: Int,
    _ operation: @escaping @MainActor () async throws -> Value
) async -> [Task<Value, any Error>] {
    var tasks: [Task<Value, any Error>] = []
    for _ in 0..<count { tasks.append(await started(operation)) }
    return tasks
}

extension ListMembershipViewModel {
    /// The kinds of the failures of all operations.
    nonisolated static let kinds: [ViewModelFailure.Kind] = [
        .reload, .toggleMembership("summer"), .createList,
    ]

    /// Performs the operation whose failure has a kind; the new list is for the winter.
    func perform(_ kind: ViewModelFailure.Kind) async throws {
        switch kind {
        case .reload: try await reload()
        case .toggleMembership(let list): try await toggle(list)
        default: try await addProductToNewList(named: "Winter")
        }
    }

    /// Adds the boots to a list, or removes them.
    func toggle(_ list: ProductList.ID) async throws {
        try await toggleMembership(inListWithID: list)
    }
}
