/// A product as the store sells it.
///
/// It is what the store keeps, not what a client sees: a client's view adds whether the product
/// is one of the caller's favorites.
public struct StoreProduct: Sendable, Hashable, Identifiable, Encodable {
    /// An amount of money in one currency.
    public struct Price: Sendable, Hashable, Encodable {
        /// A decimal number as text, such as `19.99`.
        public var amount: String
        /// An ISO 4217 code, such as `EUR`.
        public var currency: String

        /// Makes a price.
        ///
        /// - Parameters:
        ///   - amount: A decimal number as text.
        ///   - currency: An ISO 4217 code in capitals.
        public init(amount: String, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    /// The identity, which may hold any character.
    public var id: String
    /// What a shopper calls it.
    public var name: String
    /// One to three sentences, or nothing.
    public var description: String?
    /// At most one per currency; empty when it cannot be bought, `0` when it is free.
    public var prices: [Price]
    /// The addresses of its pictures.
    public var images: [String]
    /// The address of its page in the shop.
    public var url: String?
    /// Whether it can be ordered now, if the store knows.
    public var isAvailable: Bool?
    /// When it was last changed, an RFC 3339 time in UTC.
    public var updatedAt: String?
    /// What else the store tells: brand, material, SKU.
    public var attributes: [String: String]

    /// Makes a product.
    ///
    /// - Parameters:
    ///   - id: The identity, which may hold any character.
    ///   - name: What a shopper calls it.
    ///   - description: One to three sentences.
    ///   - prices: Amounts by currency code, in the order in which they are told.
    ///   - images: The addresses of its pictures.
    ///   - url: The address of its page in the shop.
    ///   - isAvailable: Whether it can be ordered now.
    ///   - updatedAt: When it was last changed, an RFC 3339 time in UTC.
    ///   - attributes: What else the store tells.
    public init(
        id: String,
        name: String,
        description: String? = nil,
        prices: KeyValuePairs<String, String> = [:],
        images: [String] = [],
        url: String? = nil,
        isAvailable: Bool? = true,
        updatedAt: String? = nil,
        attributes: [String: String] = [:]
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.prices = prices.map { Price(amount: $0.value, currency: $0.key) }
        self.images = images
        self.url = url
        self.isAvailable = isAvailable
        self.updatedAt = updatedAt
        self.attributes = attributes
    }
}
