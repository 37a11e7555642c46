import Foundation

/// Favorites that are stored as the products of a list, for a backend with wish lists instead of
/// favorites.
extension ProductLoader {
    /// Returns a loader that stores favorites as the products of one of the user's lists.
    ///
    /// ```swift
    /// let loader = shop.storingFavorites(inListNamed: "Favorites", of: lists)
    /// let listManager = lists.hidingLists(named: "Favorites")
    /// ```
    ///
    /// - The list is created with the first favorite, once for all services of the user over one
    ///   ``ProductBackend``. If other devices have created further lists with this name, the products
    ///   of all of them are favorites, and a product is removed from all of them.
    /// - The user's lists are loaded together with each product and each page, with the same policy,
    ///   and their source is combined with that of the products. If they cannot be loaded, neither
    ///   can a product from the server. A stored product is returned, without a favorite status.
    /// - If no list has the name, but a list cannot be decoded, that one may contain the favorites.
    ///   Then products have no favorite status, and favorites can be neither loaded nor changed: the
    ///   code of the error is ``NetworkError/Code-swift.struct/unreadable``.
    /// - A user who is not signed in has no favorites: then the lists must fail with code
    ///   ``NetworkError/Code-swift.struct/unauthorized``. If the service signed the request with a
    ///   token, the session has expired, and this error is thrown. If another behavior signs
    ///   requests, it is thrown after the lists were loaded once.
    /// - ``favorites(after:)`` returns the products in the reverse order of the list, up to 20 on a
    ///   page. They are found by their identifiers with ``products(matching:after:)``. Those that
    ///   it does not return are loaded one by one. Products that no longer exist are left out.
    ///
    /// - Parameters:
    ///   - name: The name of the list, which the user's other lists must not have.
    ///   - lists: The manager of the user's lists, which must not be one of `offline(_:)`. It supports ``ListManager/lists(after:)``,
    ///     ``ListManager/createList(named:id:)``, and to add and remove products.
    /// - Returns: A loader with the same products. Its favorites are those of the list only.
    public func storingFavorites(
        inListNamed name: String,
        of lists: ListManager
    ) -> ProductLoader {
        let favorites = FavoriteLists(name: name, lists: lists)
        return ProductLoader(
            load: { id in
                async let favoriteIDs = await Result { try await favorites.knownProductIDs() }
                let fetched = try await fetchProduct(withID: id, policy: .current)
                let ids = try await favoriteIDs.known(for: fetched.source)
                var product = fetched.value
                product.isFavorite = ids?.contains(product.id) ?? false
                product.unknownMembers.remove(.isFavorite)
                if ids == nil { ServiceOperation.current?.leavesFavoriteUnknown = true }
                return product
            },
            search: { query, cursor in
                async let favoriteIDs = await Result { try await favorites.knownProductIDs() }
                let page = try await products(matching: query, after: cursor)
                return page.settingFavorites(try await favoriteIDs.known(for: page.source))
            },
            favorites: { cursor in
                let position = try cursor.map(FavoritesPosition.init)
                let ids = try await favorites.productIDs()
                let slice = ids[(position?.end(in: ids) ?? 0)...].prefix(favoritesPerPage)
                var page = try await existingProducts(withIDs: Array(slice))
                page.next = try FavoritesPosition(after: slice, in: ids)?.cursor
                // If products no longer exist, their number on the other pages is not known.
                let isComplete = page.items.count + page.rejectedCount == slice.count
                page.total = isComplete ? ids.count : nil
                return page.settingFavorites(ids)
            },
            setFavorite: { id, isFavorite in
                try await favorites.set(isFavorite, forProductWithID: id)
                return nil
            }
        )
    }

    /// Loads the products with the given identifiers, in their order, without missing ones.
    ///
    /// - Throws: The first error if no product can be loaded.
    private func existingProducts(withIDs ids: [Product.ID]) async throws -> Page<Product> {
        guard !ids.isEmpty else { return Page([]) }
        let results: [Result<Product?, any Error>]
        do {
            let query = ProductQuery(ids: ids, limit: ids.count)
            results = try await loaded(ids, except: products(matching: query).items)
        } catch is UnsupportedOperation {
            results = try await loaded(ids, except: [])
        } catch let error as NetworkError where error.code.isConnectionFailure {
            results = await stored(ids, after: error)
        }
        let page = Page(results).map { try $0.get() }
        let found = page.items.compactMap(\.self)
        if found.isEmpty, let error = results.firstFailure { throw error }
        return Page(found, rejected: page.rejected)
    }

