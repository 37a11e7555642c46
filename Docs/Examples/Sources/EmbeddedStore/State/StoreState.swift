import Foundation

/// The state of the store as a value, independent of HTTP.
struct StoreState: Sendable {
    /// The user of each bearer token.
    var tokens: [String: String]
    /// The responses to the latest writes that had an idempotency key.
    var completedRequests = CompletedRequests()

    private var entries: [String: CatalogEntry] = [:]
    private var order: [String] = []
    private var newestProduct = 0
    private var dataByUser: [String: UserData] = [:]
    private var initialData = UserData()

    init(products: [StoreProduct], tokens: [String: String]) {
        self.tokens = tokens
        for product in products { put(product) }
        let opening = Date(timeIntervalSince1970: 1_735_689_600)
        let gear = ["family-tent", "camp-stove", "enamel-mug"].filter { entries[$0] != nil }
        initialData.createList("wishlist", name: "Wishlist", at: opening)
        initialData.createList("camping", name: "Camping trip", products: gear, at: opening)
    }

    /// A user's favorites and lists.
    ///
    /// A new user has two lists.
    subscript(dataOf user: String) -> UserData {
        get { dataByUser[user] ?? initialData }
        set { dataByUser[user] = newValue }
    }

    /// Returns the catalog entry of a product, or `nil` if the store does not have it.
    func entry(_ productID: String) -> CatalogEntry? {
        entries[productID]
    }

    /// Returns the products that contain every word of a text, in catalog order.
    ///
    /// - Parameters:
    ///   - text: The words, separated by white space.
    ///   - ids: The products to search, or `nil` for all.
    /// - Returns: The catalog entries of the products.
    func entries(matching text: String, among ids: Set<String>?) -> [CatalogEntry] {
        let words = text.foldedForSearch.split(whereSeparator: \.isWhitespace)
        return order.compactMap { id in
            if let ids, !ids.contains(id) { return nil }
            return entries[id].flatMap { $0.matches(words) ? $0 : nil }
        }
    }

    /// Returns a user's favorites that are in the catalog, newest first, with their positions.
    func favoriteEntries(of user: String) -> [(position: Int, entry: CatalogEntry)] {
        self[dataOf: user].favorites
            .sorted { $0.value < $1.value }
            .compactMap { id, position in entries[id].map { (position, $0) } }
    }

    /// Adds a product at the end of the catalog, or replaces the one with its identifier.
    mutating func put(_ product: StoreProduct) {
        if let known = entries[product.id] {
            entries[product.id] = CatalogEntry(product, position: known.position)
        } else {
            newestProduct += 1
            entries[product.id] = CatalogEntry(product, position: newestProduct)
            order.append(product.id)
        }
    }

    /// Deletes a product.
    ///
    /// Its identifier stays on lists until the user removes it.
    mutating func deleteProduct(_ id: String) {
        guard entries.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
        for user in dataByUser.keys {
            dataByUser[user]?.removeFavorite(id)
        }
    }
}
