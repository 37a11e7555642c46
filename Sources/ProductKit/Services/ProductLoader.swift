/// Loads products and marks favorites, over any backend.
///
/// By default it speaks `Docs/openapi.yaml`; see ``init(baseURL:networking:)``. Any other backend
/// is a few closures:
///
/// ```swift
/// let loader = ProductLoader(load: { id in try await shop.product(id) })
/// ```
///
/// Its methods leave the caller's actor, so a screen never pays for decoding.
public struct ProductLoader: Sendable {
    private let fetch: @Sendable (Product.ID, FetchPolicy) async throws -> Fetched<Product>
    private let search: @Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>
    private let favorites: @Sendable (PageCursor?) async throws -> Page<Product>
    private let setFavorite: @Sendable (Product.ID, Bool) async throws -> Product

    /// Creates a loader from closures; those left out throw ``UnsupportedOperation``.
    ///
    /// - Parameters:
    ///   - load: Loads one product. Throw ``ProductError/notFound(_:)`` when there is none.
    ///   - search: Loads the page of matching products that begins at a cursor, the first for `nil`.
    ///   - favorites: Loads the page of the user's favorites that begins at a cursor.
    ///   - setFavorite: Makes the favorite status so and returns the product as it is then. That it
    ///     is so already is success.
    public init(
        load: @escaping @Sendable (Product.ID) async throws -> Product,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product)? = nil
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

    /// Creates a loader from closures over a backend whose answers may be stored; those left out
    /// throw ``UnsupportedOperation``.
    ///
    /// - Parameters:
    ///   - fetch: Loads one product as a policy says, and tells where it came from. Throw
    ///     ``ProductError/notFound(_:)`` when the server says that there is none.
    ///   - search: Loads the page of matching products that begins at a cursor, the first for `nil`.
    ///   - favorites: Loads the page of the user's favorites that begins at a cursor.
    ///   - setFavorite: Makes the favorite status so and returns the product as it is then. That it
    ///     is so already is success.
    public init(
        fetch: @escaping @Sendable (Product.ID, FetchPolicy) async throws -> Fetched<Product>,
        search: (@Sendable (ProductQuery, PageCursor?) async throws -> Page<Product>)? = nil,
        favorites: (@Sendable (PageCursor?) async throws -> Page<Product>)? = nil,
        setFavorite: (@Sendable (Product.ID, Bool) async throws -> Product)? = nil
    ) {
        self.fetch = fetch
        self.search = search ?? { _, _ in throw UnsupportedOperation("search") }
        self.favorites = favorites ?? { _ in throw UnsupportedOperation("favorites") }
        self.setFavorite = setFavorite ?? { _, _ in throw UnsupportedOperation("setFavorite") }
    }

    /// Loads one product, by the server's word: ``FetchPolicy/revalidate``.
    ///
    /// - Parameter id: The product's identity.
    /// - Returns: The product as the backend knows it now.
    /// - Throws: ``ProductError/notFound(_:)`` when there is no such product, `CancellationError`
    ///   when you stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func loadProduct(withID id: Product.ID) async throws -> Product {
        // Without work of its own before the closure, the method would stay on the caller's actor.
        try Task.checkCancellation()
        return try await fetch(id, .revalidate).value
    }

    /// Loads one product as a policy says, and tells where it came from.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - policy: Whether the product may come from a cache. Without one, every policy asks the
    ///     backend.
    /// - Returns: The product, and where it came from.
    /// - Throws: ``ProductError/notFound(_:)`` when the server says that there is no such product;
    ///   `CancellationError` when you stopped waiting; ``NetworkError`` when no usable answer came,
    ///   with code ``NetworkError/Code-swift.struct/notCached`` when none is stored and
    ///   ``FetchPolicy/cacheOnly`` asked for it.
    @concurrent public func fetchProduct(
        withID id: Product.ID,
        policy: FetchPolicy = .standard
    ) async throws -> Fetched<Product> {
        try Task.checkCancellation()
        return try await fetch(id, policy)
    }

    /// Loads a page of products.
    ///
    /// - Parameters:
    ///   - query: What to look for; the empty query means everything.
    ///   - cursor: The ``Page/next`` of the page before; `nil` for the first page. For all pages in
    ///     a loop see ``pages(matching:)``.
    /// - Returns: The page. Elements that could not be read stand in ``Page/rejected``.
    /// - Throws: ``UnsupportedOperation`` when the backend cannot search, `CancellationError` when
    ///   you stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func products(
        matching query: ProductQuery = "",
        after cursor: PageCursor? = nil
    ) async throws -> Page<Product> {
        try Task.checkCancellation()
        return try await search(query, cursor)
    }

    /// Loads a page of the user's favorites, the newest first.
    ///
    /// - Parameter cursor: The ``Page/next`` of the page before; `nil` for the first page.
    /// - Returns: The page. Elements that could not be read stand in ``Page/rejected``.
    /// - Throws: ``UnsupportedOperation`` when the backend does not list them, `CancellationError`
    ///   when you stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func favorites(after cursor: PageCursor? = nil) async throws -> Page<Product>
    {
        try Task.checkCancellation()
        return try await favorites(cursor)
    }

    /// Makes a product a favorite, or none.
    ///
    /// It names the state wanted, so sending it twice does no harm.
    ///
    /// - Parameters:
    ///   - isFavorite: Whether it shall be a favorite.
    ///   - id: The product's identity.
    /// - Returns: The product as it is then.
    /// - Throws: ``ProductError/notFound(_:)`` when there is no such product,
    ///   ``UnsupportedOperation`` when the backend knows no favorites, `CancellationError` when you
    ///   stopped waiting, ``NetworkError`` when no usable answer came.
    @concurrent public func setFavoriteStatus(
        _ isFavorite: Bool,
        forProductWithID id: Product.ID
    ) async throws -> Product {
        try Task.checkCancellation()
        return try await setFavorite(id, isFavorite)
    }
}

extension ProductLoader: Gettable {
    /// Loads one product; the same as ``loadProduct(withID:)``.
    @concurrent public func get(_ id: Product.ID) async throws -> Product {
        try await loadProduct(withID: id)
    }
}
