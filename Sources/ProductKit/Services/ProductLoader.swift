/// Loads products and changes their favorite status, over any backend.
///
/// By default it uses the contract `Docs/openapi.yaml`; see ``init(baseURL:networking:behaviors:)``. For any
/// other backend, pass closures:
///
/// ```swift
/// let loader = ProductLoader(load: { id in try await shop.product(id) })
/// ```
///
/// Its methods run off the caller's actor, so a response is never decoded on the main actor. A method that is called
/// in a cancelled task throws `CancellationError` and sends nothing. It also throws `CancellationError` if its task is
/// cancelled later, and ``NetworkError`` if no usable response arrives, for example because the device is offline:
/// then the server may have carried out a write.
public struct ProductLoader: Sendable {
    var fetch: @Sendable (Product.ID, FetchPolicy) async throws -> Fetched<Product>
    var search: @Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>
    var favorites: @Sendable (PageCursor?) async throws -> Page<Product>
    /// Sets the favorite status, or saves the edit in an outbox.
    var setFavorite: @Sendable (Product.ID, Bool) async throws -> EditOutcome<Product?>
    private var behaviors: [any RequestBehavior] = []
    /// Whether there is a closure that loads a product.
    private(set) var canLoad = true
    /// Whether the favorites may contain products that do not exist any more.
    var favoritesOutliveProducts = false

    /// Creates a loader from closures.
    ///
    /// An operation without a closure throws ``UnsupportedOperation``.
    ///
    /// The policy of each method applies to all safe requests that its closure sends with a ``NetworkClient``:
    /// ``FetchPolicy/revalidate`` before and after a write, ``FetchPolicy/networkFirst`` for pages. The source of the
    /// result is that of the responses: the worst one, and the oldest date. A closure that sends requests in another way
    /// loads from the server; its product has the source ``FetchSource/network``, and with ``FetchPolicy/cacheOnly``
    /// ``NetworkError/Code-swift.struct/notCached`` is thrown. Such a closure can read ``FetchPolicy/current``. Requests
    /// of a detached task, or of a task that other calls share, do not belong to the method.
    ///
    /// - Parameters:
    ///   - load: Loads one product. Throw ``ProductError/notFound(_:)`` if it does not exist.
    ///   - search: Loads the page of matching products that begins at a cursor; `nil` is the first
    ///     page. Return an empty page if no product matches.
    ///   - favorites: Loads the page of the user's favorites that begins at a cursor; `nil` is the
    ///     first page. Return an empty page if there are none.
    ///   - setFavorite: Sets the favorite status and returns the product afterwards, or `nil` if
    ///     the backend confirms the change without returning the product. Return also if the product
    ///     already has the status. Throw ``ProductError/notFound(_:)`` if it does not exist.
    public init(
        load: @escaping @Sendable (Product.ID) async throws -> Product,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil
    ) {
        self.init(
            fetch: { id, policy in
                let product = try await load(id)
                let source = ServiceOperation.current?.source
                guard source != nil || policy.allowsNetwork else { throw NetworkError(.notCached) }
                return Fetched(product, source: source ?? .network)
            },
            search: search,
            favorites: favorites,
            setFavorite: setFavorite
        )
    }

    /// Creates a loader from closures, one of which has a store of its own, such as a database.
    ///
    /// `fetch` loads one product from the store or the network, as the policy requires, and returns it with its
    /// source. It throws ``ProductError/notFound(_:)`` if the server reports that the product does not exist. All else
    /// is as in ``init(load:search:favorites:setFavorite:)``, which is also for a backend with a ``CachingBehavior``.
    public init(
        fetch: @escaping @Sendable (Product.ID, FetchPolicy) async throws -> Fetched<Product>,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil
    ) {
        self.fetch = fetch
        self.search = search ?? { _, _ in throw UnsupportedOperation("search") }
        self.favorites = favorites ?? { _ in throw UnsupportedOperation("favorites") }
        self.setFavorite = { id, isFavorite in
            guard let setFavorite else { throw UnsupportedOperation("setFavorite") }
            return .confirmed(try await setFavorite(id, isFavorite))
        }
    }

