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
    /// - The list is created with the first favorite, once for all callers. If other devices have
    ///   created further lists with this name, the products of all of them are favorites, and a
    ///   product is removed from all of them.
    /// - The user's lists are loaded together with each product and each page, and their policy and
    ///   source are combined with those of the products. If they cannot be loaded, neither can the
    ///   product. A user who is not signed in has no favorites: then the backend must fail with
    ///   code ``NetworkError/Code-swift.struct/unauthorized``.
    /// - ``favorites(after:)`` returns the products in the reverse order of the list, up to 20 on a
    ///   page. They are found by their identifiers with ``products(matching:after:)``, or loaded
    ///   one by one if that is not supported. Products that no longer exist are left out.
    ///
    /// - Parameters:
    ///   - name: The name of the list, which the user's other lists must not have.
    ///   - lists: The manager of the user's lists. It supports ``ListManager/lists(after:)``,
    ///     ``ListManager/createList(named:id:)``, and to add and remove products.
    /// - Returns: A loader with the same products. Its favorites are those of the list only.
    public func storingFavorites(
        inListNamed name: String,
        of lists: ListManager
    ) -> ProductLoader {
        let favorites = FavoriteLists(name: name, lists: lists)
        return ProductLoader(
            load: { id in
                async let favoriteIDs = favorites.productIDs()
                var product = try await loadProduct(withID: id)
                product.isFavorite = try await favoriteIDs.contains(product.id)
                return product
            },
            search: { query, cursor in
                async let favoriteIDs = favorites.productIDs()
                let page = try await products(matching: query, after: cursor)
                return page.settingFavorites(Set(try await favoriteIDs))
            },
            favorites: { cursor in
                let ids = try await favorites.productIDs()
                let position = cursor.flatMap(FavoritesPosition.init)
                let slice = ids[(position?.end(in: ids) ?? 0)...].prefix(favoritesPerPage)
                var page = try await existingProducts(withIDs: Array(slice))
                page.next =
                    slice.endIndex < ids.endIndex ? FavoritesPosition(after: slice)?.cursor : nil
                page.total = ids.count
                return page.settingFavorites(Set(ids))
            },
            setFavorite: { id, isFavorite in
                try await favorites.set(isFavorite, forProductWithID: id)
                return nil
            }
        )
    }

    /// Loads the products with the given identifiers, in their order, without missing ones.
    private func existingProducts(withIDs ids: [Product.ID]) async throws -> Page<Product> {
        guard !ids.isEmpty else { return Page([]) }
        do {
            var page = try await products(matching: ProductQuery(ids: ids, limit: ids.count))
            let products = Dictionary(page.items.map { ($0.id, $0) }) { first, _ in first }
            page.items = ids.compactMap { products[$0] }
            return page
        } catch is UnsupportedOperation {
            let products = try await Page(ids).concurrentMap { id -> Product? in
                do {
                    return try await loadProduct(withID: id)
                } catch ProductError.notFound(id) {
                    return nil
                }
            }
            return Page(products.items.compactMap(\.self), rejected: products.rejected)
        }
    }
}

private let favoritesPerPage = 20

/// The end of a page of favorites, which is found again after favorites were added or removed.
private struct FavoritesPosition {
    /// The index of the first product of the page.
    let start: Int
    /// The last product of the page.
    let last: Product.ID

    init?(after page: ArraySlice<Product.ID>) {
        guard let last = page.last else { return nil }
        (start, self.last) = (page.startIndex, last)
    }

    init?(_ cursor: PageCursor) {
        let parts = cursor.rawValue.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let start = Int(parts[0]), start >= 0 else { return nil }
        (self.start, last) = (start, Product.ID(String(parts[1])))
    }

    var cursor: PageCursor { PageCursor(rawValue: "\(start):\(last)") }

    /// The index after the last product, or the start of the page if that is not a favorite anymore.
    func end(in ids: [Product.ID]) -> Int {
        ids.firstIndex(of: last).map { $0 + 1 } ?? min(start, ids.count)
    }
}

/// The lists with one name, whose products are the user's favorites.
private struct FavoriteLists: Sendable {
    let name: String
    let lists: ListManager
    private let creation = SingleFlight<String, ProductList>(cancelsWhenAbandoned: true)

    init(name: String, lists: ListManager) {
        self.name = name
        self.lists = lists
    }

    /// The identifiers of the favorites, the newest first; none for a user who is not signed in.
    func productIDs() async throws -> [Product.ID] {
        do {
            var known: Set<Product.ID> = []
            return try await found().flatMap(\.products).reversed().filter {
                known.insert($0).inserted
            }
        } catch let error as NetworkError where error.code == .unauthorized {
            return []
        }
    }

    /// Adds a product to a list with the name, or removes it from all of them.
    func set(_ isFavorite: Bool, forProductWithID id: Product.ID) async throws {
        let containing = try await found().filter { $0.products.contains(id) }
        guard isFavorite else {
            for list in containing {
                try await lists.removeProduct(withID: id, fromListWithID: list.id)
            }
            return
        }
        if containing.isEmpty {
            try await lists.addProduct(withID: id, toListWithID: foundOrCreated().id)
        }
    }

    private func found() async throws -> [ProductList] {
        try await lists.allLists().items.filter { $0.name == name }
    }

    /// Creates the list, unless another caller has created it in the meantime.
    private func foundOrCreated() async throws -> ProductList {
        try await creation.value(for: name) {
            if let list = try await found().first { return list }
            return try await lists.createList(named: name)
        }
    }
}

extension Page<Product> {
    fileprivate func settingFavorites(_ ids: Set<Product.ID>) -> Page {
        var page = self
        for index in page.items.indices {
            page.items[index].isFavorite = ids.contains(page.items[index].id)
            // A summary does not contain the status itself.
            page.items[index].unknownMembers.remove(.isFavorite)
        }
        return page
    }
}
