public import Foundation

/// A thing that a shop sells, as one user sees it.
///
/// A product is a value: a screen's copy changes only when somebody gives it a newer one. Only the
/// identity and the name are certain; everything else may be missing on the backend.
public struct Product: Identifiable, Hashable, Sendable {
    /// The identity of a product.
    public typealias ID = Identifier<Product>

    /// What the backend knows the product by.
    public var id: ID
    /// The name on the label.
    public var name: String
    /// What the shop tells about it; `nil` when it tells nothing.
    public var description: String?
    /// What it costs, at most once per currency.
    ///
    /// Empty when it cannot be bought; a free product has an amount of 0.
    public var prices: [Price]
    /// Where its pictures are, the most important one first.
    public var images: [URL]
    /// Its page in the shop.
    public var url: URL?
    /// Whether it can be bought now; `nil` when the backend does not say.
    public var isAvailable: Bool?
    /// Whether it is a favourite of the user who asked.
    public var isFavorite: Bool
    /// When the backend last changed it.
    public var updatedAt: Date?
    /// What else the shop tells: brand, material, SKU.
    public var attributes: [String: String]

    /// Creates a product, of which only the identity and the name are needed.
    public init(
        id: ID,
        name: String,
        description: String? = nil,
        prices: [Price] = [],
        images: [URL] = [],
        url: URL? = nil,
        isAvailable: Bool? = nil,
        isFavorite: Bool = false,
        updatedAt: Date? = nil,
        attributes: [String: String] = [:]
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.prices = prices
        self.images = images
        self.url = url
        self.isAvailable = isAvailable
        self.isFavorite = isFavorite
        self.updatedAt = updatedAt
        self.attributes = attributes
    }

    /// The price in one currency; `nil` when the product has none there.
    ///
    /// - Parameter currency: An ISO 4217 code, in any case.
    /// - Returns: The first price in that currency.
    public func price(in currency: String) -> Price? {
        let code = currency.uppercased()
        return prices.first { $0.currency == code }
    }
}
