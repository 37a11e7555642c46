public import Foundation

/// A thing that a shop sells, as one user sees it.
///
/// A product is a value: a screen's copy changes only when somebody gives it a newer one. Only the
/// identity and the name are certain; everything else may be missing on the backend.
public struct Product: Identifiable, Hashable, Sendable {
    /// What the backend knows the product by.
    public var id: Identifier<Product>
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
    /// Whether it is a favorite of the user who asked.
    public var isFavorite: Bool
    /// When the backend last changed it.
    public var updatedAt: Date?
    /// What else the shop tells: brand, material, SKU.
    public var attributes: [String: String]

    /// Creates a product, of which only the identity and the name are needed.
    public init(
        id: Identifier<Product>,
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

extension Product: Codable {
    private enum Member: CodingKey {
        case id, name, description, prices, images, url, isAvailable, isFavorite, updatedAt
        case attributes
    }

    /// Reads a product as `Docs/openapi.yaml` describes it.
    ///
    /// Absent and `null` mean the same, members not listed are passed over, and an empty text where
    /// a URL belongs is none. Names of attributes follow the decoder's `keyDecodingStrategy` like all
    /// others.
    ///
    /// - Throws: `DecodingError`, which names the member, when `id` or `name` is missing or a
    ///   member has another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        id = try container.decode(Identifier<Product>.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        prices = try container.elements(forKey: .prices) { elements in
            try Price(in: elements.nestedContainer(keyedBy: Price.Member.self))
        }
        images = try container.elements(forKey: .images) { elements in
            let place = elements.currentIndex
            return try Product.url(
                elements.decode(String.self),
                at: elements.codingPath + [place.codingKey]
            )
        }.compactMap(\.self)
        url = try container.decodeIfPresent(String.self, forKey: .url).flatMap { text in
            try Product.url(text, at: container.codingPath + [Member.url])
        }
        isAvailable = try container.decodeIfPresent(Bool.self, forKey: .isAvailable)
        isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
        updatedAt = try container.timestamp(forKey: .updatedAt)
        attributes = try Product.attributes(in: container)
    }

    /// Writes a product as `Docs/openapi.yaml` describes it; what is `nil` is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encode(prices, forKey: .prices)
        // As texts: other encoders than JSON's would write a URL as a pair of base and path.
        try container.encode(images.map(\.absoluteString), forKey: .images)
        try container.encodeIfPresent(url?.absoluteString, forKey: .url)
        try container.encodeIfPresent(isAvailable, forKey: .isAvailable)
        try container.encode(isFavorite, forKey: .isFavorite)
        try container.encode(timestamp: updatedAt, forKey: .updatedAt)
        try container.encode(attributes, forKey: .attributes)
    }

    private static func attributes(
        in container: KeyedDecodingContainer<Member>
    ) throws -> [String: String] {
        guard container.holds(.attributes) else { return [:] }
        let attributes = try container.nestedContainer(
            keyedBy: MemberName.self,
            forKey: .attributes
        )
        return try attributes.allKeys.reduce(into: [:]) { texts, name in
            texts[name.stringValue] = try attributes.decodeIfPresent(String.self, forKey: name)
        }
    }

    /// Shops write an empty text for no URL.
    private static func url(
        _ text: String,
        at path: @autoclosure () -> [any CodingKey]
    ) throws -> URL? {
        if let url = URL(string: text) { return url }
        guard text.isEmpty else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: path(),
                    debugDescription: "Expected a URL, found “\(text.prefix(64))”."
                )
            )
        }
        return nil
    }
}
