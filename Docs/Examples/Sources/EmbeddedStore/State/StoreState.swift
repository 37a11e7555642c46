import Foundation

/// Everything the store knows: a plain value that has never heard of HTTP.
struct StoreState: Sendable {
    /// Who holds which bearer token.
    var tokens: [String: String]

    private var cards: [String: CatalogCard] = [:]
    private var order: [String] = []
    private var newestProduct = 0
    private var shelves: [String: Shelf] = [:]
    private var starterShelf = Shelf()

    init(products: [StoreProduct], tokens: [String: String]) {
        self.tokens = tokens
        for product in products { put(product) }
        let opening = Date(timeIntervalSince1970: 1_735_689_600)
        let gear = ["family-tent", "camp-stove", "enamel-mug"].filter { cards[$0] != nil }
        starterShelf.createList("wishlist", name: "Wishlist", at: opening)
        starterShelf.createList("camping", name: "Camping trip", products: gear, at: opening)
    }

    /// A shopper's favorites and lists; a new shopper starts with two lists.
    subscript(shelfOf user: String) -> Shelf {
        get { shelves[user] ?? starterShelf }
        set { shelves[user] = newValue }
    }

    /// A product's card, or nothing when the store does not sell it.
    func card(_ productID: String) -> CatalogCard? {
        cards[productID]
    }

    /// The products that hold every word of a text, among all or among some, in catalog order.
    func cards(matching text: String, among ids: Set<String>?) -> [CatalogCard] {
        let words = text.foldedForSearch.split(whereSeparator: \.isWhitespace)
        return order.compactMap { id in
            if let ids, !ids.contains(id) { return nil }
            return cards[id].flatMap { $0.matches(words) ? $0 : nil }
        }
    }

    /// A shopper's favorites that the store still sells, newest first, each with its place.
    func favoriteCards(of user: String) -> [(position: Int, card: CatalogCard)] {
        self[shelfOf: user].favorites
            .sorted { $0.value < $1.value }
            .compactMap { id, position in cards[id].map { (position, $0) } }
    }

    /// Adds a product at the end of the catalog, or replaces the one with its identity.
    mutating func put(_ product: StoreProduct) {
        if let known = cards[product.id] {
            cards[product.id] = CatalogCard(product, position: known.position)
        } else {
            newestProduct += 1
            cards[product.id] = CatalogCard(product, position: newestProduct)
            order.append(product.id)
        }
    }

    /// Stops selling a product, whose identity stays on lists until their owners take it off.
    mutating func deleteProduct(_ id: String) {
        guard cards.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
        for user in shelves.keys {
            shelves[user]?.removeFavorite(id)
        }
    }
}
