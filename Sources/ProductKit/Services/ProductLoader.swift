/// Loads products and changes their favorite status, over any backend.
///
/// By default it uses the contract `Docs/openapi.yaml`; see ``init(baseURL:networking:)``. For any
/// other backend, pass closures:
///
/// ```swift
/// let loader = ProductLoader(load: { id in try await shop.product(id) })
/// ```
///
/// Its methods run off the caller's actor, so a response is never decoded on the main actor. A
/// method that is called in a cancelled task throws `CancellationError` and sends nothing.
public struct ProductLoader: Sendable {
    private let fetch: @Sendable (Product.ID, FetchPolicy) async throws -> Fetched<Product>
    private let search: @Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>
    private let favorites: @Sendable (PageCursor?) async throws -> Page<Product>
    private let setFavorite: @Sendable (Product.ID, Bool) async throws -> Product?

    /// Creates a loader from closures, for a backend without a cache.
    ///
    /// An operation without a closure throws ``UnsupportedOperation``. Because there is no cache,
    /// ``FetchPolicy/cacheOnly`` throws ``NetworkError`` with code
    /// ``NetworkError/Code-swift.struct/notCached``, and every other policy calls `load`.
    ///
    /// - Parameters:
    ///   - load: Loads one product. Throw ``ProductError/notFound(_:)`` if it does not exist.
    ///   - search: Loads the page of matching products that begins at a cursor; `nil` is the first
    ///     page.
    ///   - favorites: Loads the page of the user's favorites that begins at a cursor; `nil` is the
    ///     first page.
    ///   - setFavorite: Sets the favorite status and returns the product afterwards, or `nil` if
    ///     the backend confirms the change without returning the product. Setting the status that
    ///     the product already has must succeed.
    public init(
        load: @escaping @Sendable (Product.ID) async throws -> Product,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil
    ) {
        self.init(
            fetch: { id, policy in
                guard policy != .cacheOnly else { throw NetworkError(.notCached) }
                return Fetched(try await load(id), source: .network)
            },
            search: search,
            favorites: favorites,
            setFavorite: setFavorite
        )
    }

