/// A product in the store's catalog.
///
/// A response adds the favorite status for the user of the request.
public struct StoreProduct: Sendable, Hashable, Identifiable, Encodable {
    /// An amount of money in one currency.
    public struct Price: Sendable, Hashable, Encodable {
        /// A decimal number as text, such as `19.99`.
        public var amount: String
        /// An ISO 4217 code, such as `EUR`.
        public var currency: String

        /// Creates a price.
        ///
        /// - Parameters:
        ///   - amount: A decimal number as text.
        ///   - currency: An ISO 4217 code in capitals.
        public init(amount: String, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    /// The identifier, which may contain any character.
    public var id: String
    /// The name.
    public var name: String
    /// A description of one to three sentences.
    public var description: String?
    /// The prices, at most one per currency.
    ///
    /// They are empty if the product cannot be bought. A free product has the price `0`.
    public var prices: [Price]
    /// The URLs of its images.
    public var images: [String]
    /// The URL of its web page.
    public var url: String?
    /// Whether it can be ordered now, or `nil` if that is unknown.
    public var isAvailable: Bool?
    /// The time of its last change in RFC 3339, in UTC.
    public var updatedAt: String?
    /// Other properties, such as brand, material and SKU.
    public var attributes: [String: String]

    /// Creates a product.
    ///
    /// - Parameters:
    ///   - id: The identifier, which may contain any character.
    ///   - name: The name.
    ///   - description: A description of one to three sentences.
    ///   - prices: The amounts by currency code, in the order of the response.
    ///   - images: The URLs of its images.
    ///   - url: The URL of its web page.
    ///   - isAvailable: Whether it can be ordered now.
    ///   - updatedAt: The time of its last change in RFC 3339, in UTC.
    ///   - attributes: Other properties, such as brand, material and SKU.
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