    /// Loads one product with a value that the server has sent or confirmed.
    ///
    /// It uses the policy ``FetchPolicy/revalidate``, which never serves a stored product without a request to the server.
    ///
    /// - Parameter id: The product's identifier.
    /// - Returns: The product in its current state.
    /// - Throws: ``ProductError/notFound(_:)`` if the product does not exist.
    @concurrent public func loadProduct(withID id: Product.ID) async throws -> Product {
        try await fetchProduct(withID: id, policy: .revalidate).value
    }

    /// Loads one product from a cache or the network, and returns it with its source.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - policy: Whether a cached product may be used. Without a cache, every policy except
    ///     ``FetchPolicy/cacheOnly`` loads from the backend.
    /// - Returns: The product and its source.
    /// - Throws: ``ProductError/notFound(_:)`` if the server reports that the product does not exist,
    ///   and ``NetworkError`` with the code ``NetworkError/Code-swift.struct/notCached`` if the policy is
    ///   ``FetchPolicy/cacheOnly`` and the product is not cached.
    @concurrent public func fetchProduct(
        withID id: Product.ID,
        policy: FetchPolicy = .standard
    ) async throws -> Fetched<Product> {
        try await fetchProduct(withID: id, policy: policy, isAfterFailure: false)
    }

    /// Loads a product; after a failure, a cache may serve each response that it serves if the server fails.
    @concurrent func fetchProduct(
        withID id: Product.ID,
        policy: FetchPolicy,
        isAfterFailure: Bool
    ) async throws -> Fetched<Product> {
        try Task.checkCancellation()
        return try await ServiceOperation.read(
            policy,
            behaviors: behaviors,
            isAfterFailure: isAfterFailure
        ) { operation in
            let fetched = try await fetch(id, .current)
            var product = fetched.value
            // It was loaded by itself, so it is not a summary.
            let lacksFavorite = product.unknownMembers.subtracting(product.unreadableMembers)
            product.unknownMembers = product.unreadableMembers
            if operation.leavesFavoriteUnknown || lacksFavorite == .isFavorite {
                product.unknownMembers.insert(.isFavorite)
            }
            return Fetched(product, source: operation.record(fetched.source))
        }
    }

    /// Loads the product that the server has now; members that it has not returned are unknown.
    @concurrent func currentProduct(withID id: Product.ID) async throws -> Product {
        try Task.checkCancellation()
        return try await ServiceOperation.read(.revalidate, behaviors: behaviors) { operation in
            var product = try await fetch(id, .current).value
            if operation.leavesFavoriteUnknown { product.unknownMembers.insert(.isFavorite) }
            return product
        }
    }

    /// Loads a page of products.
    ///
    /// To load page after page in a loop, use ``pages(matching:)``.
    ///
    /// - Parameters:
    ///   - query: The products to find; the empty query matches all.
    ///   - cursor: The ``Page/next`` of the previous page; `nil` for the first page.
    /// - Returns: The page. Elements that cannot be decoded are in ``Page/rejected``.
    /// - Throws: ``UnsupportedOperation`` if the backend has no search.
    @concurrent public func products(
        matching query: ProductQuery = "",
        after cursor: PageCursor? = nil
    ) async throws -> Page<Product> {
        try await page { try await search(query, cursor) }
    }

    /// Loads a page of the user's favorites, newest first.
    ///
    /// - Parameter cursor: The ``Page/next`` of the previous page; `nil` for the first page.
    /// - Returns: The page, of which each product is a favorite. Elements that cannot be decoded are in ``Page/rejected``.
    /// - Throws: ``UnsupportedOperation`` if the backend does not list favorites.
    @concurrent public func favorites(after cursor: PageCursor? = nil) async throws -> Page<Product>
    {
        var page = try await page { try await favorites(cursor) }
        for index in page.items.indices { page.items[index].isFavorite = true }
        return page
    }

