import Foundation

extension ProductLoader {
    /// Returns a loader that stores favorites as the products of one of the user's lists, for a backend with wish
    /// lists instead of favorites.
    ///
    /// ```swift
    /// let loader = shop.storingFavorites(inListNamed: "Favorites", of: lists)
    /// let listManager = lists.hidingLists(named: "Favorites")
    /// ```
    ///
    /// - The list is created with the first favorite, once for all services of the user over one
    ///   ``ProductBackend``. If other devices have created further lists with this name, the products
    ///   of all of them are favorites, and a product is removed from all of them. The same applies if
    ///   a caller is cancelled while it creates the list and another one creates it again.
    /// - The user's lists are loaded together with each product and each page, with the same policy, and their
    ///   source is combined with that of the products. If the server of the lists cannot be reached or used at
    ///   the moment, and they are not stored, the product has no favorite status. After any other error, such
    ///   as a 403 for a user who has signed in, only a stored product can be loaded, without the status.
    /// - If no list has the name, but a list cannot be decoded, that one may contain the favorites.
    ///   Then products have no favorite status, and favorites can be neither loaded nor changed: the
    ///   code of the error is ``NetworkError/Code-swift.struct/unreadable``. If the pages of the lists do not fit
    ///   together, products have no favorite status either, and a removal and ``favorites(after:)`` throw an error with
    ///   the code ``NetworkError/Code-swift.struct/unavailable``.
    /// - A user who is not signed in has no favorites: then the lists must fail with code
    ///   ``NetworkError/Code-swift.struct/unauthorized``, or ``NetworkError/Code-swift.struct/forbidden`` for the
    ///   service of a guest. For a service whose user has signed in, the
    ///   session has expired, and this error is thrown. Outside of a service, it is thrown if a
    ///   ``TokenBehavior`` signed the request, or after the lists were loaded once. If they are refused to a guest
    ///   with a token, they are not requested with products any longer, until an edit of a favorite loads them.
    /// - ``favorites(after:)`` returns the products in the reverse order of the list, up to 20 on a page. They are
    ///   found by their identifiers with ``products(matching:after:)``. Those that it does not return, and all if
    ///   it throws ``UnsupportedOperation``, are loaded one by one. Products that no longer exist are left out.
    ///
    /// - Parameters:
    ///   - name: The name of the list, which the user's other lists must not have.
    ///   - lists: The manager of the user's lists, which must not be one of `performingEdits(in:)`. It
    ///     supports ``ListManager/lists(after:)``, and to add and remove products. It also supports
    ///     ``ListManager/createList(named:id:)``, unless the list always exists.
    /// - Returns: A loader with the same products. Its favorites are those of the list only.
    public func storingFavorites(
        inListNamed name: String,
        of lists: ListManager
    ) -> ProductLoader {
        let favorites = FavoriteLists(name: name, lists: lists)
        var loader = ProductLoader(
            load: { id in
                async let favoriteIDs = await Result { try await favorites.knownProductIDs() }
                let fetched = try await fetchProduct(withID: id, policy: .current)
                let ids = try await favoriteIDs.known(for: fetched.source)
                if ids == nil { ServiceOperation.current?.leavesFavoriteUnknown = true }
                return fetched.value.settingFavorite(ids?.contains(fetched.value.id))
            },
            search: { query, cursor in
                async let favoriteIDs = await Result { try await favorites.knownProductIDs() }
                let page = try await products(matching: query, after: cursor)
                return page.settingFavorites(try await favoriteIDs.known(for: page.source))
            },
            favorites: { cursor in
                let position = try cursor.map(FavoritesPosition.init)
                let ids = try await favorites.productIDs()
                let slice = ids[(position?.index(in: ids) ?? 0)...].prefix(favoritesPerPage)
                var page = try await existingProducts(withIDs: Array(slice))
                page.next = FavoritesPosition(slice.endIndex, in: ids)?.cursor
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
        loader.favoritesOutliveProducts = true
        return loader
    }

    /// Loads the products with identifiers, in their order; throws the first error if none can be loaded.
    private func existingProducts(withIDs ids: [Product.ID]) async throws -> Page<Product> {
        guard !ids.isEmpty else { return Page([]) }
        let results: [Result<Product?, any Error>]
        do {
            let query = ProductQuery(ids: ids, limit: ids.count)
            results = try await loaded(ids, except: products(matching: query).items)
        } catch is UnsupportedOperation {
            results = try await loaded(ids, except: [])
        } catch let error as NetworkError where error.code.isConnectionFailure {
            results = try await stored(ids, after: error)
        }
        let page = Page(results).compactMap { try $0.get() }
        for case .failure(let error) in results where page.items.isEmpty { throw error }
        return page
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
    ) async throws -> [Result<Product?, any Error>] {
        var results: [Result<Product?, any Error>] = []
        let operation = ServiceOperation.current
        for id in ids {
            do {
                let fetched = try await ServiceOperation.outside(of: operation) {
                    try await fetchProduct(withID: id, policy: .cacheOnly, isAfterFailure: true)
                }
                guard let date = fetched.source.asOf else { throw failure }
                _ = operation?.record(.staleIfError(asOf: date, failure: failure))
                results.append(.success(fetched.value))
            } catch {
                if error is CancellationError || error.endsSession { throw error }
                results.append(.failure(failure))
            }
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

/// The place at which the next page of favorites begins, also after favorites were added or removed.
///
/// Its cursor consists of the number of favorites on the pages before, a space, and the identifier of the next favorite.
private struct FavoritesPosition {
    let offset: Int
    let following: Product.ID

    /// The position at an index; `nil` at the end.
    init?(_ offset: Int, in favorites: [Product.ID]) {
        guard offset < favorites.endIndex else { return nil }
        (self.offset, following) = (offset, favorites[offset])
    }

    init(_ cursor: PageCursor) throws {
        // The identifier may begin with a combining character.
        let parts = cursor.rawValue.unicodeScalars.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let offset = Int(String(parts[0])), offset > 0 else {
            throw NetworkError(
                .invalidRequest,
                details: "The next favorites cannot be loaded: their cursor was not made by this "
                    + "version of the app. Load the first favorites again."
            )
        }
        (self.offset, following) = (offset, Product.ID(String(parts[1])))
    }

    var cursor: PageCursor { PageCursor(rawValue: "\(offset) \(following)") }

    /// The index of the next favorite; if it was removed, the offset, or the end.
    func index(in favorites: [Product.ID]) -> Int {
        favorites.firstIndex(of: following) ?? min(offset, favorites.count)
    }
}

extension Result<[Product.ID]?, any Error> {
    fileprivate init(_ body: () async throws -> [Product.ID]?) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// Returns the favorites; `nil`, so that products are shown without a status, if they are not readable, cannot be
    /// loaded at the moment, or cannot be loaded for stored products.
    fileprivate func known(for source: FetchSource) throws -> [Product.ID]? {
        do {
            return try get()
        } catch let error as NetworkError
            where error.code.isConnectionFailure || error.code == .throttled
        {
            return nil
        } catch  where !source.isFromServer && !error.isCancellation {
            return nil
        }
    }
}

extension Page<Product> {
    /// Returns the page with the favorite status of each product, which is unknown for `nil`.
    fileprivate func settingFavorites(_ ids: [Product.ID]?) -> Page {
        let favorites = ids.map(Set.init)
        var page = self
        page.items = page.items.map { $0.settingFavorite(favorites?.contains($0.id)) }
        return page
    }
}

extension Product {
    /// Returns the product with its favorite status, which is unknown for `nil`.
    fileprivate func settingFavorite(_ isFavorite: Bool?) -> Product {
        var product = self
        product.isFavorite = isFavorite ?? false
        if isFavorite == nil {
            product.unknownMembers.insert(.isFavorite)
        } else {
            // A summary does not contain the status itself.
            product.unknownMembers.remove(.isFavorite)
        }
        return product
    }
}