    /// Loads products one by one, except those that were found together: the backend may ignore the
    /// identifiers, return only some of the products, or some that cannot be decoded.
    private func loaded(
        _ ids: [Product.ID],
        except found: [Product]
    ) async throws -> [Result<Product?, any Error>] {
        let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return try await Page(ids).concurrentMap { id in
            if let product = known[id] { return .success(product) }
            do {
                return .success(try await loadProduct(withID: id))
            } catch ProductError.notFound(id) {
                return .success(nil)
            } catch {
                if error is CancellationError || error.endsSession { throw error }
                return .failure(error)
            }
        }.items
    }

    /// Returns products that were loaded by themselves and are stored, without further requests to a
    /// server that cannot be used.
    private func stored(
        _ ids: [Product.ID],
        after failure: NetworkError
    ) async -> [Result<Product?, any Error>] {
        var results: [Result<Product?, any Error>] = []
        let operation = ServiceOperation.current
        for id in ids {
            let fetched = try? await ServiceOperation.outside(of: operation) {
                try await fetchProduct(withID: id, policy: .cacheOnly)
            }
            guard let fetched, let date = fetched.source.asOf else {
                results.append(.failure(failure))
                continue
            }
            _ = operation?.record(.staleIfError(asOf: date, failure: failure))
            results.append(.success(fetched.value))
        }
        return results
    }
}

extension NetworkError.Code {
    /// Whether the server could not be reached or used.
    fileprivate var isConnectionFailure: Bool {
        [.unreachable, .timedOut, .connectionLost, .incomplete, .unavailable].contains(self)
    }
}

private let favoritesPerPage = 20

/// The end of a page of favorites, which is found again after favorites were added or removed.
private struct FavoritesPosition: Codable {
    /// The index of the first product of the page.
    private let start: Int
    /// The products of the page.
    private let ids: [Product.ID]
    /// The first product after the page.
    private let following: Product.ID

    /// Creates the end of a page; `nil` if it is the last one.
    init?(after page: ArraySlice<Product.ID>, in favorites: [Product.ID]) {
        guard page.endIndex < favorites.endIndex else { return nil }
        (start, ids) = (page.startIndex, Array(page))
        following = favorites[page.endIndex]
    }

    init(_ cursor: PageCursor) throws {
        guard let position = try? JSONDecoder().decode(Self.self, from: Data(cursor.rawValue.utf8))
        else {
            throw NetworkError(
                .invalidRequest,
                reason: "The next favorites cannot be loaded: their cursor was not made by this "
                    + "version of the app. Load the first favorites again."
            )
        }
        self = position
    }

    var cursor: PageCursor {
        get throws {
            PageCursor(rawValue: String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
        }
    }

    /// The index at which the next page begins.
    ///
    /// It is that of the product after the page. If that is not a favorite anymore, it is the index
    /// after the products of the page. Favorites that are removed and added again move to the front.
    func end(in favorites: [Product.ID]) -> Int {
        if let index = favorites.firstIndex(of: following) { return index }
        if let last = ids.compactMap(favorites.firstIndex).max() { return last + 1 }
        return min(max(start, 0), favorites.count)
    }
}

/// The lists with one name, whose products are the user's favorites.
private final class FavoriteLists: Sendable {
    private let name: String
    private let lists: ListManager
    /// The creations of lists by all loaders, because the services of one user may have one each.
    private static let creations = SingleFlight<Creation, Void>(cancelsWhenAbandoned: true)

    /// A list that is to be created: its name, its user and its backend.
    private struct Creation: Hashable {
        let list: String
        let user: String?
        let backend: ObjectIdentifier
    }

    /// Whether the user is known to be signed in, because the lists were loaded.
    private let isSignedIn = Locked(false)

    init(name: String, lists: ListManager) {
        self.name = name
        self.lists = lists
    }

    /// The identifiers of the favorites, the newest first; none for a user who is not signed in.
    func productIDs() async throws -> [Product.ID] {
        guard let ids = try await knownProductIDs() else { throw Self.unreadable }
        return ids
    }