    /// Sets a product's favorite status; calling it twice with the same status has the effect of one call.
    ///
    /// If the backend confirms the change without returning the product, the product is loaded.
    ///
    /// - Parameters:
    ///   - isFavorite: Whether the product is to be a favorite.
    ///   - id: The product's identifier.
    /// - Returns: The product with its new status; `nil` if the backend has confirmed the change, but the
    ///   product could not be loaded afterwards, for example because it does not exist any longer or the
    ///   task was cancelled. It is also `nil` if an ``Outbox`` has saved the change, which is sent later.
    /// - Throws: ``ProductError/notFound(_:)`` if the backend refuses the change because the product
    ///   does not exist, ``UnsupportedOperation`` if the backend has no favorites.
    @concurrent public func setFavoriteStatus(
        _ isFavorite: Bool,
        forProductWithID id: Product.ID
    ) async throws -> Product? {
        do {
            return try await changeFavoriteStatus(isFavorite, forProductWithID: id).confirmation
                ?? nil
        } catch is ConfirmedWithoutProduct {
            return nil
        }
    }

    /// Sets a product's favorite status, and reports if the change is only saved.
    ///
    /// - Throws: ``ConfirmedWithoutProduct``, or the errors of ``setFavoriteStatus(_:forProductWithID:)``.
    @concurrent func changeFavoriteStatus(
        _ isFavorite: Bool,
        forProductWithID id: Product.ID
    ) async throws -> EditOutcome<Product?> {
        try Task.checkCancellation()
        let outcome = try await ServiceOperation.write(behaviors: behaviors) {
            try await setFavorite(id, isFavorite)
        }
        guard case .confirmed(nil) = outcome else { return outcome }
        do {
            var product = try await loadProduct(withID: id)
            guard product.id == id else { return .confirmed(nil) }
            // The status may be unknown now, but it was confirmed.
            if product.unknownMembers.contains(.isFavorite) {
                product.isFavorite = isFavorite
                product.unknownMembers.remove(.isFavorite)
            }
            return .confirmed(product)
        } catch ProductError.notFound(id) {
            throw ConfirmedWithoutProduct()
        } catch {
            // The backend has carried out the change, so the call has succeeded.
            return outcome
        }
    }
}

/// The backend has confirmed a change of a favorite status, and the product does not exist any longer.
struct ConfirmedWithoutProduct: Error {}

extension ProductLoader {
    /// Returns a loader whose requests have further behaviors, outside of those of the loader and its client.
    package func with(behaviors: [any RequestBehavior]) -> ProductLoader {
        var loader = self
        loader.behaviors = behaviors + self.behaviors
        return loader
    }

    private func page(_ load: () async throws -> Page<Product>) async throws -> Page<Product> {
        try Task.checkCancellation()
        return try await ServiceOperation.page(behaviors: behaviors, load)
    }

    /// Creates a loader of which only some operations are provided, for a test or a preview.
    ///
    /// Each of the others throws ``UnimplementedAction`` with its name.
    ///
    /// ```swift
    /// let loader = ProductLoader.only(load: { id in Product(id: id, name: "Boots") })
    /// ```
    public static func only(
        load: (@Sendable (Product.ID) async throws -> Product)? = nil,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil,
        otherwise: @escaping @Sendable (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ProductLoader {
        @Sendable func missing(_ name: String) -> UnimplementedAction {
            UnimplementedAction(name, file: file, line: line).reported(to: otherwise)
        }
        var loader = ProductLoader(
            load: load ?? { _ in throw missing("load") },
            search: search ?? { _, _ in throw missing("search") },
            favorites: favorites ?? { _ in throw missing("favorites") },
            setFavorite: setFavorite ?? { _, _ in throw missing("setFavorite") }
        )
        loader.canLoad = load != nil
        return loader
    }
}

extension ProductLoader: Gettable {
    /// Loads one product; the same as ``loadProduct(withID:)``.
    @concurrent public func get(_ id: Product.ID) async throws -> Product {
        try await loadProduct(withID: id)
    }

    /// The first page of the matching products, for code that needs nothing else of the loader.
    ///
    /// ```swift
    /// let page = try await loader.firstPage.get("boots")
    /// ```
    public var firstPage: some Gettable<ProductQuery, Page<Product>> {
        ClosureService { query in try await products(matching: query) }
    }
}