    /// Creates a loader from closures, for a backend with a cache.
    ///
    /// An operation without a closure throws ``UnsupportedOperation``.
    ///
    /// - Parameters:
    ///   - fetch: Loads one product from the cache or the network, as the policy requires, and
    ///     returns it with its source. Throw ``ProductError/notFound(_:)`` if the server reports
    ///     that the product does not exist.
    ///   - search: Loads the page of matching products that begins at a cursor; `nil` is the first
    ///     page.
    ///   - favorites: Loads the page of the user's favorites that begins at a cursor; `nil` is the
    ///     first page.
    ///   - setFavorite: Sets the favorite status and returns the product afterwards, or `nil` if
    ///     the backend confirms the change without returning the product. Setting the status that
    ///     the product already has must succeed.
    public init(
        fetch: @escaping @Sendable (Product.ID, FetchPolicy) async throws -> Fetched<Product>,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product?)? = nil
    ) {
        self.fetch = fetch
        self.search = search ?? { _, _ in throw UnsupportedOperation("search") }
        self.favorites = favorites ?? { _ in throw UnsupportedOperation("favorites") }
        self.setFavorite = setFavorite ?? { _, _ in throw UnsupportedOperation("setFavorite") }
    }

    /// Loads one product with a value that the server has sent or confirmed.
    ///
    /// It uses the policy ``FetchPolicy/revalidate``, which never serves a stored product without a
    /// request to the server.
    ///
    /// - Parameter id: The product's identifier.
    /// - Returns: The product in its current state.
    /// - Throws: ``ProductError/notFound(_:)`` if the product does not exist, `CancellationError`
    ///   if the task is cancelled, ``NetworkError`` if no usable response arrives, for example
    ///   because the device is offline.
    @concurrent public func loadProduct(withID id: Product.ID) async throws -> Product {
        try Task.checkCancellation()
        return try await fetch(id, .revalidate).value
    }

    /// Loads one product from a cache or the network, and returns it with its source.
    ///
    /// - Parameters:
    ///   - id: The product's identifier.
    ///   - policy: Whether a cached product may be used. Without a cache, every policy except
    ///     ``FetchPolicy/cacheOnly`` loads from the backend.
    /// - Returns: The product and its source.
    /// - Throws: ``ProductError/notFound(_:)`` if the server reports that the product does not
    ///   exist, `CancellationError` if the task is cancelled, ``NetworkError`` if no usable
    ///   response arrives. Its code is ``NetworkError/Code-swift.struct/notCached`` if the policy
    ///   is ``FetchPolicy/cacheOnly`` and the product is not cached.
    @concurrent public func fetchProduct(
        withID id: Product.ID,
        policy: FetchPolicy = .standard
    ) async throws -> Fetched<Product> {
        try Task.checkCancellation()
        return try await fetch(id, policy)
    }

    /// Loads a page of products.
    ///
    /// To load page after page in a loop, use ``pages(matching:)``.
    ///
    /// - Parameters:
    ///   - query: The products to find; the empty query matches all.
    ///   - cursor: The ``Page/next`` of the previous page; `nil` for the first page.
    /// - Returns: The page. Elements that cannot be decoded are in ``Page/rejected``.
    /// - Throws: ``UnsupportedOperation`` if the backend has no search, `CancellationError` if the
    ///   task is cancelled, ``NetworkError`` if no usable response arrives.
    @concurrent public func products(
        matching query: ProductQuery = "",
        after cursor: PageCursor? = nil
    ) async throws -> Page<Product> {
        try Task.checkCancellation()
        return try await search(query, cursor)
    }

    /// Loads a page of the user's favorites, newest first.
    ///
    /// - Parameter cursor: The ``Page/next`` of the previous page; `nil` for the first page.
    /// - Returns: The page. Elements that cannot be decoded are in ``Page/rejected``.
    /// - Throws: ``UnsupportedOperation`` if the backend does not list favorites,
    ///   `CancellationError` if the task is cancelled, ``NetworkError`` if no usable response
    ///   arrives.
    @concurrent public func favorites(after cursor: PageCursor? = nil) async throws -> Page<Product>
    {
        try Task.checkCancellation()
        return try await favorites(cursor)
    }

    /// Sets a product's favorite status.
    ///
    /// The call is idempotent: calling it twice with the same status has the effect of one call. If
    /// the backend confirms the change without returning the product, the product is loaded.
    ///
    /// - Parameters:
    ///   - isFavorite: Whether the product is to be a favorite.
    ///   - id: The product's identifier.
    /// - Returns: The product with its new status; `nil` if the backend has confirmed the change,
    ///   but the product could not be loaded afterwards, for example because the task was
    ///   cancelled.
    /// - Throws: ``ProductError/notFound(_:)`` if the product does not exist,
    ///   ``UnsupportedOperation`` if the backend has no favorites, `CancellationError` if the task
    ///   is cancelled, ``NetworkError`` if no usable response arrives. After a `CancellationError`
    ///   or a ``NetworkError``, the server may have changed the status.
    @concurrent public func setFavoriteStatus(
        _ isFavorite: Bool,
        forProductWithID id: Product.ID
    ) async throws -> Product? {
        try Task.checkCancellation()
        if let product = try await setFavorite(id, isFavorite) { return product }
        do {
            let product = try await fetch(id, .revalidate).value
            return product.id == id ? product : nil
        } catch ProductError.notFound(id) {
            throw ProductError.notFound(id)
        } catch {
            // The backend has carried out the change, so the call has succeeded.
            return nil
        }
    }
}

extension ProductLoader: Gettable {
    /// Loads one product; the same as ``loadProduct(withID:)``.
    @concurrent public func get(_ id: Product.ID) async throws -> Product {
        try await loadProduct(withID: id)
    }
}