    /// The identifiers of the favorites; `nil` if a list that cannot be decoded may contain them.
    func knownProductIDs() async throws -> [Product.ID]? {
        do {
            guard let ids = try await readable()?.flatMap(\.products).reversed() else {
                return nil
            }
            isSignedIn.withLock { $0 = true }
            var known: Set<Product.ID> = []
            return ids.filter { known.insert($0).inserted }
        } catch let error as NetworkError
            where error.code == .unauthorized
            && !(error.isSigned ?? isSignedIn.withLock(\.self))
        {
            return []
        }
    }

    /// Adds a product to a list with the name, or removes it from all of them.
    func set(_ isFavorite: Bool, forProductWithID id: Product.ID) async throws {
        let named = try await found()
        let containing = named.filter { $0.products.contains(id) }
        guard isFavorite else {
            for list in containing {
                try await lists.removeProduct(withID: id, fromListWithID: list.id)
            }
            return
        }
        guard containing.isEmpty else { return }
        if let list = named.first {
            do {
                return try await lists.addProduct(withID: id, toListWithID: list.id)
            } catch ListError.notFound {
                // The list was deleted after it was found.
            }
        }
        try await lists.addProduct(withID: id, toListWithID: foundOrCreated().id)
    }

    /// The lists with the name.
    private func found() async throws -> [ProductList] {
        guard let named = try await readable() else { throw Self.unreadable }
        return named
    }

    /// The lists with the name; `nil` if there is none, but one that cannot be decoded.
    private func readable() async throws -> [ProductList]? {
        let all = try await lists.allLists()
        let named = all.items.filter { $0.name == name }
        return named.isEmpty && all.rejectedCount > 0 ? nil : named
    }

    private static var unreadable: NetworkError {
        NetworkError(
            .unreadable,
            reason: "The favorites cannot be read: one of the lists of the user is not valid. "
                + "Correct the list on the server."
        )
    }

    /// Creates the list, unless another caller has created it for the same user in the meantime.
    private func foundOrCreated(attempts: Int = 8) async throws -> ProductList {
        // The lists were loaded before, so their session is known, unless no service has loaded them.
        let session = ServiceOperation.current?.session
        let creation = Creation(
            list: name,
            user: session?.name,
            backend: session?.backend ?? ObjectIdentifier(self)
        )
        do {
            try await Self.creations.value(for: creation) { [self] in
                // It continues for the other callers if the first one is cancelled.
                if try await found().isEmpty { _ = try await lists.createList(named: name) }
            }
        } catch let failure where failure is CancellationError || failure.endsSession {
            // The service that created the list for all of them may have signed out.
            guard !Task.isCancelled, attempts > 1 else { throw failure }
            do {
                _ = try await found()
            } catch  where error.endsSession {
                // It was this service.
                throw failure
            }
            return try await foundOrCreated(attempts: attempts - 1)
        }
        if let list = try await found().first { return list }
        // Without a known owner, the list may have been created for another user.
        return try await lists.createList(named: name)
    }
}

extension Error {
    /// Whether a service was not allowed to send a request, because its user has signed out.
    fileprivate var endsSession: Bool { (self as? any SessionEndReporting)?.endsSession == true }
}

extension [Result<Product?, any Error>] {
    fileprivate var firstFailure: (any Error)? {
        for case .failure(let error) in self { return error }
        return nil
    }
}

extension Result<[Product.ID]?, any Error> {
    fileprivate init(_ body: () async throws -> [Product.ID]?) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// Returns the favorites; `nil` if they are not readable, or if they cannot be loaded and the
    /// products are stored ones.
    ///
    /// Then the favorite status of the products is not known, but they can be shown.
    fileprivate func known(for source: FetchSource) throws -> [Product.ID]? {
        do {
            return try get()
        } catch is NetworkError where !source.isFromServer {
            return nil
        }
    }
}

extension Page<Product> {
    /// Returns the page with the favorite status of each product, which is unknown for `nil`.
    fileprivate func settingFavorites(_ ids: [Product.ID]?) -> Page {
        let favorites = ids.map(Set.init)
        var page = self
        for index in page.items.indices {
            page.items[index].isFavorite = favorites?.contains(page.items[index].id) ?? false
            if favorites == nil {
                page.items[index].unknownMembers.insert(.isFavorite)
            } else {
                // A summary does not contain the status itself.
                page.items[index].unknownMembers.remove(.isFavorite)
            }
        }
        return page
    }
}
